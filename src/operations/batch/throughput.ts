/** As checkpoints and stats.json have it: records that came to their end in each interval, from the start of the run. */
export interface ThroughputSeries {
  readonly interval_ms: number;
  readonly records: readonly number[];
}

const maxPoints = 240;
const firstIntervalMs = 1_000;

/** Records over time, in at most 240 numbers: when they are full, two become one and the interval doubles. */
export class Throughput {
  #intervalMs: number;
  #records: number[];

  constructor(series: ThroughputSeries = { interval_ms: firstIntervalMs, records: [] }) {
    this.#intervalMs = series.interval_ms;
    this.#records = [...series.records];
  }

  /** `atMs`: since the run began, over all its legs. */
  add(count: number, atMs: number): void {
    while (atMs >= this.#intervalMs * maxPoints) this.#double();
    const at = Math.floor(atMs / this.#intervalMs);
    while (this.#records.length <= at) this.#records.push(0);
    this.#records[at] = (this.#records[at] ?? 0) + count;
  }

  toJSON(): ThroughputSeries {
    return { interval_ms: this.#intervalMs, records: this.#records };
  }

  #double(): void {
    const halved = Math.ceil(this.#records.length / 2);
    this.#records = Array.from(
      { length: halved },
      (_, at) => (this.#records[2 * at] ?? 0) + (this.#records[2 * at + 1] ?? 0),
    );
    this.#intervalMs *= 2;
  }
}
