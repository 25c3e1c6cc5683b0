import { createHash } from "node:crypto";
import { redact } from "../../base/redact.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import type { Pipeline } from "./port/pipeline.ts";
import type { DigestedPath, Metrics, NewModelVersion } from "./port/pipeline-store.ts";
import type { CodeCommit } from "./code-commit.ts";
import { nowOf, type RunContext } from "./context.ts";

/** A version of the model as a run that is done has made it, or the number of the one that is just the same. */
export async function versionOf(
  context: RunContext,
  data: DigestedPath | null,
  code: CodeCommit | null,
): Promise<NewModelVersion | number> {
  const { options, pipeline, run, done } = context;
  const digest = digestOf(context, data);
  const hasWorked = [...done.values()].some(({ status }) => status === "completed");
  const same = hasWorked ? null : await options.store.versionOfDigest(pipeline.model, digest);
  if (same !== null) return same.version;
  return {
    model: pipeline.model,
    run_id: run.run_id,
    digest,
    metrics: metricsOf(context),
    lineage: await lineageOf(context, data, code),
    created_at: nowOf(options),
    created_by: run.actor,
  };
}

/** Numbers of all steps, each under its step's name. */
export function metricsOf({ done }: Pick<RunContext, "done">): Metrics {
  const all = [...done.values()].flatMap(({ step, metrics }) =>
    Object.entries(metrics).map(([name, value]): [string, number] => [`${step}.${name}`, value]),
  );
  return Object.fromEntries(all);
}

/** All a version came of: data, code, what each step made, and who had a say. */
async function lineageOf(
  context: RunContext,
  data: DigestedPath | null,
  code: CodeCommit | null,
): Promise<JsonObject> {
  const { options, pipeline, run, trustedBy, tasks } = context;
  const asked = await Promise.all(tasks.map((task) => options.approvals.ofTask(task)));
  const approvals = asked
    .flat()
    .filter(({ status }) => status === "used")
    .map(({ id, event, name, rule, decided_by, decided_at, comment }) => {
      return { approval_id: id, event, name, rule, decided_by, decided_at, comment };
    });
  return {
    pipeline: pipeline.name,
    file: run.file,
    folder: run.folder,
    run_id: run.run_id,
    trigger: run.trigger,
    started_by: run.actor,
    data,
    code,
    steps: stepsOf(pipeline, context.done),
    approvals,
    trusted_by: trustedBy,
  };
}

function stepsOf({ steps }: Pipeline, done: RunContext["done"]) {
  return steps.flatMap(({ name, run: command, environment }) => {
    const row = done.get(name);
    if (row === undefined) return [];
    const { status, digest, outputs, made_by, run_id } = row;
    const ran = redact({ command, environment }) as object;
    return [{ step: name, status, ...ran, digest, made_by: made_by ?? run_id, outputs }];
  });
}

function digestOf({ pipeline, done }: RunContext, data: DigestedPath | null): string {
  const made = pipeline.steps.map(({ name }) => {
    return [name, done.get(name)?.outputs.map(({ path, sha256 }) => [path, sha256]) ?? []];
  });
  return createHash("sha256")
    .update(JSON.stringify([data?.sha256 ?? null, made]))
    .digest("hex");
}
