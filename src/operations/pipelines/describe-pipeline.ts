import type { JsonSchema } from "../../engine/events/json-schema.ts";
import {
  type PipelineRun,
  pipelineRunStatuses,
  pipelineTriggers,
  type StoredPipelineRun,
  stepRunStatuses,
} from "./port/pipeline-store.ts";
import { driftMarkSchema } from "../drift/describe-drift-mark.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { count, sha256, string, stringOrNull, time, timeOrNull } from "../../daemon/rest/shapes.ts";

const metrics = { type: "object", description: "Numbers by name." } as const;
const digested = closed({ path: string, sha256, bytes: count });
const data = { anyOf: [digested, { type: "null" }], description: "The data snapshot." } as const;

/** Without what only the process that runs it needs. */
export function describePipelineRun(run: StoredPipelineRun) {
  const { seq: _seq, owner: _owner, intent_id: _intent, cause: _cause, ...told } = run;
  return told;
}

const run: Readonly<Record<Exclude<keyof PipelineRun, "owner" | "intent_id" | "cause">, JsonSchema>> = {
  run_id: string,
  pipeline: string,
  file: { ...string, description: "The configuration file that declares it." },
  folder: string,
  model: string,
  status: { enum: pipelineRunStatuses },
  trigger: { enum: pipelineTriggers },
  actor: string,
  is_forced: { type: "boolean", description: "No step was to be skipped." },
  data,
  version: { type: ["integer", "null"], description: "Of its model; null until it is done." },
  started_at: time,
  ended_at: timeOrNull,
  reason: stringOrNull,
};

const shownRun = { ...run, drift: driftMarkSchema };

export const pipelineRunSchema = closed(shownRun);

const step = closed({
  run_id: string,
  step: string,
  status: { enum: stepRunStatuses },
  digest: { ...string, description: "SHA-256 of all it depends on." },
  tries: count,
  exit_code: { type: ["integer", "null"] },
  reason: stringOrNull,
  outputs: { type: "array", items: digested },
  metrics,
  made_by: { ...stringOrNull, description: "Of one that was skipped: the run that made its outputs." },
  log_path: stringOrNull,
  started_at: time,
  ended_at: timeOrNull,
});

export const shownPipelineRunSchema = closed({ ...shownRun, steps: { type: "array", items: step } });

export const pipelineSchema = closed({
  name: string,
  file: string,
  folder: string,
  model: string,
  steps: { type: "array", items: string, description: "In the order they may run." },
  problem: { ...stringOrNull, description: "Why it may not run; null when it may." },
  last_run: { anyOf: [pipelineRunSchema, { type: "null" }] },
});

export const planSchema = closed({
  data,
  note: { ...stringOrNull, description: "What is not known before it runs, or would stop it." },
  steps: {
    type: "array",
    items: closed({
      step: string,
      would: { enum: ["run", "skip", "fail"] },
      why: string,
      command: { anyOf: [string, { type: "array", items: string }] },
    }),
  },
});

const stage = closed({
  model: string,
  stage: string,
  version: { type: "integer", minimum: 1 },
  promoted_at: time,
  promoted_by: string,
  approved_by: stringOrNull,
  approval_id: stringOrNull,
});

export const modelSchema = closed({
  model: string,
  versions: count,
  latest: count,
  created_at: time,
  stages: { type: "array", items: stage },
});

export const versionSchema = closed({
  model: string,
  version: { type: "integer", minimum: 1 },
  run_id: string,
  digest: { ...sha256, description: "Of the data and outputs." },
  metrics,
  lineage: { type: "object", description: "Data, code, what each step made, and who had a say." },
  created_at: time,
  created_by: string,
  stages: { type: "array", items: string, description: "Where it stands for its model." },
});

export const promotionSchema = closed({
  status: { enum: ["promoted", "waiting"], description: "waiting: ask again once it is decided." },
  stage: { anyOf: [stage, { type: "null" }] },
  reason: stringOrNull,
  approval_id: stringOrNull,
});
