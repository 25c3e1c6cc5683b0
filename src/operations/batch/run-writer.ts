import { join } from "node:path";
import type { Clock, Timer } from "../../base/clock.ts";
import type { SavedCheckpoint } from "./checkpoint-file.ts";
import { CheckpointPace } from "./checkpoint-pace.ts";
import { DoneRanges, type Range } from "./done-ranges.ts";
import { EarlyFile } from "./early-file.ts";
import { type Finished, sizeOf } from "./finished.ts";
import type { Fingerprint } from "./input-file.ts";
import { OutputFile } from "./output-file.ts";
import type { Piece } from "./piece-reader.ts";
import { ResultOrder } from "./result-order.ts";
import { folderProblem, writeRunFile } from "./run-folder.ts";
import { type RunSpec, runFiles } from "./run-spec.ts";
import type { RunTotals } from "./run-totals.ts";

export interface RunWriterOptions {
  readonly spec: RunSpec;
  readonly clock: Clock;
  readonly totals: RunTotals;
  readonly input: Fingerprint;
  /** The one it goes on from. */
  readonly from: SavedCheckpoint | null;
  readonly onCheckpoint: (checkpoint: SavedCheckpoint) => void;
  /** A piece whose results are written: nobody needs its lines any more. */
  readonly release: (piece: Piece) => void;
}

type Files = readonly [results: OutputFile, errors: OutputFile, ids: OutputFile];

/**
 * Writes what chunks came to, each in its turn. Rows are appended first; a checkpoint counts only what was written whole
 * when it began, and what waits for its turn, makes that durable, and then takes the place of the one before by a rename.
 * Writing goes on meanwhile.
 */
export class RunWriter {
  readonly #options: RunWriterOptions;
  readonly #files: Files;
  readonly #done: DoneRanges;
  /** Null: results are written as they come. */
  readonly #order: ResultOrder | null;
  readonly #early: EarlyFile;
  readonly #pace: CheckpointPace;
  /** Lengths of the files when all three held the same chunks. */
  #whole: readonly number[];
  readonly #leg: number;
  readonly #startedAt: string;
  readonly #startedMs: number;
  readonly #earlierMs: number;
  #queue: Finished[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> | null = null;
  #checkpointing: Promise<void> | null = null;
  #timer: Timer | null = null;
  #problem: Error | null = null;
  /** Called when chunks were written, and when nothing can be written any more. */
  onChange: () => void = () => undefined;
  #isSealed = false;
  #isClosed = false;

  private constructor(options: RunWriterOptions, files: Files) {
    const { spec, from, clock } = options;
    this.#options = options;
    this.#files = files;
    this.#whole = files.map(({ length }) => length);
    this.#done = new DoneRanges(from?.input_bytes, from?.input_lines, from?.beyond);
    this.#leg = (from?.leg ?? 0) + 1;
    this.#startedAt = from?.started_at ?? new Date(clock.now()).toISOString();
    this.#startedMs = clock.monotonicMs();
    this.#order = spec.order === "record" ? new ResultOrder(this.#done.bytes) : null;
    this.#early = new EarlyFile(spec.output, from?.early ?? null);
    this.#pace = new CheckpointPace(spec, this.#startedMs);
    this.#earlierMs = from?.duration_ms ?? 0;
  }

  /** Cuts off what no checkpoint vouches for. */
  static async open(options: RunWriterOptions): Promise<RunWriter> {
    const { spec, from } = options;
    const opened: OutputFile[] = [];
    const openOne = async (file: string, length = 0) => {
      const output = await OutputFile.open(join(spec.output, file), length);
      opened.push(output);
      return output;
    };
    try {
      return new RunWriter(options, [
        await openOne(runFiles.results, from?.results_bytes),
        await openOne(runFiles.errors, from?.errors_bytes),
        await openOne(runFiles.ids, from?.ids_bytes),
      ]);
    } catch (error) {
      for (const output of opened) await output.close();
      throw folderProblem(spec.output, error);
    }
  }

  /** Why nothing can be written any more. */
  get problem(): Error | null {
    return this.#problem;
  }

  /** Of what waits for its turn or for the disk. */
  get waitingBytes(): number {
    return this.#queuedBytes + (this.#order?.earlyBytes ?? 0);
  }

  /** How many wait for one before them. */
  get earlyCount(): number {
    return this.#order?.earlyCount ?? 0;
  }

  get done(): { readonly bytes: number; readonly lines: number; readonly beyond: readonly Range[] } {
    return this.#done;
  }

