import type { Pipeline, PipelineStep } from "./port/pipeline.ts";
import type { PipelineStore, StepRun } from "./port/pipeline-store.ts";
import { changedOutput } from "./step-digest.ts";

export interface ReuseOptions {
  readonly store: PipelineStore;
  readonly pipeline: Pipeline;
  readonly isForced: boolean;
  /** Steps as this run left them before it was resumed. */
  readonly earlier: ReadonlyMap<string, StepRun>;
  readonly signal: AbortSignal;
}

export type Reuse =
  | { readonly row: StepRun; readonly isOwn: boolean }
  /** Why the step has to run. */
  | { readonly why: string };

/**
 * What a step with this digest has made before, if it is all still there. What this run has done itself counts even when
 * it is forced: a run that is resumed goes on, it does not begin anew.
 */
export async function findReuse(options: ReuseOptions, step: PipelineStep, digest: string): Promise<Reuse> {
  const { store, pipeline, isForced, earlier, signal } = options;
  const { name, folder, source } = pipeline;
  const own = earlier.get(step.name);
  const isDone = own?.status === "completed" || own?.status === "skipped";
  if (own !== undefined && isDone && own.digest === digest) {
    const changed = await changedOutput(folder, own, signal);
    if (changed === null) return { row: own, isOwn: true };
  }
  if (isForced) return { why: "nothing is to be skipped" };
  if (step.outputs.length === 0) return { why: "it declares no outputs" };
  const found = await store.completedStep(source.file, name, step.name, digest);
  if (found === null) return { why: "it has not run with this command, environment, data and inputs" };
  const changed = await changedOutput(folder, found, signal);
  return changed === null ? { row: found, isOwn: false } : { why: changed };
}
