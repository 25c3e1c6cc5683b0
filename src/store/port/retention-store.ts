import type { StoredBatchRun } from "../../operations/batch/port/batch-run.ts";
import type { StoredPipelineRun } from "../../operations/pipelines/port/pipeline-store.ts";

/** Work whose files are to be removed. Its id is that of the run or check, and the name of its folder. */
export interface Forgotten {
  readonly kind: "batch" | "pipeline" | "drift";
  readonly id: string;
  /** Of a batch run whose records were written to its folder: the file they are in. */
  readonly input: string | null;
  /** The row of the record that announces it. */
  readonly intent_id: string;
}

/**
 * Runs are forgotten, and what their files are is kept until those are removed: their ids are taken as long. A run that is
 * not due, any more or again, is SWARM_BATCH_RUN_LOST or SWARM_PIPELINE_RUN_LOST, one whose files are being removed
 * SWARM_FILES_REMOVED, and nothing is forgotten.
 */
export interface RunsForgotten {
  readonly kind: "runs_forgotten";
  readonly ended_before: string;
  readonly batch: readonly string[];
  readonly pipeline: readonly string[];
  readonly files: readonly Forgotten[];
}

/** All that an intent has announced is removed. SWARM_FILES_REMOVED: somebody else has said so before. */
export interface FilesRemoved {
  readonly kind: "files_removed";
  readonly intent_id: string;
}

export type RetentionChange = RunsForgotten | FilesRemoved;

/**
 * What may be forgotten, and what was without its files being removed yet. One suite (`retention-store.cases.ts`) holds for
 * every driver.
 *
 * Due is a run that was over before a time, however it ended, unless something refers to it: a baseline to the run or a file in its
 * folder; a model's version to a pipeline run that made it, or a file in a batch run's folder that it was made of; another pipeline run
 * to what this one has made.
 */
export interface RetentionStore {
  /** Oldest first. */
  dueBatchRuns(endedBefore: string, limit: number): Promise<StoredBatchRun[]>;
  duePipelineRuns(endedBefore: string, limit: number): Promise<StoredPipelineRun[]>;
  /** Ids of the drift checks that marks of runs name. */
  namedChecks(): Promise<ReadonlySet<string>>;
  /** Forgotten, and not known to be removed; oldest first. */
  unremoved(): Promise<Forgotten[]>;
}
