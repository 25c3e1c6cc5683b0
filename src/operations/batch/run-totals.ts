import type { JsonObject } from "../../engine/events/schema.ts";
import type { ChunkEnd, ProcessorTally } from "./port/processor.ts";
import { type LatencyCounts, LatencyHistogram } from "./latency-histogram.ts";
import { Throughput, type ThroughputSeries } from "./throughput.ts";

/** As a checkpoint keeps it. */
export interface SavedTotals {
  readonly done_count: number;
  readonly failed_count: number;
  readonly error_classes: Readonly<Record<string, number>>;
  readonly latency: LatencyCounts;
  readonly throughput: ThroughputSeries;
  readonly tally: JsonObject | null;
}

/** What a run came to, over all its legs. */
export class RunTotals {
  doneCount = 0;
  failedCount = 0;
  readonly #errorClasses = new Map<string, number>();
  readonly #latency: LatencyHistogram;
  readonly #throughput: Throughput;
  readonly #tallying: ProcessorTally | undefined;
  #tally: JsonObject | null = null;

  constructor(tallying: ProcessorTally | undefined, saved: SavedTotals | null) {
    this.#tallying = tallying;
    this.#latency = saved === null ? new LatencyHistogram() : LatencyHistogram.from(saved.latency);
    this.#throughput = new Throughput(saved?.throughput);
    if (saved === null) return;
    this.doneCount = saved.done_count;
    this.failedCount = saved.failed_count;
    this.#tally = saved.tally;
    for (const [name, count] of Object.entries(saved.error_classes)) this.#errorClasses.set(name, count);
  }

  /** `atMs`: since the run began, over all its legs. */
  add(end: ChunkEnd, atMs: number): void {
    this.doneCount += end.doneCount;
    this.failedCount += end.failedCount;
    for (const [name, count] of Object.entries(end.errorClasses)) {
      this.#errorClasses.set(name, (this.#errorClasses.get(name) ?? 0) + count);
    }
    this.#latency.add(end.latenciesMs);
    this.#throughput.add(end.doneCount + end.failedCount, atMs);
    if (end.tally !== undefined) this.#tally = this.#tallying?.merge(this.#tally, end.tally) ?? this.#tally;
  }

  save(): SavedTotals {
    return {
      done_count: this.doneCount,
      failed_count: this.failedCount,
      error_classes: Object.fromEntries(this.#errorClasses),
      latency: this.#latency.toJSON(),
      throughput: this.#throughput.toJSON(),
      tally: this.#tally,
    };
  }

  /** As stats.json has it. */
  summary(durationMs: number): JsonObject {
    const { done_count, failed_count, error_classes, throughput } = this.save();
    const records = done_count + failed_count;
    return {
      counts: { records, done: done_count, failed: failed_count },
      error_classes,
      records_per_s: durationMs === 0 ? 0 : Number(((records * 1_000) / durationMs).toPrecision(4)),
      latency_ms: this.#latency.summary(),
      throughput,
      ...(this.#tally !== null && { metrics: this.#tallying?.summary(this.#tally) ?? {} }),
    };
  }
}
