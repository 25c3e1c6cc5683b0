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

const text = { type: "string" } as const;
const orNull = { type: ["string", "null"] } as const;
const count = { type: "integer", minimum: 0 } as const;
const time = { type: "string", format: "date-time" } as const;
const timeOrNull = { anyOf: [time, { type: "null" }] } as const;
const sha256 = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;
const metrics = { type: "object", description: "Numbers by name." } as const;
const digested = closed({ path: text, sha256, bytes: count });
const data = { anyOf: [digested, { type: "null" }], description: "The data snapshot." } as const;

/** Without what only the process that runs it needs. */
export function describePipelineRun(run: StoredPipelineRun) {
  const { seq: _seq, owner: _owner, intent_id: _intent, cause: _cause, ...told } = run;
  return told;
}

const run: Readonly<Record<Exclude<keyof PipelineRun, "owner" | "intent_id" | "cause">, JsonSchema>> = {
  run_id: text,
  pipeline: text,
  file: { ...text, description: "The configuration file that declares it." },
  folder: text,
  model: text,
  status: { enum: pipelineRunStatuses },
  trigger: { enum: pipelineTriggers },
  actor: text,
  is_forced: { type: "boolean", description: "No step was to be skipped." },
  data,
  version: { type: ["integer", "null"], description: "Of its model; null until it is done." },
  started_at: time,
  ended_at: timeOrNull,
  reason: orNull,
};

const shownRun = { ...run, drift: driftMarkSchema };

export const pipelineRunSchema = closed(shownRun);

const step = closed({
  run_id: text,
  step: text,
  status: { enum: stepRunStatuses },
  digest: { ...text, description: "SHA-256 of all it depends on." },
  tries: count,
  exit_code: { type: ["integer", "null"] },
  reason: orNull,
  outputs: { type: "array", items: digested },
  metrics,
  made_by: { ...orNull, description: "Of one that was skipped: the run that made its outputs." },
  log_path: orNull,
  started_at: time,
  ended_at: timeOrNull,
});

export const shownPipelineRunSchema = closed({ ...shownRun, steps: { type: "array", items: step } });

export const pipelineSchema = closed({
  name: text,
  file: text,
  folder: text,
  model: text,
  steps: { type: "array", items: text, description: "In the order they may run." },
  problem: { ...orNull, description: "Why it may not run; null when it may." },
  last_run: { anyOf: [pipelineRunSchema, { type: "null" }] },
});

export const planSchema = closed({
  data,
  note: { ...orNull, description: "What is not known before it runs, or would stop it." },
  steps: {
    type: "array",
    items: closed({
      step: text,
      would: { enum: ["run", "skip", "fail"] },
      why: text,
      command: { anyOf: [text, { type: "array", items: text }] },
    }),
  },
});

const stage = closed({
  model: text,
  stage: text,
  version: { type: "integer", minimum: 1 },
  promoted_at: time,
  promoted_by: text,
  approved_by: orNull,
  approval_id: orNull,
});

export const modelSchema = closed({
  model: text,
  versions: count,
  latest: count,
  created_at: time,
  stages: { type: "array", items: stage },
});

export const versionSchema = closed({
  model: text,
  version: { type: "integer", minimum: 1 },
  run_id: text,
  digest: { ...sha256, description: "Of the data and outputs." },
  metrics,
  lineage: { type: "object", description: "Data, code, what each step made, and who had a say." },
  created_at: time,
  created_by: text,
  stages: { type: "array", items: text, description: "Where it stands for its model." },
});

export const promotionSchema = closed({
  status: { enum: ["promoted", "waiting"], description: "waiting: ask again once it is decided." },
  stage: { anyOf: [stage, { type: "null" }] },
  reason: orNull,
  approval_id: orNull,
});
