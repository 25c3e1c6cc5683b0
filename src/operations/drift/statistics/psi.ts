import { quantile, shareAtOrBelow, type WeightedValues } from "./sketch.ts";

/** An empty share counts as this: its logarithm would be infinite. */
export const leastShare = 0.0001;
const bins = 10;

/** The population stability index of two lists of shares: Σ (w - b) · ln(w / b). */
export function psi(baseline: readonly number[], window: readonly number[]): number {
  return baseline.reduce((total, share, at) => {
    const [b, w] = [Math.max(share, leastShare), Math.max(window[at] ?? 0, leastShare)];
    return total + (w - b) * Math.log(w / b);
  }, 0);
}

/** Over ten bins that hold a tenth of the baseline each; fewer where many values are the same. */
export function numericPsi(baseline: WeightedValues, window: WeightedValues): number {
  const edges = decileEdges(baseline);
  return psi(sharesBetween(baseline, edges), sharesBetween(window, edges));
}

/** The upper ends of all bins but the last, which has none. */
export function decileEdges(baseline: WeightedValues): number[] {
  const deciles = Array.from({ length: bins - 1 }, (_, at) => quantile(baseline, (at + 1) / bins));
  return [...new Set(deciles)];
}

/** The share of values in each bin: up to the first edge, from there up to the second …, above the last. */
export function sharesBetween(values: WeightedValues, edges: readonly number[]): number[] {
  const atOrBelow = [...edges.map((edge) => shareAtOrBelow(values, edge)), 1];
  return atOrBelow.map((share, at) => share - (atOrBelow[at - 1] ?? 0));
}
