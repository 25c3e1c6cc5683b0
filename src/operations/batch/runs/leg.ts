import type { Clock } from "../../../base/clock.ts";
import type { Log } from "../../../base/log.ts";
import { persistently } from "../../../base/persistently.ts";
import { oneLine } from "../../../base/show.ts";
import type { ReportEnd } from "../../../record/port/audit.ts";
import { type BatchProgress, type BatchRun, type BatchState, isDone, progressIn } from "../port/batch-run.ts";
import type { RunEnd } from "../run-batch.ts";
import { type Checkpoint, type RunnerMessage, type RunSpec, runFiles } from "../run-spec.ts";
import type { RunningBatch } from "../start-run.ts";
import type { BatchEvents } from "./events.ts";
import { digestsOf, progressOf, toldBy } from "./run-files.ts";

export interface LegOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: BatchEvents;
}

/** Between two events of a run; longer as it goes on, so that a run of an hour is 300 rows and not 3,600. */
const minEveryMs = 1_000;
const shareOfDuration = 1 / 60;

/** One leg of a run that this process follows: what the runner tells, until it ends. */
export class Leg {
  readonly run: BatchRun;
  readonly spec: RunSpec;
  readonly #options: LegOptions;
  readonly #report: ReportEnd;
  readonly #listeners = new Set<() => void>();
  readonly #cutOff = new AbortController();
  #process: RunningBatch | null = null;
  #checkpoints = 0;
  #progress: BatchProgress;
  #toldAtMs: number;
  #telling: Promise<void> | null = null;
  /** Why it was asked to stop. */
  #stop: { readonly state: "cancelled" | "interrupted"; readonly reason: string } | null = null;

  constructor(run: BatchRun, spec: RunSpec, report: ReportEnd, options: LegOptions) {
    this.run = run;
    this.spec = spec;
    this.#report = report;
    this.#options = options;
    this.#progress = progressIn(run);
    this.#toldAtMs = options.clock.monotonicMs();
  }

  get progress(): BatchProgress {
    return this.#progress;
  }

  /** How many checkpoints this leg has made. */
  get checkpoints(): number {
    return this.#checkpoints;
  }

  /** Calls the listener at each checkpoint and at the end; returns how to stop that. */
  onProgress(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** What the runner tells. */
  hear(message: RunnerMessage): void {
    if (message.type !== "checkpoint") return;
    this.#checkpoints++;
    this.#progress = toldBy(message.checkpoint, message.input_size ?? this.#progress.input_size);
    this.#tellListeners();
    const nowMs = this.#options.clock.monotonicMs();
    const everyMs = Math.max(minEveryMs, this.#progress.duration_ms * shareOfDuration);
    if (this.#telling !== null || nowMs - this.#toldAtMs < everyMs) return;
    this.#toldAtMs = nowMs;
    this.#telling = this.#tellHooks().finally(() => {
      this.#telling = null;
    });
  }

  stop(state: "cancelled" | "interrupted", reason: string): void {
    this.#stop ??= { state, reason };
    this.#process?.stop();
  }

  /** Ends the runner at once; what cannot be written now is left to whoever comes next. */
  abort(): void {
    this.#stop ??= { state: "interrupted", reason: "the daemon stopped" };
    this.#cutOff.abort();
    this.#process?.kill();
  }

  /** Follows the process to its end, and records that. */
  async follow(process: RunningBatch): Promise<void> {
    this.#process = process;
    if (this.#stop !== null) process.stop();
    const end = await process.ended;
    await this.#telling;
    await this.#end(end);
  }

  /** There is no process: it could not even be started. */
  async failed({ message }: Error): Promise<void> {
    await this.#end({ type: "failed", checkpoint: null, code: "SWARM_INTERNAL", message });
  }

  async #end(end: RunEnd): Promise<void> {
    const { clock, log, events } = this.#options;
    const { run, spec } = this;
    const { state, reason } = this.#stateAfter(end);
    const { checkpoint } = end;
    const size = this.#progress.input_size;
    this.#progress =
      (checkpoint === null ? progressOf(spec, size) : toldBy(checkpoint, size)) ?? this.#progress;
    const progress = this.#progress;
    // Whoever stops has no time for gigabytes; the next leg's end has the digests of all.
    const digests = state === "interrupted" ? {} : await digestsOf(spec, progress);
    const { done_count, failed_count, results_bytes, errors_bytes } = progress;
    const counts = { done_count, failed_count, results_bytes, errors_bytes };
    const after = JSON.stringify({ state, leg: run.leg, ...counts, ...digests });
    const ended_at = new Date(clock.now()).toISOString();
    const { run_id, leg, owner } = run;
    const kind = "batch_run_ended";
    const change = { kind, run_id, leg, owner, state, reason, ended_at, progress } as const;
    const outcome = isDone(state) ? "completed" : "failed";
    const ms = progress.duration_ms - run.duration_ms;
    const isWritten = await persistently(() => this.#report({ outcome, reason, ms, after }, change), {
      clock,
      signal: this.#cutOff.signal,
      onProblem: (error) => log.warn(`batch run ${run_id}: ${error.message}`, { run_id }),
    });
    this.#tellListeners();
    if (!isWritten) return;
    if (end.type === "completed") await events.completed(spec, state, progress, end.stats);
    else await events.failed(spec, progress, reason ?? state);
  }

  #stateAfter(end: RunEnd): { readonly state: BatchState; readonly reason: string | null } {
    switch (end.type) {
      case "completed":
        return endOfAll(end.checkpoint);
      case "failed":
        if (end.code !== "SWARM_BATCH_RUNNER_LOST")
          return { state: "failed", reason: oneLine(end.message, 1_000) };
        return this.#stop ?? { state: "interrupted", reason: oneLine(end.message, 1_000) };
      case "stopped":
        return this.#stop ?? { state: "cancelled", reason: "its process was asked to stop" };
    }
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  async #tellHooks(): Promise<void> {
    const { run_id, leg } = this.run;
    const progress = this.#progress;
    const change = { kind: "batch_run_progressed", run_id, leg, progress } as const;
    await this.#options.events.checkpoint(this.spec, progress, change);
  }
}

function endOfAll({ done_count, failed_count }: Checkpoint): {
  readonly state: BatchState;
  readonly reason: string | null;
} {
  if (failed_count === 0) return { state: "completed", reason: null };
  const reason = `${failed_count} of ${done_count + failed_count} records failed, see ${runFiles.errors}`;
  return { state: "completed_with_errors", reason };
}
