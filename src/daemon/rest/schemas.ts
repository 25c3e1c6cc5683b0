import { faultKinds } from "../../record/audit/verify.ts";
import { verdicts } from "../../engine/events/decision.ts";
import type { JsonSchema } from "../../engine/events/json-schema.ts";
import { handlerStatuses, modes } from "../../engine/events/outcome.ts";
import { runEventKinds, runOutcomes } from "../../record/port/run-event.ts";
import { count, sha256, string, stringOrNull, time } from "./shapes.ts";

const ms = { type: "number", minimum: 0, description: "Milliseconds." } as const;

/** Every property is there in every answer. */
export function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

const handler = closed({
  name: string,
  kind: string,
  mode: { enum: modes },
  status: { enum: handlerStatuses },
  verdict: { enum: verdicts },
  reason: stringOrNull,
  ms,
  hook_id: stringOrNull,
  digest: stringOrNull,
});

const row = {
  seq: { ...count, description: "1, 2, 3 … without gaps." },
  id: string,
  time,
  kind: { enum: runEventKinds },
  event: string,
  ref: {
    ...stringOrNull,
    description:
      "Id of the row this one belongs to, or what a decision is about: `token:ci`, `trust:/p/swarm.yaml`.",
  },
  actor: string,
  session: stringOrNull,
  agent: stringOrNull,
  task: stringOrNull,
  cwd: stringOrNull,
  source: stringOrNull,
  verdict: { enum: verdicts },
  reason: stringOrNull,
  hook: stringOrNull,
  hook_digest: stringOrNull,
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
  id: string,
  time,
  event: string,
  session: stringOrNull,
  status: { enum: handlerStatuses },
  verdict: { enum: verdicts },
  ms,
  reason: stringOrNull,
});

export const sessionSchema = closed({
  session: string,
  started_at: time,
  last_at: time,
  last_seq: count,
  events: count,
  denials: count,
  agent: stringOrNull,
  source: stringOrNull,
  cwd: stringOrNull,
});

export const verificationSchema = closed({
  is_intact: { type: "boolean" },
  rows: count,
  last_seq: count,
  signed_seq: count,
  unsigned_rows: count,
  key_id: string,
  open_intents: { type: "array", items: string },
  payloads_checked: count,
  acceptances: { type: "array", items: closed({ seq: count, time, actor: string, reason: stringOrNull }) },
  faults: { type: "array", items: closed({ kind: { enum: faultKinds }, seq: count, problem: string }) },
});

export const signedHeadSchema = closed({ seq: count, hash: sha256, time, key_id: string, signature: string });

export const headSchema = closed({
  head: { anyOf: [signedHeadSchema, { type: "null" }] },
  public_key: string,
});

export const healthSchema = closed({
  status: { const: "ok" },
  version: string,
  pid: count,
  address: stringOrNull,
});

export const problemSchema = closed({
  type: { ...string, pattern: "^urn:swarm-hooks:error:" },
  title: { ...string, description: "What the code means." },
  status: { type: "integer", minimum: 400, maximum: 599 },
  detail: { ...string, description: "The value that was refused and what was expected." },
  code: { ...string, pattern: "^SWARM_" },
  remedy: { ...string, description: "What to do." },
});
