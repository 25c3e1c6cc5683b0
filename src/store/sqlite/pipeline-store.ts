import { SwarmError } from "../../base/errors.ts";
import type {
  ModelStage,
  ModelSummary,
  ModelVersion,
  NewModelVersion,
  PipelineChange,
  PipelineRun,
  PipelineRunEnded,
  PipelineRunQuery,
  PipelineRunResumed,
  PipelineStore,
  StepRun,
  StoredPipelineRun,
} from "../../operations/pipelines/port/pipeline-store.ts";
import type { ChangeWriters, Page } from "../port/store.ts";
import { pipelineStatements } from "../sql/pipelines.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Runs of pipelines and models in the store's file. */
export class SqlitePipelineStore implements PipelineStore {
  readonly changes: ChangeWriters<PipelineChange> = {
    pipeline_run_started: ({ run }) => this.#start(run),
    pipeline_run_resumed: (change) => this.#resume(change),
    pipeline_snapshot: ({ run_id, owner, data }) => {
      if (this.#sql.saveSnapshot.run({ run_id, owner, data: JSON.stringify(data) }) === 0) throw lost(run_id);
    },
    pipeline_step: ({ row, owner }) => this.#saveStep(row, owner),
    pipeline_run_ended: (change) => this.#end(change),
    model_promoted: ({ row }) => {
      const { model, version } = row;
      if (this.#sql.promote.run(row) === 0)
        throw new SwarmError("SWARM_MODEL_VERSION_UNKNOWN", { model, version });
    },
  };
  readonly #sql: Statements<typeof pipelineStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(pipelineStatements);
  }

  async listRuns(query: PipelineRunQuery): Promise<StoredPipelineRun[]> {
    const { limit, beforeSeq: before_seq = Number.MAX_SAFE_INTEGER, pipeline, file = null } = query;
    const { listRuns, listRunsOf } = this.#sql;
    const page = { before_seq, file, limit };
    const rows =
      pipeline === undefined
        ? listRuns.all<PipelineRow>(page)
        : listRunsOf.all<PipelineRow>({ ...page, pipeline });
    return rows.map(pipelineRunOf);
  }

  async findRun(runId: string): Promise<StoredPipelineRun | null> {
    return this.#find(runId);
  }

  async openRuns(): Promise<StoredPipelineRun[]> {
    return this.#sql.openRuns.all<PipelineRow>().map(pipelineRunOf);
  }

  async runOfCause(cause: string): Promise<StoredPipelineRun | null> {
    const row = this.#sql.runOfCause.one<PipelineRow>({ cause });
    return row === null ? null : pipelineRunOf(row);
  }

  async stepsOf(runId: string): Promise<StepRun[]> {
    return this.#sql.listSteps.all<StepRow>({ run_id: runId }).map(stepOf);
  }

  async completedStep(file: string, pipeline: string, step: string, digest: string): Promise<StepRun | null> {
    const row = this.#sql.completedStep.one<StepRow>({ file, pipeline, step, digest });
    return row === null ? null : stepOf(row);
  }

  async listModels(): Promise<ModelSummary[]> {
    return this.#sql.listModels.all<ModelSummary>();
  }

  async listVersions(model: string, { limit, beforeSeq }: Page): Promise<ModelVersion[]> {
    const before = beforeSeq ?? Number.MAX_SAFE_INTEGER;
    return this.#sql.listVersions.all<VersionRow>({ model, before, limit }).map(versionOf);
  }

  async findVersion(model: string, version: number): Promise<ModelVersion | null> {
    const row = this.#sql.findVersion.one<VersionRow>({ model, version });
    return row === null ? null : versionOf(row);
  }

  async versionOfDigest(model: string, digest: string): Promise<ModelVersion | null> {
    const row = this.#sql.versionOfDigest.one<VersionRow>({ model, digest });
    return row === null ? null : versionOf(row);
  }

  async listStages(model?: string): Promise<ModelStage[]> {
    return this.#sql.listStages.all<ModelStage>({ model: model ?? null });
  }

  #find(runId: string): StoredPipelineRun | null {
    const row = this.#sql.findRun.one<PipelineRow>({ run_id: runId });
    return row === null ? null : pipelineRunOf(row);
  }

  #start(run: PipelineRun): void {
    const data = run.data === null ? null : JSON.stringify(run.data);
    if (this.#sql.insertRun.run({ ...run, data }) === 0) throw this.#busy(run);
  }

  #resume(change: PipelineRunResumed): void {
    if (this.#sql.resumeRun.run(change) > 0) return;
    const { run_id } = change;
    const run = this.#find(run_id);
    if (run === null) throw new SwarmError("SWARM_PIPELINE_RUN_UNKNOWN", { run: run_id });
    const { status } = run;
    if (status === "completed") throw new SwarmError("SWARM_PIPELINE_RUN_ENDED", { run: run_id, status });
    throw this.#busy(run);
  }

  #busy({ file, pipeline }: PipelineRun): SwarmError {
    const run = this.#sql.runningRun.one<{ run_id: string }>({ file, pipeline })?.run_id ?? "";
    return new SwarmError("SWARM_PIPELINE_BUSY", { pipeline, run });
  }

  #saveStep(row: StepRun, owner: string): void {
    const lists = { outputs: JSON.stringify(row.outputs), metrics: JSON.stringify(row.metrics) };
    if (this.#sql.saveStep.run({ ...row, ...lists, owner }) === 0) throw lost(row.run_id);
  }

  #end({ run_id, owner, status, ended_at, reason, version: made }: PipelineRunEnded): void {
    const version = typeof made === "object" && made !== null ? this.#addVersion(made) : made;
    if (this.#sql.endRun.run({ run_id, owner, status, ended_at, reason, version }) === 0) throw lost(run_id);
    // A run that was ended while steps were at work: as it ended, so did they.
    const left = status === "completed" ? "failed" : status;
    this.#sql.endSteps.run({ run_id, status: left, ended_at, reason });
  }

  #addVersion(made: NewModelVersion): number {
    const version = (this.#sql.lastVersion.one<{ version: number }>(made)?.version ?? 0) + 1;
    const texts = { metrics: JSON.stringify(made.metrics), lineage: JSON.stringify(made.lineage) };
    this.#sql.insertVersion.run({ ...made, ...texts, version });
    return version;
  }
}

export type PipelineRow = Omit<StoredPipelineRun, "is_forced" | "data"> & {
  readonly is_forced: number;
  readonly data: string | null;
};
type StepRow = Omit<StepRun, "outputs" | "metrics"> & {
  readonly seq: number;
  readonly outputs: string;
  readonly metrics: string;
};
type VersionRow = Omit<ModelVersion, "metrics" | "lineage"> & {
  readonly metrics: string;
  readonly lineage: string;
};

export function pipelineRunOf(row: PipelineRow): StoredPipelineRun {
  const data = row.data === null ? null : (JSON.parse(row.data) as StoredPipelineRun["data"]);
  return { ...row, is_forced: row.is_forced === 1, data };
}

function stepOf({ seq: _seq, ...row }: StepRow): StepRun {
  return {
    ...row,
    outputs: JSON.parse(row.outputs) as StepRun["outputs"],
    metrics: JSON.parse(row.metrics) as StepRun["metrics"],
  };
}

function versionOf(row: VersionRow): ModelVersion {
  return {
    ...row,
    metrics: JSON.parse(row.metrics) as ModelVersion["metrics"],
    lineage: JSON.parse(row.lineage) as ModelVersion["lineage"],
  };
}

function lost(run: string): SwarmError {
  return new SwarmError("SWARM_PIPELINE_RUN_LOST", { run });
}
