import type { Pipeline, StepCommand } from "./port/pipeline.ts";
import type { DigestedPath, PipelineStore, StepRun } from "./port/pipeline-store.ts";
import { Unreadable } from "./digest-files.ts";
import { findReuse } from "./reuse.ts";
import { knownSnapshot } from "./snapshot.ts";
import { stepDigest } from "./step-digest.ts";

export interface PlannedStep {
  readonly step: string;
  readonly would: "run" | "skip" | "fail";
  readonly why: string;
  readonly command: StepCommand;
}

export interface RunPlan {
  readonly data: DigestedPath | null;
  /** What is not known before it runs, or would stop it; null: nothing. */
  readonly note: string | null;
  readonly steps: readonly PlannedStep[];
}

export interface PlanOptions {
  readonly store: PipelineStore;
  readonly pipeline: Pipeline;
  readonly isForced: boolean;
  readonly givenData: string | null;
  readonly signal: AbortSignal;
}

/** What a run would do now. Nothing is run for it, no hook is asked and nothing is recorded. */
export async function planRun(options: PlanOptions): Promise<RunPlan> {
  const { pipeline, givenData, signal } = options;
  const { data: source } = pipeline;
  let data: DigestedPath | null = null;
  try {
    data = await knownSnapshot(pipeline, givenData, signal);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const fails = pipeline.steps.map(({ name, run }) => planned(name, run, "fail", error.message));
    return { data, note: error.message, steps: fails };
  }
  if (data === null && source !== null) {
    const note = "which data it takes is known once the command that looks for them has run";
    return { data, note, steps: pipeline.steps.map(({ name, run }) => planned(name, run, "run", note)) };
  }
  const steps: PlannedStep[] = [];
  const done = new Map<string, StepRun>();
  for (const step of pipeline.steps) steps.push(await planStep(options, step, data, done));
  return { data, note: null, steps };
}

async function planStep(
  { store, pipeline, isForced, signal }: PlanOptions,
  step: Pipeline["steps"][number],
  data: DigestedPath | null,
  done: Map<string, StepRun>,
): Promise<PlannedStep> {
  const { name, run, needs } = step;
  const before = needs.find((need) => !done.has(need));
  if (before !== undefined) return planned(name, run, "run", `after ${before}, which would run`);
  try {
    const digest = await stepDigest(pipeline, step, data, done, signal);
    const reuse = await findReuse({ store, pipeline, isForced, earlier: new Map(), signal }, step, digest);
    if ("why" in reuse) return planned(name, run, "run", reuse.why);
    done.set(name, reuse.row);
    return planned(name, run, "skip", `nothing has changed since ${reuse.row.run_id}`);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return planned(name, run, "fail", error.message);
  }
}

function planned(step: string, command: StepCommand, would: PlannedStep["would"], why: string): PlannedStep {
  return { step, would, why, command };
}
