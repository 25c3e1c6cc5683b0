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
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteDriftMarkStore } from "./drift-mark-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Batch runs in the store's file. */
export class SqliteBatchStore implements BatchStore {
  readonly changes: ChangeWriters<BatchChange> = {
    batch_run_added: ({ run }) => {
      // As long as files of one of this id are being removed, those of another would be.
      const isForgotten = this.#sql.isForgotten.one({ run_id: run.run_id }) !== null;
      if (isForgotten || this.#sql.insert.run(columnsOf(run)) === 0)
        throw new SwarmError("SWARM_BATCH_RUN_TAKEN", { runId: run.run_id });
    },
    batch_run_waits: (change) =>
      changedOne(change.run_id, this.#sql.wait.run({ ...change, owner: textOf(change.owner) })),
    batch_run_begun: (change) =>
      changedOne(change.run_id, this.#sql.begin.run({ ...change, owner: textOf(change.owner) })),
    batch_run_progressed: ({ run_id, leg, progress }) =>
      changedOne(run_id, this.#sql.progress.run({ run_id, leg, ...whole(progress) })),
    batch_run_ended: ({ progress, ...change }) =>
      changedOne(
        change.run_id,
        this.#sql.end.run({ ...change, owner: textOf(change.owner), ...whole(progress) }),
      ),
    batch_run_removed: ({ run_id }) => {
      changedOne(run_id, this.#sql.remove.run({ run_id }));
      // Another run may have its id one day.
      this.#marks.forget("batch", run_id);
    },
  };
  readonly #sql: Statements<typeof batchStatements>;
  readonly #marks: SqliteDriftMarkStore;

  constructor(file: SqliteFile, marks: SqliteDriftMarkStore) {
    this.#marks = marks;
    this.#sql = file.statements(batchStatements);
  }

  async list({ limit, beforeSeq = Number.MAX_SAFE_INTEGER, state }: BatchQuery): Promise<StoredBatchRun[]> {
    const { list, listOfState } = this.#sql;
    const page = { before_seq: beforeSeq, limit };
    const rows =
      state === undefined ? list.all<BatchRow>(page) : listOfState.all<BatchRow>({ ...page, state });
    return rows.map(batchRunOf);
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

function changedOne(runId: string, count: number): void {
  if (count === 0) throw new SwarmError("SWARM_BATCH_RUN_LOST", { runId });
}
