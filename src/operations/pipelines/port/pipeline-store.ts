import type { JsonObject } from "../../../engine/events/schema.ts";
import type { Page } from "../../../store/port/store.ts";

/**
 * running → completed, failed, cancelled (somebody ended it) or interrupted (whoever ran it is gone). All but completed
 * may be resumed: running again, as the same run.
 */
export const pipelineRunStatuses = ["running", "completed", "failed", "interrupted", "cancelled"] as const;
export type PipelineRunStatus = (typeof pipelineRunStatuses)[number];

/** `skipped`: nothing it depends on has changed, and what it made is still there. */
export const stepRunStatuses = [
  "running",
  "completed",
  "skipped",
  "failed",
  "interrupted",
  "cancelled",
] as const;
export type StepRunStatus = (typeof stepRunStatuses)[number];

export const pipelineTriggers = ["manual", "cron"] as const;

/** A file, or a folder as one, with what it held. */
export interface DigestedPath {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export type Metrics = Readonly<Record<string, number>>;

/** One time a pipeline ran. */
export interface PipelineRun {
  readonly run_id: string;
  readonly pipeline: string;
  /** The configuration file that declares it: another file's pipeline of the same name is another pipeline. */
  readonly file: string;
  readonly folder: string;
  readonly model: string;
  readonly status: PipelineRunStatus;
  readonly trigger: (typeof pipelineTriggers)[number];
  /** What made it run, the same for every try of one slot of a job; null for a run by hand. */
  readonly cause: string | null;
  readonly actor: string;
  /** No step was to be skipped. */
  readonly is_forced: boolean;
  /** Whoever runs it, or ran it last. */
  readonly owner: string;
  readonly intent_id: string;
  readonly data: DigestedPath | null;
  /** Of its model; null until it is done. */
  readonly version: number | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly reason: string | null;
}

export interface StoredPipelineRun extends PipelineRun {
  readonly seq: number;
}

/** A step of a run, as it went last. */
export interface StepRun {
  readonly run_id: string;
  readonly step: string;
  readonly status: StepRunStatus;
  /** SHA-256 of all it depends on. */
  readonly digest: string;
  /** How often its program was started. */
  readonly tries: number;
  readonly exit_code: number | null;
  readonly reason: string | null;
  readonly outputs: readonly DigestedPath[];
  readonly metrics: Metrics;
  /** Of one that was skipped: the run that made its outputs. */
  readonly made_by: string | null;
  readonly log_path: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

/** What a run has made, and of what. */
export interface ModelVersion {
  readonly model: string;
  readonly version: number;
  readonly run_id: string;
  /** SHA-256 of the data and outputs. */
  readonly digest: string;
  readonly metrics: Metrics;
  readonly lineage: JsonObject;
  readonly created_at: string;
  readonly created_by: string;
}

export type NewModelVersion = Omit<ModelVersion, "version">;

/** Which version stands for a model at a stage. */
export interface ModelStage {
  readonly model: string;
  readonly stage: string;
  readonly version: number;
  readonly promoted_at: string;
  readonly promoted_by: string;
  /** Who was asked; null when nobody was. */
  readonly approved_by: string | null;
  readonly approval_id: string | null;
}

export interface ModelSummary {
  readonly model: string;
  readonly versions: number;
  readonly latest: number;
  readonly created_at: string;
}

/** Throws SWARM_PIPELINE_BUSY when another run of the pipeline is under way. */
export interface PipelineRunStarted {
  readonly kind: "pipeline_run_started";
  readonly run: PipelineRun;
}

/** One that has ended goes on. Throws SWARM_PIPELINE_BUSY, or SWARM_PIPELINE_RUN_ENDED when it is completed or goes on already. */
export interface PipelineRunResumed {
  readonly kind: "pipeline_run_resumed";
  readonly run_id: string;
  readonly owner: string;
  readonly actor: string;
  readonly intent_id: string;
}

/** What follows throws SWARM_PIPELINE_RUN_LOST when the run is over, or another's. */
export interface PipelineSnapshot {
  readonly kind: "pipeline_snapshot";
  readonly run_id: string;
  readonly owner: string;
  readonly data: DigestedPath;
}

export interface PipelineStepSaved {
  readonly kind: "pipeline_step";
  readonly owner: string;
  readonly row: StepRun;
}

export interface PipelineRunEnded {
  readonly kind: "pipeline_run_ended";
  readonly run_id: string;
  readonly owner: string;
  readonly status: Exclude<PipelineRunStatus, "running">;
  readonly ended_at: string;
  readonly reason: string | null;
  /** The version it made, or the number of one that is just the same; null: none. */
  readonly version: NewModelVersion | number | null;
}

/** The version stands for the model at the stage, and no other does. Throws SWARM_MODEL_VERSION_UNKNOWN. */
export interface ModelPromoted {
  readonly kind: "model_promoted";
  readonly row: ModelStage;
}

export type PipelineChange =
  | PipelineRunStarted
  | PipelineRunResumed
  | PipelineSnapshot
  | PipelineStepSaved
  | PipelineRunEnded
  | ModelPromoted;

export interface PipelineRunQuery extends Page {
  readonly pipeline?: string | undefined;
  /** Only those of pipelines that this file declares. */
  readonly file?: string | undefined;
}

/** Runs of pipelines and the models they made. One suite (`pipeline-store.cases.ts`) holds for every driver. */
export interface PipelineStore {
  /** Newest first. */
  listRuns(query: PipelineRunQuery): Promise<StoredPipelineRun[]>;
  findRun(runId: string): Promise<StoredPipelineRun | null>;
  /** Those that run, or whose owner is gone. */
  openRuns(): Promise<StoredPipelineRun[]>;
  /** The newest that was made to run by this. */
  runOfCause(cause: string): Promise<StoredPipelineRun | null>;
  /** In the order they began. */
  stepsOf(runId: string): Promise<StepRun[]>;
  /** The newest of the pipeline that was completed with this digest. */
  completedStep(file: string, pipeline: string, step: string, digest: string): Promise<StepRun | null>;

  /** By name. */
  listModels(): Promise<ModelSummary[]>;
  /** Newest first; `beforeSeq` is a version. */
  listVersions(model: string, page: Page): Promise<ModelVersion[]>;
  findVersion(model: string, version: number): Promise<ModelVersion | null>;
  /** The newest with this digest. */
  versionOfDigest(model: string, digest: string): Promise<ModelVersion | null>;
  /** By stage; of all models when none is named. */
  listStages(model?: string): Promise<ModelStage[]>;
}
