/** Bounds of buckets grow by this: a percentile is at most 2 % off. */
const growth = 1.04;
const logGrowth = Math.log(growth);
/** The least that is told apart: a microsecond. */
const leastMs = 0.001;

export interface LatencySummary {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** As a checkpoint keeps it. */
export interface LatencyCounts {
  readonly buckets: Readonly<Record<string, number>>;
  readonly sum_ms: number;
  readonly max_ms: number;
}

/** How long records took, in buckets of equal ratio: some 600 from a microsecond to a day, whatever the number of records. */
export class LatencyHistogram {
  readonly #buckets = new Map<number, number>();
  #sumMs = 0;
  #maxMs = 0;

  static from({ buckets, sum_ms, max_ms }: LatencyCounts): LatencyHistogram {
    const histogram = new LatencyHistogram();
    for (const [bucket, count] of Object.entries(buckets)) histogram.#buckets.set(Number(bucket), count);
    histogram.#sumMs = sum_ms;
    histogram.#maxMs = max_ms;
    return histogram;
  }

  /** Equal ones in a row are counted at once: many processors know no more than a chunk's time over its records. */
  add(latenciesMs: Float64Array): void {
    for (let start = 0, end = 0; start < latenciesMs.length; start = end) {
      const ms = latenciesMs[start] ?? 0;
      while (end < latenciesMs.length && latenciesMs[end] === ms) end++;
      // What is no number is equal to nothing, itself included.
      end = Math.max(end, start + 1);
      this.#count(ms >= 0 && ms < Infinity ? ms : 0, end - start);
    }
  }

  summary(): LatencySummary {
    const sorted = [...this.#buckets].sort(([a], [b]) => a - b);
    const count = sorted.reduce((sum, [, of]) => sum + of, 0);
    const at = (share: number): number => {
      let passed = 0;
      for (const [bucket, of] of sorted) {
        passed += of;
        if (passed >= share * count) return rounded(Math.min(middleOf(bucket), this.#maxMs));
      }
      return 0;
    };
    return {
      count,
      mean: rounded(count === 0 ? 0 : this.#sumMs / count),
      p50: at(0.5),
      p90: at(0.9),
      p95: at(0.95),
      p99: at(0.99),
      p999: at(0.999),
      max: rounded(this.#maxMs),
    };
  }

  toJSON(): LatencyCounts {
    return { buckets: Object.fromEntries(this.#buckets), sum_ms: this.#sumMs, max_ms: this.#maxMs };
  }

  #count(ms: number, times: number): void {
    const bucket = ms <= leastMs ? 0 : Math.ceil(Math.log(ms / leastMs) / logGrowth);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + times);
    this.#sumMs += ms * times;
    if (ms > this.#maxMs) this.#maxMs = ms;
  }
}

/** Of the bucket's bounds, the value that is as far from one as from the other. */
function middleOf(bucket: number): number {
  return bucket === 0 ? leastMs : leastMs * growth ** (bucket - 0.5);
}

function rounded(ms: number): number {
  return Number(ms.toPrecision(4));
}
