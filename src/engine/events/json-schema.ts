import { idPattern } from "../../base/ids.ts";
import { verdicts } from "./decision.ts";
import { type EventName, rowOf } from "./names.ts";
import { handlerStatuses, modes } from "./outcome.ts";
import type { Field, Fields, FieldType } from "./schema.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

const dialect = "https://json-schema.org/draft/2020-12/schema";

/** The JSON Schema of an event's payload. Open on purpose: fields nobody has declared yet pass. */
export function payloadSchema(event: EventName): JsonSchema {
  const row = rowOf(event);
  const fields = Object.entries(row.payload);
  return {
    $schema: dialect,
    $id: `urn:swarm-hooks:event:${event}`,
    title: event,
    description: `Payload when ${row.when}.`,
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    required: fields.filter(([, field]) => field.isRequired).map(([name]) => name),
  };
}

const jsonTypes: Readonly<Record<FieldType, JsonSchema>> = {
  string: { type: "string" },
  strings: { type: "array", items: { type: "string" } },
  number: { type: "number" },
  integer: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  boolean: { type: "boolean" },
  object: { type: "object" },
  array: { type: "array" },
  any: {},
};

export function fieldSchema({ type, doc, isNullable, values, min, max }: Field): JsonSchema {
  const range = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
  const plain = type === "strings" ? jsonTypes.strings : { ...jsonTypes[type], ...range };
  const schema = values === undefined ? plain : { enum: values };
  return { description: doc, ...(isNullable ? orNull(schema) : schema) };
}

/** An object with these fields and no others. */
export function fieldsSchema(fields: Fields): JsonSchema {
  const entries = Object.entries(fields);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, fieldSchema(field)])),
    required: entries.filter(([, field]) => field.isRequired).map(([name]) => name),
    additionalProperties: false,
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

const nullableText = { type: ["string", "null"] };

/** The JSON Schema of what a handler outside the process receives. */
export const envelopeSchema: JsonSchema = {
  $schema: dialect,
  $id: "urn:swarm-hooks:envelope",
  title: "Envelope",
  type: "object",
  properties: {
    event: { type: "string", description: "Canonical name of the event." },
    id: { type: "string", pattern: idPattern.source },
    timestamp: { type: "number", description: "Unix time in seconds, with fractions." },
    session: nullableText,
    agent: nullableText,
    task: nullableText,
    cwd: nullableText,
    source: nullableText,
    native_event: nullableText,
    tool: {
      type: "object",
      description: "Of events about a tool: the call in words that are the same for every agent.",
      properties: {
        name: { ...nullableText, description: "shell, write, edit, read, search, fetch or mcp:server/tool." },
        names: {
          type: "array",
          items: { type: "string" },
          description: "Every such name it may have; the first is name.",
        },
        command: { ...nullableText, description: "The line a shell is given." },
        path: { ...nullableText, description: "The first of paths." },
        paths: { type: "array", items: { type: "string" }, description: "Files and folders it names." },
      },
      required: ["name", "names", "command", "path", "paths"],
    },
    decision: {
      type: "object",
      description: "For observers: what was decided.",
      properties: { verdict: { enum: [...verdicts] }, reason: nullableText, hook: nullableText },
      required: ["verdict", "reason", "hook"],
    },
    data: { type: "object", description: "The payload; its schema is the event's own." },
  },
  required: ["event", "id", "timestamp", "session", "agent", "task", "cwd", "source", "native_event", "data"],
};

/** The JSON Schema of what `emit` returns, in its JSON form. */
export const outcomeSchema: JsonSchema = {
  $schema: dialect,
  $id: "urn:swarm-hooks:outcome",
  title: "Outcome",
  type: "object",
  properties: {
    event: { type: "string" },
    id: { type: "string", pattern: idPattern.source },
    decision: {
      type: "object",
      properties: {
        verdict: { enum: verdicts },
        reason: nullableText,
        hook: nullableText,
        context: { type: "array", items: { type: "string" } },
        stop: nullableText,
      },
      required: ["verdict", "reason", "hook", "context", "stop"],
    },
    data: { type: "object", description: "The payload after all rewrites." },
    result: {
      type: "object",
      description: "In place of the action's result when it was denied.",
      properties: { status: { type: "string" }, hook: { type: "string" }, reason: { type: "string" } },
      required: ["status", "hook", "reason"],
    },
    approval: {
      type: "object",
      description: "The question a person is asked; only where the decision was to ask.",
      properties: {
        id: { type: "string", pattern: idPattern.source },
        status: { type: "string" },
        expires_at: { type: "string", format: "date-time" },
      },
      required: ["id", "status", "expires_at"],
    },
    handlers: {
      type: "array",
      items: {
        type: "object",
        properties: {
          name: { type: "string" },
          kind: { type: "string" },
          mode: { enum: modes },
          status: { enum: handlerStatuses },
          verdict: { enum: verdicts },
          reason: nullableText,
          ms: { type: "number", minimum: 0 },
        },
        required: ["name", "kind", "mode", "status", "verdict", "reason", "ms"],
      },
    },
  },
  required: ["event", "id", "decision", "data", "handlers"],
};
