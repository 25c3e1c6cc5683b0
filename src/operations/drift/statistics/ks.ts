import { kolmogorovTail } from "./kolmogorov.ts";
import { exactValues, type WeightedValues } from "./sketch.ts";

export interface KsTest {
  /** The widest gap between the two distribution functions. */
  readonly statistic: number;
  /** Two-sided: how likely a gap as wide is when both are the same. */
  readonly pValue: number;
  /** Where the gap is. */
  readonly at: number;
}

/** The two-sample Kolmogorov-Smirnov test, as SciPy's `ks_2samp` with `method="auto"`. Of sketches the gap is off by at most both error bounds. */
export function ksTest(baseline: WeightedValues, window: WeightedValues): KsTest {
  const { statistic, at } = widestGap(baseline, window);
  return { statistic, at, pValue: pValueOf(statistic, baseline.count, window.count) };
}

function widestGap(a: WeightedValues, b: WeightedValues): { statistic: number; at: number } {
  const widest = { statistic: 0, at: a.values[0] ?? Number.NaN };
  for (let i = 0, j = 0; i < a.values.length && j < b.values.length; ) {
    const value = Math.min(a.values[i] ?? 0, b.values[j] ?? 0);
    while (i < a.values.length && a.values[i] === value) i++;
    while (j < b.values.length && b.values[j] === value) j++;
    const gap = Math.abs((a.cumulative[i - 1] ?? 0) / a.count - (b.cumulative[j - 1] ?? 0) / b.count);
    if (gap > widest.statistic) Object.assign(widest, { statistic: gap, at: value });
  }
  return widest;
}

function pValueOf(statistic: number, m: number, n: number): number {
  if (Math.max(m, n) > exactValues) return kolmogorovTail(Math.round((m * n) / (m + n)), statistic);
  // A gap is a whole number of steps of 1 / lcm; a rounding error must not put a path on the wrong side of it.
  const common = greatestCommonDivisor(m, n);
  const steps = Math.round(statistic * (m / common) * n);
  if (steps === 0) return 1;
  return m === n ? outsideSquare(n, steps) : outsideBand(m, n, common, steps);
}

/**
 * Paths of m steps to the right and n up, all as likely: which share leaves the band |i/m - j/n| < gap? `share[j]` is,
 * for the column at hand, the share of paths to (i, j) that have left it: the last step came from the left with
 * probability i/(i+j), else from below.
 */
function outsideBand(m: number, n: number, common: number, steps: number): number {
  const [perColumn, perRow] = [n / common, m / common];
  const share = new Float64Array(n + 1).fill(1);
  for (let i = 0; i <= m; i++) {
    const low = Math.max(0, Math.floor((i * perColumn - steps) / perRow) + 1);
    const high = Math.min(n, Math.ceil((i * perColumn + steps) / perRow) - 1);
    if (low > high) return 1;
    let below = low === 0 ? 0 : 1;
    for (let j = low; j <= high; j++) {
      // The path of no steps has left nothing.
      below = i + j === 0 ? 0 : ((i === 0 ? 0 : i * (share[j] ?? 1)) + j * below) / (i + j);
      share[j] = below;
    }
  }
  return Math.min(1, Math.max(0, share[n] ?? 1));
}

/**
 * The same for m = n, by reflection: an alternating sum of the shares that reach h, 2h, 3h …, each a product of h factors
 * times the one before. Summed from the last, so that nothing large cancels.
 */
function outsideSquare(n: number, h: number): number {
  let share = 0;
  for (let k = Math.floor(n / h); k >= 0; k--) {
    let factor = 1;
    for (let j = 0; j < h; j++) factor *= (n - k * h - j) / (n + k * h + j + 1);
    share = factor * (1 - share);
  }
  return Math.min(1, Math.max(0, 2 * share));
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