  /** Milliseconds over all legs. */
  get durationMs(): number {
    return Math.round(this.#earlierMs + this.#options.clock.monotonicMs() - this.#startedMs);
  }

  /** Takes nothing more: what comes late would be behind the last checkpoint, and be done again anyway. */
  seal(): void {
    this.#isSealed = true;
  }

  add(finished: Finished): void {
    if (this.#isSealed || this.#problem !== null) return;
    const due = this.#order?.add(finished) ?? [finished];
    if (due.length === 0) {
      this.#pace.add(finished.end, this.#options.clock.monotonicMs());
      this.#checkpointIfDue();
      return;
    }
    this.#queue.push(...due);
    this.#queuedBytes += due.reduce((sum, one) => sum + sizeOf(one), 0);
    this.#writing ??= this.#writeOn();
  }

  /** Everything that was added is written. */
  async drain(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    if (this.#problem !== null) throw this.#problem;
  }

  /** Everything that was written is durable, and a checkpoint says so. */
  async checkpoint(isCompleted = false): Promise<SavedCheckpoint> {
    await this.drain();
    while (this.#checkpointing !== null) await this.#checkpointing;
    this.#timer?.close();
    if (this.#problem !== null) throw this.#problem;
    return this.#save(isCompleted);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.close();
    await this.#writing;
    await this.#checkpointing;
    for (const file of this.#files) await file.close();
    await this.#early.close();
  }

  async #writeOn(): Promise<void> {
    try {
      while (this.#queue.length > 0 && this.#problem === null) {
        await this.#write(this.#queue.splice(0));
        this.#checkpointIfDue();
        this.onChange();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#writing = null;
    }
  }

  async #write(finished: readonly Finished[]): Promise<void> {
    const [results, errors, ids] = this.#files;
    await results.append(finished.map(({ end }) => end.results));
    await errors.append(finished.map(({ end }) => end.errors));
    await ids.append(finished.flatMap((one) => one.ids));
    // From here on without a break: a checkpoint is of before or of after.
    this.#whole = this.#files.map(({ length }) => length);
    const [atMs, nowMs] = [this.durationMs, this.#options.clock.monotonicMs()];
    for (const one of finished) {
      const { piece, end } = one;
      this.#done.add(one);
      this.#options.totals.add(end, atMs);
      this.#pace.add(end, nowMs);
      this.#queuedBytes -= sizeOf(one);
      for (const written of [end.results, end.errors, end.idHashes]) free(written);
      if (piece !== null) this.#options.release(piece);
    }
  }

  #checkpointIfDue(): void {
    const isOver = this.#isClosed || this.#problem !== null;
    const { dueAtMs } = this.#pace;
    if (isOver || this.#checkpointing !== null || dueAtMs === null) return;
    const waitMs = dueAtMs - this.#options.clock.monotonicMs();
    this.#timer?.close();
    this.#timer = null;
    if (waitMs > 0) {
      this.#timer = this.#options.clock.setTimer(() => this.#checkpointIfDue(), Math.ceil(waitMs));
      return;
    }
    this.#checkpointing = this.#save(false)
      .then(
        () => undefined,
        (error: unknown) => this.#fail(error),
      )
      .finally(() => {
        this.#checkpointing = null;
        this.#checkpointIfDue();
      });
  }

  async #save(isCompleted: boolean): Promise<SavedCheckpoint> {
    const { spec, clock, onCheckpoint } = this.#options;
    // All of it is read in one turn: it is one moment of the run.
    const now = this.snapshot(isCompleted);
    const text = JSON.stringify(now).slice(0, -1);
    const saving = this.#early.save(this.#order?.early ?? [], now.input_bytes);
    this.#pace.begin();
    try {
      const [early] = await Promise.all([saving, ...this.#files.map((file) => file.sync())]);
      await writeRunFile(spec, "checkpoint", `${text},"early":${JSON.stringify(early)}}\n`);
      this.#pace.saved(clock.monotonicMs());
      const saved = { ...now, early };
      onCheckpoint(saved);
      return saved;
    } catch (error) {
      throw folderProblem(spec.output, error);
    }
  }

  /** How far it has come, durable or not. */
  snapshot(isCompleted: boolean): Omit<SavedCheckpoint, "early"> {
    const { spec, clock, totals, input } = this.#options;
    const [results = 0, errors = 0, ids = 0] = this.#whole;
    return {
      format: 1,
      run_id: spec.run_id,
      leg: this.#leg,
      input_bytes: this.#done.bytes,
      input_lines: this.#done.lines,
      results_bytes: results,
      errors_bytes: errors,
      done_count: totals.doneCount,
      failed_count: totals.failedCount,
      duration_ms: this.durationMs,
      at: new Date(clock.now()).toISOString(),
      is_completed: isCompleted,
      ids_bytes: ids,
      beyond: this.#done.beyond,
      input,
      started_at: this.#startedAt,
      totals: totals.save(),
    };
  }

  #fail(error: unknown): void {
    if (this.#problem !== null) return;
    this.#problem = folderProblem(this.#options.spec.output, error);
    this.onChange();
  }
}

/**
 * Gives memory back at once. V8 looks at how much is outside its heap only every 64 MB or so: without this a run takes twice
 * the memory. What shares its memory with something else is left alone.
 */
function free({ buffer, byteLength }: Uint8Array | Uint32Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength > 0) buffer.transfer(0);
}
