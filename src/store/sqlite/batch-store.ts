import type { SQLInputValue } from "node:sqlite";
import { SwarmError } from "../../base/errors.ts";
import type { ProcessIdentity } from "../../base/process-identity.ts";
import type { BatchProgress, BatchRun, StoredBatchRun } from "../../operations/batch/port/batch-run.ts";
import type { BatchChange, BatchQuery, BatchStore } from "../../operations/batch/port/batch-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Batch runs in the store's file. */
export class SqliteBatchStore implements BatchStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Part of a transaction that is under way. */
  apply(change: BatchChange): void {
    if (this.#write(change) === 1) return;
    if (change.kind === "batch_run_added")
      throw new SwarmError("SWARM_BATCH_RUN_TAKEN", { runId: change.run.run_id });
    throw new SwarmError("SWARM_BATCH_RUN_LOST", { runId: change.run_id });
  }

  async list({ limit, beforeSeq = Number.MAX_SAFE_INTEGER, state }: BatchQuery): Promise<StoredBatchRun[]> {
    const query = { before_seq: beforeSeq, state: state ?? null, limit };
    return this.#file.all<BatchRow>("list-batch-runs", query).map(batchRunOf);
  }

  async find(runId: string): Promise<StoredBatchRun | null> {
    const row = this.#file.one<BatchRow>("find-batch-run", runId);
    return row === null ? null : batchRunOf(row);
  }

  async open(): Promise<StoredBatchRun[]> {
    return this.#file.all<BatchRow>("open-batch-runs").map(batchRunOf);
  }

  async setRunner(runId: string, leg: number, runner: ProcessIdentity): Promise<boolean> {
    return this.#file.run("set-batch-runner", textOf(runner), runId, leg) === 1;
  }

  async takeOver(runId: string, from: ProcessIdentity, to: ProcessIdentity): Promise<boolean> {
    return this.#file.run("take-over-batch-run", textOf(to), runId, textOf(from)) === 1;
  }

  /** How many rows it changed: one, or none when the run is not as it has to be. */
  #write(change: BatchChange): number {
    switch (change.kind) {
      case "batch_run_added":
        // As long as files of one of this id are being removed, those of another would be.
        if (this.#file.one("is-batch-run-forgotten", change.run.run_id) !== null) return 0;
        return this.#file.run("insert-batch-run", ...runValues(change.run));
      case "batch_run_begun": {
        const { run_id, after_leg, from, owner, intent_id, started_at } = change;
        return this.#file.run(
          "begin-batch-run",
          textOf(owner),
          intent_id,
          started_at,
          run_id,
          after_leg,
          from,
        );
      }
      case "batch_run_waits": {
        const { run_id, after_leg, from, owner, reason } = change;
        return this.#file.run("wait-batch-run", textOf(owner), reason, run_id, after_leg, from);
      }
      case "batch_run_progressed":
        return this.#file.run(
          "progress-batch-run",
          ...progressValues(change.progress),
          change.run_id,
          change.leg,
        );
      case "batch_run_ended": {
        const { run_id, leg, owner, state, reason, ended_at, progress } = change;
        const values = [state, reason, ended_at, ...progressValues(progress)];
        return this.#file.run("end-batch-run", ...values, run_id, leg, textOf(owner));
      }
      case "batch_run_removed":
        return this.#file.run("remove-batch-run", change.run_id);
    }
  }
}

/** As SQLite has them: no objects. */
export type BatchRow = Omit<StoredBatchRun, "spec" | "owner" | "runner"> & {
  readonly spec: string;
  readonly owner: string;
  readonly runner: string | null;
};

export function batchRunOf(row: BatchRow): StoredBatchRun {
  return {
    ...row,
    spec: JSON.parse(row.spec) as StoredBatchRun["spec"],
    owner: JSON.parse(row.owner) as ProcessIdentity,
    runner: row.runner === null ? null : (JSON.parse(row.runner) as ProcessIdentity),
  };
}

/** The same process is the same text, so that it can be compared. */
function textOf({ place, pid, born }: ProcessIdentity): string {
  return JSON.stringify({ place, pid, born });
}

function runValues(run: BatchRun): SQLInputValue[] {
  const { run_id, name, processor, state, reason, spec, leg, owner, runner, intent_id } = run;
  const { created_at, created_by, started_at, ended_at } = run;
  return [
    ...[run_id, name, processor, state, reason, JSON.stringify(spec), leg, textOf(owner)],
    ...[runner === null ? null : textOf(runner), intent_id, created_at, created_by, started_at, ended_at],
    ...progressValues(run),
  ];
}

function progressValues(progress: BatchProgress): SQLInputValue[] {
  const { done_count, failed_count, input_bytes, input_size } = progress;
  const { results_bytes, errors_bytes, duration_ms } = progress;
  return [
    ...[done_count, failed_count, input_bytes, input_size],
    ...[results_bytes, errors_bytes, Math.round(duration_ms)],
  ];
}
