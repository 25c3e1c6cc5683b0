import { SwarmError } from "../../base/errors.ts";
import type { StoredBatchRun } from "../../operations/batch/port/batch-run.ts";
import type { StoredPipelineRun } from "../../operations/pipelines/port/pipeline-store.ts";
import type { Forgotten, RetentionChange, RetentionStore, RunsForgotten } from "../port/retention-store.ts";
import { type BatchRow, batchRunOf } from "./batch-store.ts";
import type { SqliteDriftMarkStore } from "./drift-mark-store.ts";
import { type PipelineRow, pipelineRunOf } from "./pipeline-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteRetentionStore implements RetentionStore {
  readonly #file: SqliteFile;
  readonly #marks: SqliteDriftMarkStore;

  constructor(file: SqliteFile, marks: SqliteDriftMarkStore) {
    this.#file = file;
    this.#marks = marks;
  }

  /** Part of a transaction that is under way. */
  apply(change: RetentionChange): void {
    if (change.kind === "runs_forgotten") this.#forget(change);
    else if (this.#file.run("files-removed", change.intent_id) === 0)
      throw new SwarmError("SWARM_FILES_REMOVED", { kind: "intent", id: change.intent_id });
  }

  async dueBatchRuns(endedBefore: string, limit: number): Promise<StoredBatchRun[]> {
    return this.#due<BatchRow>("due-batch-runs", endedBefore, null, limit).map(batchRunOf);
  }

  async duePipelineRuns(endedBefore: string, limit: number): Promise<StoredPipelineRun[]> {
    return this.#due<PipelineRow>("due-pipeline-runs", endedBefore, null, limit).map(pipelineRunOf);
  }

  async namedChecks(): Promise<ReadonlySet<string>> {
    const rows = this.#file.all<{ check_id: string }>("named-drift-checks");
    return new Set(rows.map(({ check_id }) => check_id));
  }

  async unremoved(): Promise<Forgotten[]> {
    return this.#file.all<Forgotten>("list-forgotten");
  }

  #forget({ ended_before, batch, pipeline, files }: RunsForgotten): void {
    const isDue = (statement: string, ids: readonly string[]) => {
      const due = this.#due<{ run_id: string }>(statement, ended_before, ids, ids.length);
      const found = new Set(due.map(({ run_id }) => run_id));
      return ids.find((id) => !found.has(id));
    };
    const runId = isDue("due-batch-runs", batch);
    if (runId !== undefined) throw new SwarmError("SWARM_BATCH_RUN_LOST", { runId });
    const run = isDue("due-pipeline-runs", pipeline);
    if (run !== undefined) throw new SwarmError("SWARM_PIPELINE_RUN_LOST", { run });
    for (const id of batch) {
      this.#file.run("remove-batch-run", id);
      this.#marks.forget("batch", id);
    }
    for (const id of pipeline) {
      this.#file.run("remove-pipeline-steps", id);
      this.#file.run("remove-pipeline-run", id);
      this.#marks.forget("pipeline", id);
    }
    for (const { kind, id, input, intent_id } of files)
      if (this.#file.run("insert-forgotten", kind, id, input, intent_id) === 0)
        throw new SwarmError("SWARM_FILES_REMOVED", { kind, id });
  }

  /** Of these runs, or of all of them. */
  #due<Row>(statement: string, ended_before: string, ids: readonly string[] | null, limit: number): Row[] {
    const only = ids === null ? null : JSON.stringify(ids);
    return this.#file.all<Row>(statement, { ended_before, ids: only, limit });
  }
}
