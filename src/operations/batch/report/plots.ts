import { type Html, html, join } from "../../../base/html.ts";

/** A place in a plot, in the units of its axes. */
export type Point = readonly [x: number, y: number];

const width = 480;
const height = 300;
const [left, right, top, bottom] = [54, 14, 12, 40];

interface Axes {
  readonly x: { readonly from: number; readonly to: number; readonly title: string };
  readonly y: { readonly from: number; readonly to: number; readonly title: string };
  readonly width?: number;
}

/** Lines drawn through points, with the line of chance where there is one. */
export function curvePlot(axes: Axes, curve: readonly Point[], chance: readonly Point[] = []): Html {
  const place = placer(axes);
  return frame(
    axes,
    join([
      chance.length > 0 ? html`<polyline class="chance" points="${points(chance, place)}"/>` : html``,
      html`<polyline class="curve" points="${points(curve, place)}"/>`,
    ]),
  );
}

/** The same with the area below it. */
export function areaPlot(axes: Axes, curve: readonly Point[]): Html {
  const place = placer(axes);
  const [first, last] = [curve[0]?.[0] ?? 0, curve.at(-1)?.[0] ?? 0];
  const closed = [[first, axes.y.from] as const, ...curve, [last, axes.y.from] as const];
  return frame(
    axes,
    html`<polygon class="area" points="${points(closed, place)}"/><polyline class="curve" points="${points(curve, place)}"/>`,
  );
}

/** Places that are met, the larger the more records each stands for. */
export function dotPlot(
  axes: Axes,
  dots: readonly { readonly at: Point; readonly weight: number }[],
  chance: readonly Point[],
): Html {
  const place = placer(axes);
  const most = Math.max(...dots.map(({ weight }) => weight), 1);
  const circles = dots.map(({ at, weight }) => {
    const [x, y] = place(at);
    return html`<circle class="first" cx="${x}" cy="${y}" r="${rounded(4 + 5 * Math.sqrt(weight / most))}"/>`;
  });
  const line = dots.map(({ at }) => at);
  return frame(
    axes,
    join([
      html`<polyline class="chance" points="${points(chance, place)}"/>`,
      html`<polyline class="curve" points="${points(line, place)}"/>`,
      ...circles,
    ]),
  );
}

export interface Bar {
  readonly from: number;
  readonly to: number;
  /** Stacked, the first at the bottom, each with its class of colour. */
  readonly parts: readonly { readonly value: number; readonly colour: string }[];
}

export function barPlot(axes: Axes, bars: readonly Bar[]): Html {
  const place = placer(axes);
  const rects = bars.flatMap(({ from, to, parts }) => {
    let below = axes.y.from;
    return parts
      .filter(({ value }) => value > 0)
      .map(({ value, colour }) => {
        const [x, y] = place([from, below + value]);
        const [end, base] = place([to, below]);
        below += value;
        const [w, h] = [Number(end) - Number(x) - 1, Number(base) - Number(y)];
        return html`<rect class="${colour}" x="${x}" y="${y}" width="${rounded(Math.max(w, 0.5))}" height="${rounded(Math.max(h, 0.5))}"/>`;
      });
  });
  return frame(axes, join(rects));
}

/** The largest of a nice step that holds all of it: 1, 2 or 5 times a power of ten. */
export function niceMax(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function frame(axes: Axes, inside: Html): Html {
  const { x, y, width: total = width } = axes;
  const place = placer(axes);
  const [, base] = place([x.from, y.from]);
  const lines = ticks(y).map((value) => {
    const [, at] = place([x.from, value]);
    return html`<line class="grid" x1="${String(left)}" x2="${String(total - right)}" y1="${at}" y2="${at}"/><text x="${String(left - 8)}" y="${at}" text-anchor="end" dominant-baseline="middle">${short(value)}</text>`;
  });
  const marks = ticks(x).map((value) => {
    const [at] = place([value, y.from]);
    return html`<text x="${at}" y="${String(Number(base) + 16)}" text-anchor="middle">${short(value)}</text>`;
  });
  const middle = String((left + total - right) / 2);
  return html`<svg class="plot" viewBox="0 0 ${String(total)} ${String(height)}" role="img" aria-label="${y.title} over ${x.title}">${join(lines)}${join(marks)}<text x="${middle}" y="${String(height - 4)}" text-anchor="middle">${x.title}</text>${inside}</svg>`;
}

function placer({ x, y, width: total = width }: Axes): (point: Point) => readonly [string, string] {
  const share = (value: number, { from, to }: Axes["x"]) =>
    to === from ? 0.5 : (value - from) / (to - from);
  return ([px, py]) => [
    rounded(left + (total - left - right) * share(px, x)),
    rounded(top + (height - top - bottom) * (1 - share(py, y))),
  ];
}

function points(curve: readonly Point[], place: (point: Point) => readonly [string, string]): string {
  return curve.map((point) => place(point).join(",")).join(" ");
}

function ticks({ from, to }: Axes["x"]): number[] {
  return [0, 0.25, 0.5, 0.75, 1].map((share) => from + (to - from) * share);
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))} k`;
  return String(Number(value.toPrecision(3)));
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
