import type { RunSpec } from "./run-spec.ts";
import type { ChunkEnd } from "./port/processor.ts";

/** Records whose work takes longer than this each are slow: saving ten of them costs less than doing one again. */
const slowMs = 10;
/** How much the newest records say of those to come: a quick one that a busy machine held up makes none of them slow. */
const newestShare = 1 / 8;
/** The part of `checkpoint_ms` after which slow records are saved; the disk has the rest to make them durable. */
const slowShare = 1 / 4;

/**
 * When finished records are to be saved. Quick ones: `checkpoint_ms` after the checkpoint before, as a checkpoint costs as
 * much as many of them. Slow ones: well within `checkpoint_ms`, or as soon as they are `checkpoint_records`.
 */
export class CheckpointPace {
  readonly #spec: Pick<RunSpec, "checkpoint_records" | "checkpoint_ms">;
  #savedAtMs: number;
  #firstAtMs: number | null = null;
  #records = 0;
  #meanMs = 0;

  constructor(spec: Pick<RunSpec, "checkpoint_records" | "checkpoint_ms">, nowMs: number) {
    this.#spec = spec;
    this.#savedAtMs = nowMs;
  }

  /** Some were written, or wait for their turn to be. */
  add({ doneCount, failedCount, latenciesMs }: ChunkEnd, nowMs: number): void {
    if (doneCount + failedCount === 0) return;
    this.#records += doneCount + failedCount;
    this.#firstAtMs ??= nowMs;
    if (latenciesMs.length === 0) return;
    const meanMs = latenciesMs.reduce((sum, ms) => sum + ms, 0) / latenciesMs.length;
    this.#meanMs += (meanMs - this.#meanMs) * (this.#meanMs === 0 ? 1 : newestShare);
  }

  /** All that were added are being saved. */
  begin(): void {
    this.#records = 0;
    this.#firstAtMs = null;
  }

  saved(nowMs: number): void {
    this.#savedAtMs = nowMs;
  }

  /** Null: there is nothing to save. */
  get dueAtMs(): number | null {
    const { checkpoint_records, checkpoint_ms } = this.#spec;
    if (this.#firstAtMs === null) return null;
    if (this.#meanMs <= slowMs) return this.#savedAtMs + checkpoint_ms;
    return this.#firstAtMs + (this.#records < checkpoint_records ? checkpoint_ms * slowShare : 0);
  }
}
