/** Values kept as they are; SciPy's exact p-values end at as many. Above that, what a level holds before it is halved. */
export const exactValues = 10_000;
const runLength = exactValues / 2;

/** Where ranks are read: values in order, each with how many values it stands for. */
export interface WeightedValues {
  readonly values: Float64Array;
  /** Up to and with the value at the same place. */
  readonly cumulative: Float64Array;
  readonly count: number;
  /** No rank is off by more than this share of the count; 0 when every value is there. */
  readonly errorBound: number;
}

/** As it is kept in a file. */
export interface SketchState {
  readonly count: number;
  readonly errorWeight: number;
  /** By level: what stands for 1, 2, 4 … values. */
  readonly levels: readonly (readonly number[])[];
}

/**
 * Ranks of a stream of numbers in bounded memory, after Munro and Paterson. Values fill a buffer; a full one is sorted
 * and every other value goes up a level, where it stands for two. Two runs that meet on a level are merged and halved in
 * the same way. Halving a run whose values stand for w moves no rank by more than w, so the sum of those w is a bound
 * that holds for every order of values, not with a probability: log₂(n / 10,000) / 10,000 of all, 0.1 % for ten million,
 * in half a mebibyte. Which half goes up alternates, so the same data give the same numbers.
 */
export class QuantileSketch {
  #count = 0;
  #errorWeight = 0;
  #buffer = new Float64Array(64);
  #length = 0;
  /** Each empty or one sorted run; the first stands for two values each. */
  readonly #runs: (Float64Array | null)[] = [];
  readonly #takesSecond: boolean[] = [];
  readonly #spare: Float64Array[] = [];

  static from({ count, errorWeight, levels: [first = [], ...runs] }: SketchState): QuantileSketch {
    const sketch = new QuantileSketch();
    sketch.#count = count;
    sketch.#errorWeight = errorWeight;
    sketch.#buffer = Float64Array.from(first);
    sketch.#length = first.length;
    sketch.#runs.push(...runs.map((run) => (run.length === 0 ? null : Float64Array.from(run))));
    return sketch;
  }

  get count(): number {
    return this.#count;
  }

  add(value: number): void {
    if (this.#length === this.#buffer.length) this.#makeRoom();
    this.#buffer[this.#length++] = value;
    this.#count++;
  }

  state(): SketchState {
    const first = Array.from(this.#buffer.subarray(0, this.#length).toSorted());
    const runs = this.#runs.map((run) => (run === null ? [] : Array.from(run)));
    return { count: this.#count, errorWeight: this.#errorWeight, levels: [first, ...runs] };
  }

  weighted(): WeightedValues {
    let merged = {
      values: this.#buffer.slice(0, this.#length).sort(),
      weights: new Float64Array(this.#length).fill(1),
    };
    for (const [level, run] of this.#runs.entries()) {
      if (run !== null) merged = mergeWeighted(merged, run, 2 ** (level + 1));
    }
    const { values, weights: cumulative } = merged;
    for (let at = 1; at < cumulative.length; at++)
      cumulative[at] = (cumulative[at] ?? 0) + (cumulative[at - 1] ?? 0);
    const count = this.#count;
    return { values, cumulative, count, errorBound: count === 0 ? 0 : this.#errorWeight / count };
  }

  #makeRoom(): void {
    if (this.#length < exactValues) {
      const larger = new Float64Array(Math.min(exactValues, this.#length * 2 || 64));
      larger.set(this.#buffer);
      this.#buffer = larger;
      return;
    }
    const sorted = this.#buffer.sort();
    let carried = this.#run();
    for (let at = 0, from = this.#first(0); at < runLength; at++) carried[at] = sorted[at * 2 + from] ?? 0;
    this.#length = 0;
    for (let level = 0; ; level++) {
      const there = this.#runs[level] ?? null;
      if (there === null) {
        this.#runs[level] = carried;
        return;
      }
      const halved = this.#run();
      mergeHalf(there, carried, this.#first(level + 1), halved);
      this.#runs[level] = null;
      this.#spare.push(there, carried);
      carried = halved;
    }
  }

  /** Where halving begins on a level: at the first value and at the second, in turn. */
  #first(level: number): 0 | 1 {
    this.#errorWeight += 2 ** level;
    const first = this.#takesSecond[level] === true ? 1 : 0;
    this.#takesSecond[level] = first === 0;
    return first;
  }

  /** Runs are used again: ten million values would leave two thousand of them to be collected. */
  #run(): Float64Array {
    return this.#spare.pop() ?? new Float64Array(runLength);
  }
}

/** The smallest value that at least this share of all values is at or below. */
export function quantile({ values, cumulative, count }: WeightedValues, share: number): number {
  const wanted = share * count;
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cumulative[middle] ?? 0) >= wanted) high = middle;
    else low = middle + 1;
  }
  return values[low] ?? Number.NaN;
}

/** Which share of all values is at or below this one. */
export function shareAtOrBelow({ values, cumulative, count }: WeightedValues, value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : (cumulative[low - 1] ?? 0) / count;
}

/** Every other value of two runs in order, beginning with the first or the second. */
function mergeHalf(a: Float64Array, b: Float64Array, first: 0 | 1, half: Float64Array): void {
  for (let at = 0, i = 0, j = 0; at < runLength * 2; at++) {
    const isFromA = j === runLength || (i < runLength && (a[i] ?? 0) <= (b[j] ?? 0));
    const value = (isFromA ? a[i++] : b[j++]) ?? 0;
    if (at % 2 === first) half[at >>> 1] = value;
  }
}

function mergeWeighted(
  { values: a, weights }: { readonly values: Float64Array; readonly weights: Float64Array },
  b: Float64Array,
  weight: number,
) {
  const merged = {
    values: new Float64Array(a.length + b.length),
    weights: new Float64Array(a.length + b.length),
  };
  for (let at = 0, i = 0, j = 0; at < merged.values.length; at++) {
    const isFromA = j === b.length || (i < a.length && (a[i] ?? 0) <= (b[j] ?? 0));
    merged.weights[at] = isFromA ? (weights[i] ?? 0) : weight;
    merged.values[at] = (isFromA ? a[i++] : b[j++]) ?? 0;
  }
  return merged;
}
