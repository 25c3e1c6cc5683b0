import type { Clock } from "../../base/clock.ts";
import type { ApprovalStore } from "../../policy/approvals/port/approval-store.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { Pipeline } from "./port/pipeline.ts";
import type { DigestedPath, PipelineRun, PipelineStore, StepRun } from "./port/pipeline-store.ts";
import type { CommandOptions } from "./command.ts";
import { type RunFolder, runVariable } from "./run-folder.ts";

/** What runs of pipelines need of the rest. */
export interface EngineOptions extends CommandOptions {
  readonly home: string;
  readonly store: PipelineStore;
  readonly approvals: Pick<ApprovalStore, "find" | "ofTask">;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** One run while it goes on. */
export interface RunContext {
  readonly options: EngineOptions;
  readonly pipeline: Pipeline;
  readonly run: PipelineRun;
  readonly folder: RunFolder;
  /** Who approved the pipeline as it is. */
  readonly trustedBy: readonly string[];
  /** Tasks whose approvals are this run's: itself, and the run of the job that started it. */
  readonly tasks: readonly string[];
  /** The data somebody named; null: the latest. */
  readonly givenData: string | null;
  /** Steps as this run left them before it was resumed. */
  readonly earlier: ReadonlyMap<string, StepRun>;
  /** Steps that are done, by name. */
  readonly done: Map<string, StepRun>;
  readonly signal: AbortSignal;
  /** Told of what happens, a line at a time. */
  readonly tell: (line: string) => void;
}

/** Where everything a run emits and records comes from. */
export const pipelineSource = "swarm/pipeline";

export function originOf({ run_id, folder }: PipelineRun) {
  return { session: run_id, task: run_id, cwd: folder, source: pipelineSource };
}

/** What every program of a run is told of it. */
export function variablesOf(
  { run_id, pipeline }: PipelineRun,
  step: string,
  data: DigestedPath | null,
): Record<string, string> {
  return {
    [runVariable]: run_id,
    SWARM_PIPELINE: pipeline,
    SWARM_PIPELINE_STEP: step,
    ...(data !== null && { SWARM_DATA: data.path, SWARM_DATA_SHA256: data.sha256 }),
  };
}

export function nowOf({ clock }: Pick<EngineOptions, "clock">): string {
  return new Date(clock.now()).toISOString();
}

/** Whoever aborts a run says as what it has ended, and by whom: a reason begins with one of these. */
export const cancelled = "cancelled";
export const interrupted = "interrupted";

export function endedAs({ signal }: Pick<RunContext, "signal">): "cancelled" | "interrupted" {
  return String(signal.reason).startsWith(cancelled) ? cancelled : interrupted;
}
