/** Rows of the matrix up to which the distribution is computed exactly: 0.1 s at most. */
const maxExactRows = 160;
/** Values up to which the tail is summed term by term, and n·gap² from where one side of it is all that counts. */
const maxSummed = 100_000;
const tailFrom = 2.2;

/**
 * How likely the largest gap between the distribution of n values and the true one is this wide or wider, as SciPy's
 * `kstwo.sf`: exact as long as that is cheap, else Kolmogorov's limit with a correction that leaves an error of 0.022 / n,
 * in p-values below 1e-5.
 */
export function kolmogorovTail(n: number, gap: number): number {
  if (gap >= 1) return 0;
  if (n * gap <= 0.5) return 1;
  const tail = tailOf(n, gap);
  return Math.min(1, Math.max(0, tail));
}

function tailOf(n: number, gap: number): number {
  // A gap on both sides at once is next to impossible there.
  if (n * gap * gap >= tailFrom && n <= maxSummed) return 2 * oneSidedTail(n, gap);
  if (2 * n * gap <= maxExactRows) return 1 - exactDistribution(n, gap);
  return limitTail(corrected(n, gap));
}

/** Smirnov's sum over where the gap is reached last; each term as its logarithm, as its factors leave every range. */
function oneSidedTail(n: number, gap: number): number {
  const last = Math.floor(n * (1 - gap));
  let sum = 0;
  let logChoices = 0;
  for (let j = 0; j <= last; j++) {
    const reached = gap + j / n;
    const logRest = j === n ? 0 : (n - j) * Math.log1p(-Math.min(1, reached));
    sum += Math.exp(logChoices + (j - 1) * Math.log(reached) + logRest);
    logChoices += Math.log((n - j) / (j + 1));
  }
  return gap * sum;
}

function corrected(n: number, gap: number): number {
  const z = Math.sqrt(n) * gap;
  return z + 1 / (6 * Math.sqrt(n)) + (z - 1) / (4 * n);
}

/** Two series for one function: the first converges for large z, the second for small. */
function limitTail(z: number): number {
  if (z <= 0) return 1;
  let sum = 0;
  if (z > 1) {
    for (let k = 1; k <= 20; k++) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * z * z);
    return sum;
  }
  for (let k = 1; k <= 39; k += 2) sum += Math.exp((-k * k * Math.PI * Math.PI) / (8 * z * z));
  return 1 - (Math.sqrt(2 * Math.PI) / z) * sum;
}

/**
 * Marsaglia, Tsang and Wang's way: one entry of the n-th power of a matrix, times n!/nⁿ. `exponent` keeps the entries in
 * range: they grow by powers of ten that are taken out as they come.
 */
function exactDistribution(n: number, gap: number): number {
  const k = Math.ceil(n * gap);
  const size = 2 * k - 1;
  let { entries, exponent } = power(stepMatrix(size, k - n * gap), size, n);
  let result = entries[(k - 1) * size + k - 1] ?? 0;
  for (let i = 1; i <= n; i++) {
    result *= i / n;
    if (result < 1e-140) [result, exponent] = [result * 1e140, exponent - 140];
  }
  return result * 10 ** exponent;
}

function stepMatrix(size: number, rest: number): Float64Array {
  const entries = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const order = row - column + 1;
      if (order < 0) continue;
      let entry = 1;
      if (column === 0) entry -= rest ** (row + 1);
      if (row === size - 1) entry -= rest ** (size - column);
      if (column === 0 && row === size - 1) entry += Math.max(0, 2 * rest - 1) ** size;
      for (let factor = 2; factor <= order; factor++) entry /= factor;
      entries[row * size + column] = entry;
    }
  }
  return entries;
}

interface Scaled {
  readonly entries: Float64Array;
  exponent: number;
}

function power(entries: Float64Array, size: number, n: number): Scaled {
  if (n === 1) return { entries, exponent: 0 };
  const half = power(entries, size, Math.floor(n / 2));
  const square = { entries: product(half.entries, half.entries, size), exponent: half.exponent * 2 };
  const whole = n % 2 === 0 ? square : { ...square, entries: product(square.entries, entries, size) };
  const middle = whole.entries[((size * size) / 2) | 0] ?? 0;
  if (middle <= 1e140) return whole;
  return { entries: whole.entries.map((entry) => entry * 1e-140), exponent: whole.exponent + 140 };
}

function product(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const result = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < size; k++) {
      const factor = a[row * size + k] ?? 0;
      if (factor === 0) continue;
      for (let column = 0; column < size; column++) {
        const at = row * size + column;
        result[at] = (result[at] ?? 0) + factor * (b[k * size + column] ?? 0);
      }
    }
  }
  return result;
}
