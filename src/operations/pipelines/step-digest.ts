import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import type { Pipeline, PipelineStep } from "./port/pipeline.ts";
import type { DigestedPath, StepRun } from "./port/pipeline-store.ts";
import { digestPath, findFiles } from "./digest-files.ts";

/** What a step comes after: its rows say what is there for it to read. */
export type DoneSteps = ReadonlyMap<string, StepRun>;

/**
 * Of all that decides what a step makes, as far as it is known: its command as it will run, its environment, what its
 * inputs hold, the data, and what the steps before it have made. Counted up when the form changes.
 */
export async function stepDigest(
  { folder }: Pipeline,
  step: PipelineStep,
  data: DigestedPath | null,
  done: DoneSteps,
  signal: AbortSignal,
): Promise<string> {
  const inputs: [string, string][] = [];
  for (const path of findFiles(folder, step.inputs)) {
    const digest = await digestPath(path, signal);
    inputs.push([relative(folder, path), digest?.sha256 ?? "missing"]);
  }
  const needs = step.needs.map((name) => {
    const row = done.get(name);
    const made = row?.outputs.map(({ path, sha256 }) => [path, sha256]) ?? [];
    // Nothing tells two runs of a step apart that makes nothing: it has run, so what follows does too.
    return [name, made.length === 0 ? (row?.run_id ?? "") : made];
  });
  const environment = Object.entries(step.environment).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [step.run, environment, inputs, data?.sha256 ?? null, needs, step.outputs, step.metrics];
  return createHash("sha256")
    .update(JSON.stringify(["step 1", ...parts]))
    .digest("hex");
}

/** Why what a step has made cannot be used again; null when it can. */
export async function changedOutput(
  folder: string,
  { outputs }: StepRun,
  signal: AbortSignal,
): Promise<string | null> {
  for (const { path, sha256 } of outputs) {
    const now = await digestPath(join(folder, path), signal);
    if (now === null) return `${path} is missing`;
    if (now.sha256 !== sha256) return `${path} has changed since it was made`;
  }
  return null;
}
