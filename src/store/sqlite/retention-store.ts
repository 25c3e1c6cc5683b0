import { SwarmError } from "../../base/errors.ts";
import type { StoredBatchRun } from "../../operations/batch/port/batch-run.ts";
import type { StoredPipelineRun } from "../../operations/pipelines/port/pipeline-store.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Forgotten, RetentionChange, RetentionStore, RunsForgotten } from "../port/retention-store.ts";
import { type BatchRow, batchRunOf } from "./batch-store.ts";
import type { SqliteDriftMarkStore } from "./drift-mark-store.ts";
import { type PipelineRow, pipelineRunOf } from "./pipeline-store.ts";
import { retentionStatements } from "../sql/retention.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";
import { sqliteRetention } from "./statements.ts";

const statements = { ...retentionStatements, ...sqliteRetention };
type Due = Statements<typeof statements>[keyof typeof sqliteRetention];

export class SqliteRetentionStore implements RetentionStore {
  readonly changes: ChangeWriters<RetentionChange> = {
    runs_forgotten: (change) => this.#forget(change),
    files_removed: ({ intent_id }) => {
      if (this.#sql.filesRemoved.run({ intent_id }) === 0)
        throw new SwarmError("SWARM_FILES_REMOVED", { kind: "intent", id: intent_id });
    },
  };
  readonly #sql: Statements<typeof statements>;
  readonly #marks: SqliteDriftMarkStore;

  constructor(file: SqliteFile, marks: SqliteDriftMarkStore) {
    this.#sql = file.statements(statements);
    this.#marks = marks;
  }

  async dueBatchRuns(endedBefore: string, limit: number): Promise<StoredBatchRun[]> {
    return due<BatchRow>(this.#sql.dueBatchRuns, endedBefore, null, limit).map(batchRunOf);
  }

  async duePipelineRuns(endedBefore: string, limit: number): Promise<StoredPipelineRun[]> {
    return due<PipelineRow>(this.#sql.duePipelineRuns, endedBefore, null, limit).map(pipelineRunOf);
  }

  async namedChecks(): Promise<ReadonlySet<string>> {
    const rows = this.#sql.namedChecks.all<{ check_id: string }>();
    return new Set(rows.map(({ check_id }) => check_id));
  }

  async unremoved(): Promise<Forgotten[]> {
    return this.#sql.listForgotten.all<Forgotten>();
  }

  #forget({ ended_before, batch, pipeline, files }: RunsForgotten): void {
    const firstNotDue = (statement: Due, ids: readonly string[]) => {
      const found = due<{ run_id: string }>(statement, ended_before, ids, ids.length);
      const runs = new Set(found.map(({ run_id }) => run_id));
      return ids.find((id) => !runs.has(id));
    };
    const runId = firstNotDue(this.#sql.dueBatchRuns, batch);
    if (runId !== undefined) throw new SwarmError("SWARM_BATCH_RUN_LOST", { runId });
    const run = firstNotDue(this.#sql.duePipelineRuns, pipeline);
    if (run !== undefined) throw new SwarmError("SWARM_PIPELINE_RUN_LOST", { run });
    for (const id of batch) {
      this.#sql.removeBatchRun.run({ run_id: id });
      this.#marks.forget("batch", id);
    }
    for (const id of pipeline) {
      this.#sql.removePipelineSteps.run({ run_id: id });
      this.#sql.removePipelineRun.run({ run_id: id });
      this.#marks.forget("pipeline", id);
    }
    for (const forgotten of files)
      if (this.#sql.insertForgotten.run(forgotten) === 0)
        throw new SwarmError("SWARM_FILES_REMOVED", { kind: forgotten.kind, id: forgotten.id });
  }
}

/** Of these runs, or of all of them. */
function due<Row>(statement: Due, ended_before: string, ids: readonly string[] | null, limit: number): Row[] {
  return statement.all<Row>({ ended_before, ids: ids === null ? null : JSON.stringify(ids), limit });
}
