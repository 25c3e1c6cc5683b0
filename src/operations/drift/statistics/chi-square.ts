export interface ChiSquareTest {
  readonly statistic: number;
  readonly degreesOfFreedom: number;
  readonly pValue: number;
}

/**
 * Whether two lists of counts, of the same categories, can come from one distribution: Pearson's test of a table with two
 * rows, as SciPy's `chi2_contingency`, with Yates's correction where there are but two categories.
 */
export function chiSquareTest(baseline: readonly number[], window: readonly number[]): ChiSquareTest {
  const [baselineTotal, windowTotal] = [sum(baseline), sum(window)];
  const total = baselineTotal + windowTotal;
  const columns = baseline
    .map((count, at) => [count, window[at] ?? 0] as const)
    .filter(([a, b]) => a + b > 0);
  const degreesOfFreedom = Math.max(0, columns.length - 1);
  if (degreesOfFreedom === 0 || baselineTotal === 0 || windowTotal === 0)
    return { statistic: 0, degreesOfFreedom, pValue: 1 };
  let statistic = 0;
  for (const [a, b] of columns) {
    for (const [observed, rowTotal] of [
      [a, baselineTotal],
      [b, windowTotal],
    ] as const) {
      const expected = ((a + b) * rowTotal) / total;
      const off = Math.abs(observed - expected);
      const counted = degreesOfFreedom === 1 ? Math.max(0, off - 0.5) : off;
      statistic += counted ** 2 / expected;
    }
  }
  return { statistic, degreesOfFreedom, pValue: upperGamma(degreesOfFreedom / 2, statistic / 2) };
}

/** The regularised incomplete gamma function Q(a, x): a series for small x, a continued fraction for large. */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let total = term;
    for (let n = 1; n < maxTerms && term > total * 1e-17; n++) {
      term *= x / (a + n);
      total += term;
    }
    return Math.max(0, 1 - scale * total);
  }
  // Lentz's way to evaluate the fraction from its beginning.
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < maxTerms; n++) {
    const numerator = -n * (n - a);
    b += 2;
    d = 1 / away(numerator * d + b);
    c = away(b + numerator / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return scale * fraction;
}

/** Both converge in about √a steps near x = a, where they are slowest; categories are a thousand at most. */
const maxTerms = 10_000;
const tiny = 1e-300;
const away = (value: number): number => (Math.abs(value) < tiny ? tiny : value);

/** Stirling's series, from where seven terms of it are exact to the last digit; below by the recurrence. */
function logGamma(a: number): number {
  let shift = 0;
  let x = a;
  for (; x < 15; x++) shift += Math.log(x);
  const inverse = 1 / (x * x);
  const terms = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];
  const series = terms.reduceRight((sum, term) => sum * inverse + term, 0) / x;
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series - shift;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
