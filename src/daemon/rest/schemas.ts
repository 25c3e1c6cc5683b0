import { faultKinds } from "../../record/audit/verify.ts";
import { verdicts } from "../../engine/events/decision.ts";
import type { JsonSchema } from "../../engine/events/json-schema.ts";
import { handlerStatuses, modes } from "../../engine/events/outcome.ts";
import { runEventKinds, runOutcomes } from "../../record/port/run-event.ts";

const text = { type: "string" } as const;
const orNull = { type: ["string", "null"] } as const;
const count = { type: "integer", minimum: 0 } as const;
const ms = { type: "number", minimum: 0, description: "Milliseconds." } as const;
const time = { type: "string", format: "date-time" } as const;
export const sha256 = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;

/** Every property is there in every answer. */
export function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

const handler = closed({
  name: text,
  kind: text,
  mode: { enum: modes },
  status: { enum: handlerStatuses },
  verdict: { enum: verdicts },
  reason: orNull,
  ms,
  hook_id: orNull,
  digest: orNull,
});

const row = {
  seq: { ...count, description: "1, 2, 3 … without gaps." },
  id: text,
  time,
  kind: { enum: runEventKinds },
  event: text,
  ref: {
    ...orNull,
    description:
      "Id of the row this one belongs to, or what a decision is about: `token:ci`, `trust:/p/swarm.yaml`.",
  },
  actor: text,
  session: orNull,
  agent: orNull,
  task: orNull,
  cwd: orNull,
  source: orNull,
  verdict: { enum: verdicts },
  reason: orNull,
  hook: orNull,
  hook_digest: orNull,
  before_hash: { anyOf: [sha256, { type: "null" }] },
  after_hash: { anyOf: [sha256, { type: "null" }] },
  ms,
  outcome: { enum: runOutcomes },
  handlers: { type: "array", items: handler },
  prev_hash: sha256,
  hash: sha256,
} as const;

export const runEventSchema = closed(row);

export const recordedSchema = closed({
  ...row,
  data_before: { description: "The payload; null when it was not kept or has expired." },
  data_after: { description: "The payload after rewrites; null when there were none." },
});

export const hookRunSchema = closed({
  seq: count,
  id: text,
  time,
  event: text,
  session: orNull,
  status: { enum: handlerStatuses },
  verdict: { enum: verdicts },
  ms,
  reason: orNull,
});

export const sessionSchema = closed({
  session: text,
  started_at: time,
  last_at: time,
  last_seq: count,
  events: count,
  denials: count,
  agent: orNull,
  source: orNull,
  cwd: orNull,
});

export const verificationSchema = closed({
  is_intact: { type: "boolean" },
  rows: count,
  last_seq: count,
  signed_seq: count,
  unsigned_rows: count,
  key_id: text,
  open_intents: { type: "array", items: text },
  payloads_checked: count,
  acceptances: { type: "array", items: closed({ seq: count, time, actor: text, reason: orNull }) },
  faults: { type: "array", items: closed({ kind: { enum: faultKinds }, seq: count, problem: text }) },
});

export const signedHeadSchema = closed({ seq: count, hash: sha256, time, key_id: text, signature: text });

export const headSchema = closed({ head: { anyOf: [signedHeadSchema, { type: "null" }] }, public_key: text });

export const healthSchema = closed({ status: { const: "ok" }, version: text, pid: count, address: orNull });

export const problemSchema = closed({
  type: { ...text, pattern: "^urn:swarm-hooks:error:" },
  title: { ...text, description: "What the code means." },
  status: { type: "integer", minimum: 400, maximum: 599 },
  detail: { ...text, description: "The value that was refused and what was expected." },
  code: { ...text, pattern: "^SWARM_" },
  remedy: { ...text, description: "What to do." },
});
