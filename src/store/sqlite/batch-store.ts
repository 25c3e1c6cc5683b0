import { SwarmError } from "../../base/errors.ts";
import type { ProcessIdentity } from "../../base/process-identity.ts";
import {
  type BatchProgress,
  type BatchRun,
  progressIn,
  type StoredBatchRun,
} from "../../operations/batch/port/batch-run.ts";
import type { BatchChange, BatchQuery, BatchStore } from "../../operations/batch/port/batch-store.ts";
import { batchStatements } from "../sql/batch.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Batch runs in the store's file. */
export class SqliteBatchStore implements BatchStore {
  readonly #sql: Statements<typeof batchStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(batchStatements);
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
    return this.#sql.list.all<BatchRow>(query).map(batchRunOf);
  }

  async find(runId: string): Promise<StoredBatchRun | null> {
    const row = this.#sql.find.one<BatchRow>({ run_id: runId });
    return row === null ? null : batchRunOf(row);
  }

  async open(): Promise<StoredBatchRun[]> {
    return this.#sql.open.all<BatchRow>().map(batchRunOf);
  }

  async setRunner(runId: string, leg: number, runner: ProcessIdentity): Promise<boolean> {
    return this.#sql.setRunner.run({ run_id: runId, leg, runner: textOf(runner) }) === 1;
  }

  async takeOver(runId: string, from: ProcessIdentity, to: ProcessIdentity): Promise<boolean> {
    return this.#sql.takeOver.run({ run_id: runId, from: textOf(from), to: textOf(to) }) === 1;
  }

  /** How many rows it changed: one, or none when the run is not as it has to be. */
  #write(change: BatchChange): number {
    switch (change.kind) {
      case "batch_run_added":
        // As long as files of one of this id are being removed, those of another would be.
        if (this.#sql.isForgotten.one({ run_id: change.run.run_id }) !== null) return 0;
        return this.#sql.insert.run(columnsOf(change.run));
      case "batch_run_begun":
        return this.#sql.begin.run({ ...change, owner: textOf(change.owner) });
      case "batch_run_waits":
        return this.#sql.wait.run({ ...change, owner: textOf(change.owner) });
      case "batch_run_progressed":
        return this.#sql.progress.run({ ...change, ...whole(change.progress) });
      case "batch_run_ended":
        return this.#sql.end.run({ ...change, owner: textOf(change.owner), ...whole(change.progress) });
      case "batch_run_removed":
        return this.#sql.remove.run(change);
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

function columnsOf(run: BatchRun) {
  const runner = run.runner === null ? null : textOf(run.runner);
  return { ...run, spec: JSON.stringify(run.spec), owner: textOf(run.owner), runner, ...whole(run) };
}

/** Its column holds whole milliseconds. */
function whole(progress: BatchProgress): BatchProgress {
  return { ...progressIn(progress), duration_ms: Math.round(progress.duration_ms) };
}
