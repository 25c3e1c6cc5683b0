import { SwarmError } from "../../base/errors.ts";
import type {
  ModelStage,
  ModelSummary,
  ModelVersion,
  PipelineChange,
  PipelineRun,
  PipelineRunEnded,
  PipelineRunQuery,
  PipelineRunResumed,
  PipelineStore,
  StepRun,
  StoredPipelineRun,
} from "../../operations/pipelines/port/pipeline-store.ts";
import type { Page } from "../port/store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Runs of pipelines and models in the store's file. */
export class SqlitePipelineStore implements PipelineStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Part of a transaction that is under way. */
  apply(change: PipelineChange): void {
    switch (change.kind) {
      case "pipeline_run_started":
        this.#start(change.run);
        return;
      case "pipeline_run_resumed":
        this.#resume(change);
        return;
      case "pipeline_snapshot": {
        const { data, run_id, owner } = change;
        if (this.#file.run("save-pipeline-snapshot", JSON.stringify(data), run_id, owner) === 0)
          throw new SwarmError("SWARM_PIPELINE_RUN_LOST", { run: run_id });
        return;
      }
      case "pipeline_step":
        this.#saveStep(change.row, change.owner);
        return;
      case "pipeline_run_ended":
        this.#end(change);
        return;
      case "model_promoted": {
        const { model, stage, version, promoted_at, promoted_by, approved_by, approval_id } = change.row;
        const values = [model, stage, version, promoted_at, promoted_by, approved_by, approval_id];
        if (this.#file.run("promote-model", ...values, model, version) === 0)
          throw new SwarmError("SWARM_MODEL_VERSION_UNKNOWN", { model, version });
      }
    }
  }

  async listRuns(query: PipelineRunQuery): Promise<StoredPipelineRun[]> {
    const { limit, beforeSeq: before_seq = Number.MAX_SAFE_INTEGER, pipeline = null, file = null } = query;
    const values = { before_seq, pipeline, file, limit };
    return this.#file.all<PipelineRow>("list-pipeline-runs", values).map(pipelineRunOf);
  }

  async findRun(runId: string): Promise<StoredPipelineRun | null> {
    return this.#run("find-pipeline-run", runId);
  }

  async openRuns(): Promise<StoredPipelineRun[]> {
    return this.#file.all<PipelineRow>("open-pipeline-runs").map(pipelineRunOf);
  }

  async runOfCause(cause: string): Promise<StoredPipelineRun | null> {
    return this.#run("pipeline-run-of-cause", cause);
  }

  async stepsOf(runId: string): Promise<StepRun[]> {
    return this.#file.all<StepRow>("list-pipeline-steps", runId).map(stepOf);
  }

  async completedStep(file: string, pipeline: string, step: string, digest: string): Promise<StepRun | null> {
    const [found] = this.#file.all<StepRow>("completed-pipeline-step", { file, pipeline, step, digest });
    return found === undefined ? null : stepOf(found);
  }

  async listModels(): Promise<ModelSummary[]> {
    return this.#file.all<ModelSummary>("list-models");
  }

  async listVersions(model: string, { limit, beforeSeq }: Page): Promise<ModelVersion[]> {
    const before = beforeSeq ?? Number.MAX_SAFE_INTEGER;
    return this.#file.all<VersionRow>("list-model-versions", model, before, limit).map(versionOf);
  }

  async findVersion(model: string, version: number): Promise<ModelVersion | null> {
    const row = this.#file.one<VersionRow>("find-model-version", model, version);
    return row === null ? null : versionOf(row);
  }

  async versionOfDigest(model: string, digest: string): Promise<ModelVersion | null> {
    const row = this.#file.one<VersionRow>("model-version-of-digest", model, digest);
    return row === null ? null : versionOf(row);
  }

  async listStages(model?: string): Promise<ModelStage[]> {
    return this.#file.all<ModelStage>("list-model-stages", { model: model ?? null });
  }

  #run(statement: string, key: string): StoredPipelineRun | null {
    const row = this.#file.one<PipelineRow>(statement, key);
    return row === null ? null : pipelineRunOf(row);
  }

  #start(run: PipelineRun): void {
    const { run_id, pipeline, file, folder, model, status, trigger, cause, actor, is_forced, owner } = run;
    const what = [
      run_id,
      pipeline,
      file,
      folder,
      model,
      status,
      trigger,
      cause,
      actor,
      Number(is_forced),
      owner,
    ];
    const data = run.data === null ? null : JSON.stringify(run.data);
    const rest = [run.intent_id, data, run.version, run.started_at, run.ended_at, run.reason];
    if (this.#file.run("insert-pipeline-run", ...what, ...rest) === 0) throw this.#busy(run);
  }

  #resume({ run_id, owner, actor, intent_id }: PipelineRunResumed): void {
    if (this.#file.run("resume-pipeline-run", owner, actor, intent_id, run_id) > 0) return;
    const run = this.#run("find-pipeline-run", run_id);
    if (run === null) throw new SwarmError("SWARM_PIPELINE_RUN_UNKNOWN", { run: run_id });
    const { status } = run;
    if (status === "completed") throw new SwarmError("SWARM_PIPELINE_RUN_ENDED", { run: run_id, status });
    throw this.#busy(run);
  }

  #busy({ file, pipeline }: PipelineRun): SwarmError {
    const run = this.#file.one<{ run_id: string }>("running-pipeline", file, pipeline)?.run_id ?? "";
    return new SwarmError("SWARM_PIPELINE_BUSY", { pipeline, run });
  }

  #saveStep(row: StepRun, owner: string): void {
    const { run_id, step, status, digest, tries, exit_code, reason, made_by, log_path } = row;
    const lists = [JSON.stringify(row.outputs), JSON.stringify(row.metrics)];
    const told = [run_id, step, status, digest, tries, exit_code, reason, ...lists, made_by, log_path];
    const values = [...told, row.started_at, row.ended_at, run_id, owner];
    if (this.#file.run("save-pipeline-step", ...values) === 0)
      throw new SwarmError("SWARM_PIPELINE_RUN_LOST", { run: run_id });
  }

  #end({ run_id, owner, status, ended_at, reason, version }: PipelineRunEnded): void {
    let number = typeof version === "number" ? version : null;
    if (typeof version === "object" && version !== null) {
      const { model, digest, metrics, lineage, created_at, created_by } = version;
      number = (this.#file.one<{ version: number }>("last-model-version", model)?.version ?? 0) + 1;
      const texts = [JSON.stringify(metrics), JSON.stringify(lineage)];
      const values = [model, number, version.run_id, digest, ...texts, created_at, created_by];
      this.#file.run("insert-model-version", ...values);
    }
    if (this.#file.run("end-pipeline-run", status, ended_at, reason, number, run_id, owner) === 0)
      throw new SwarmError("SWARM_PIPELINE_RUN_LOST", { run: run_id });
    // A run that was ended while steps were at work: as it ended, so did they.
    const left = status === "completed" ? "failed" : status;
    this.#file.run("end-pipeline-steps", left, ended_at, reason, run_id);
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
