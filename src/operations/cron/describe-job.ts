import { redact } from "../../base/redact.ts";
import { fieldSchema, type JsonSchema } from "../../engine/events/json-schema.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import { jobFields, runStatuses, runTriggers, type StoredJob, type StoredRun } from "./port/cron-job.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { string, stringOrNull, strings, time, timeOrNull } from "../../daemon/rest/shapes.ts";

type Cron = Awaited<ReturnType<Runtime["cron"]["open"]>>;

/** A job as it is shown: what it says, where it stands and how it ended last. */
export async function describeJob(cron: Cron, job: StoredJob) {
  const {
    seq: _seq,
    declared_digest: _digest,
    anchor_at: _anchor,
    due_at,
    next_at,
    revision: _revision,
    ...told
  } = job;
  const last = await cron.lastRun(job.job_id);
  return {
    ...told,
    config: redact(job.config) as JsonObject,
    next_run: next_at,
    due_at,
    last_run: last === null ? null : (last.started_at ?? last.created_at),
    status: job.enabled ? (last?.status ?? "never_ran") : "paused",
  };
}

const settings: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(jobFields).map(([name, field]) => [name, fieldSchema(field)]),
);

const warnings = {
  ...strings,
  description: "What would keep a run from being done if it began now; of a paused job it is not looked for.",
};

const job = {
  job_id: string,
  ...settings,
  declared_in: { ...stringOrNull, description: "The configuration file that declares it." },
  created_at: time,
  created_by: string,
  updated_at: time,
  next_run: { ...timeOrNull, description: "The next slot; null when there is none or the job is paused." },
  due_at: { ...timeOrNull, description: "The next slot with its jitter." },
  last_run: { ...timeOrNull, description: "When the last run started, or would have." },
  status: { enum: ["never_ran", "paused", ...runStatuses], description: "Of the last run." },
} as const;

export const jobSchema = closed(job);

/** A job that was just made or changed, with what would keep it from being done now. */
export async function describeMade(cron: Cron, job: StoredJob) {
  return { ...(await describeJob(cron, job)), warnings: job.enabled ? await cron.warningsOf(job) : [] };
}

export const madeJobSchema = closed({ ...job, warnings });

export function describeRun(run: StoredRun) {
  const { seq: _seq, slot: _slot, owner: _owner, intent_id: _intent, ...told } = run;
  return told;
}

const run = {
  run_id: string,
  job_id: string,
  job_name: string,
  task: string,
  attempt: { type: "integer", minimum: 1 },
  trigger: { enum: runTriggers },
  status: { enum: runStatuses },
  scheduled_at: time,
  due_at: { ...time, description: "Not started before this." },
  created_at: time,
  started_at: timeOrNull,
  ended_at: timeOrNull,
  lateness_ms: {
    type: ["integer", "null"],
    minimum: 0,
    description: "From when it was scheduled to when it started.",
  },
  exit_code: { type: ["integer", "null"] },
  reason: { ...stringOrNull, description: "Why it did not run, failed or waits, or what it found." },
  output_path: stringOrNull,
  slot_count: { type: "integer", minimum: 1, description: "How many slots this row tells of." },
} as const;

export const runSchema = closed(run);

export const shownRunSchema = closed({
  ...run,
  output: { ...stringOrNull, description: "What it printed, a mebibyte at most." },
});

const preview = {
  schedule: string,
  tz: string,
  meaning: string,
  runs: { type: "array", items: closed({ at: time, local: string }) },
} as const;

export const previewSchema = closed(preview);

export const jobPlanSchema = closed({
  job: closed(settings),
  ...preview,
  does: { ...strings, description: "What a run would do, a line each." },
  warnings,
});

export const importSchema = closed({
  created: strings,
  changed: strings,
  unchanged: strings,
  declared: strings,
});
