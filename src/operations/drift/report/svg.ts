import { type Html, html, join } from "../../../base/html.ts";
import type { FeatureResult, Plot } from "../result.ts";
import { percent, shown } from "./words.ts";

const width = 900;
const height = 190;
const [left, right, top, bottom] = [46, 12, 10, 24];
const labelWidth = 210;
const rowHeight = 42;

/** The distributions of both sides, one over the other. */
export function plotOf({ plot, ks }: FeatureResult): Html {
  if (plot === null) return html``;
  return plot.kind === "numeric" ? histogram(plot, ks?.at ?? null) : bars(plot);
}

type NumericPlot = Extract<Plot, { kind: "numeric" }>;
type CategoricalPlot = Extract<Plot, { kind: "categorical" }>;

/** The baseline as an area, the window as an outline, and a line where the gap of the KS test is widest. */
function histogram({ edges, baseline, window }: NumericPlot, gapAt: number | null): Html {
  const highest = Math.max(...baseline, ...window, 1e-9);
  const [low = 0, high = 1] = [edges[0], edges.at(-1)];
  const y = (share: number) => top + (height - top - bottom) * (1 - share / highest);
  const x = (bin: number) => left + ((width - left - right) * bin) / baseline.length;
  const steps = (shares: readonly number[]) =>
    shares.map((share, bin) => `L${point(x(bin), y(share))} L${point(x(bin + 1), y(share))}`).join(" ");
  const base = height - bottom;
  const from = `M${point(x(0), base)}`;
  const to = `L${point(x(baseline.length), base)}`;
  const place = gapAt === null ? -1 : (gapAt / 2 - low / 2) / (high / 2 - low / 2);
  const gapX = String(round(left + (width - left - right) * place));
  const gap =
    place < 0 || place > 1
      ? html``
      : html`<line class="gap" x1="${gapX}" x2="${gapX}" y1="${String(top)}" y2="${String(base)}"/>`;
  return html`<svg class="plot" viewBox="0 0 ${String(width)} ${String(height)}" role="img" aria-label="Distribution of baseline and window">
<line class="axis" x1="${String(left)}" x2="${String(width - right)}" y1="${String(base)}" y2="${String(base)}"/>
<text x="${String(left - 6)}" y="${String(top + 10)}" text-anchor="end">${percent(highest)}</text>
<path class="area" d="${from} ${steps(baseline)} ${to} Z"/>
<path class="outline" d="${from} ${steps(window)} ${to}"/>
${gap}
<text x="${String(left)}" y="${String(height - 6)}">${shown(low)}</text>
<text x="${String((left + width - right) / 2)}" y="${String(height - 6)}" text-anchor="middle">${shown(low / 2 + high / 2)}</text>
<text x="${String(width - right)}" y="${String(height - 6)}" text-anchor="end">${shown(high)}</text>
</svg>`;
}

/** A pair of bars for each category, the most frequent first. */
function bars({ labels, baseline, window, others }: CategoricalPlot): Html {
  const hasOthers = others[0] + others[1] > 0;
  const rows = labels.map((label, at) => [label, baseline[at] ?? 0, window[at] ?? 0] as const);
  const all = hasOthers ? [...rows, ["all others", ...others] as const] : rows;
  const largest = Math.max(...all.flatMap(([, before, now]) => [before, now]), 1e-9);
  const room = width - labelWidth - 70;
  const bar = (share: number) => String(round((room * share) / largest));
  const drawn = all.map(([label, before, now], at) => {
    const y = at * rowHeight + 4;
    const after = (share: number) => String(round(labelWidth + (room * share) / largest + 6));
    return html`<text class="label" x="${String(labelWidth - 8)}" y="${String(y + 19)}" text-anchor="end">${short(label)}</text>
<rect class="before" x="${String(labelWidth)}" y="${String(y)}" width="${bar(before)}" height="14"/><text x="${after(before)}" y="${String(y + 11)}">${percent(before)}</text>
<rect class="now" x="${String(labelWidth)}" y="${String(y + 16)}" width="${bar(now)}" height="14"/><text x="${after(now)}" y="${String(y + 28)}">${percent(now)}</text>`;
  });
  return html`<svg class="plot" viewBox="0 0 ${String(width)} ${String(all.length * rowHeight + 4)}" role="img" aria-label="Shares of categories in baseline and window">
${join(drawn)}
</svg>`;
}

function short(label: string): string {
  const characters = [...label];
  return characters.length <= 28 ? label : `${characters.slice(0, 27).join("")}…`;
}

function point(x: number, y: number): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
