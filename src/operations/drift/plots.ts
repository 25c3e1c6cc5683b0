import { cut } from "../../base/show.ts";
import type { Plot } from "./result.ts";
import { sharesBetween } from "./statistics/psi.ts";
import { quantile, type WeightedValues } from "./statistics/sketch.ts";

const bins = 30;
const drawnCategories = 12;
const labelChars = 60;

/** Both in bins of one width, over where nearly all values are: a single outlier would leave one bar. The last bins are open. */
export function plotNumbers(baseline: WeightedValues, window: WeightedValues): Plot {
  const sides = [baseline, window];
  const low = Math.min(...sides.map((side) => quantile(side, 0.01)));
  const high = Math.max(...sides.map((side) => quantile(side, 0.99)));
  const [from, to] = low < high ? [low, high] : [low, low + (Math.abs(low) || 1)];
  const count = low < high ? bins : 1;
  // Shares of both ends, as the distance between the largest numbers is not a number.
  const edges = Array.from({ length: count + 1 }, (_, at) => from * (1 - at / count) + to * (at / count));
  const inner = edges.slice(1, -1);
  return {
    kind: "numeric",
    edges,
    baseline: sharesBetween(baseline, inner),
    window: sharesBetween(window, inner),
  };
}

/** The most frequent, by the larger of their two shares. */
export function plotCategories(
  names: readonly string[],
  baseline: readonly number[],
  window: readonly number[],
): Plot {
  const share = (side: readonly number[], at: number) => side[at] ?? 0;
  const order = names.map((_, at) => at);
  order.sort(
    (a, b) => Math.max(share(baseline, b), share(window, b)) - Math.max(share(baseline, a), share(window, a)),
  );
  const [drawn, others] = [order.slice(0, drawnCategories), order.slice(drawnCategories)];
  const rest = (side: readonly number[]) => others.reduce((sum, at) => sum + share(side, at), 0);
  return {
    kind: "categorical",
    labels: drawn.map((at) => cut(names[at] ?? "", labelChars)),
    baseline: drawn.map((at) => share(baseline, at)),
    window: drawn.map((at) => share(window, at)),
    others: [rest(baseline), rest(window)],
  };
}
