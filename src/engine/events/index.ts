/** The table of events and everything derived from it. */

export { catalog } from "./catalog.ts";
export { commonTool } from "./common-tool.ts";
export { type Decision, type Verdict, verdicts } from "./decision.ts";
export type { Envelope, Origin } from "./envelope.ts";
export { envelopeSchema, outcomeSchema, payloadSchema } from "./json-schema.ts";
export {
  type AnyEventName,
  type Canonical,
  canonicalName,
  type EventAlias,
  type EventName,
  eventNames,
  type Payload,
} from "./names.ts";
export type { DeniedResult, HandlerRecord, HandlerStatus, Mode } from "./outcome.ts";
export type { EventRow } from "./row.ts";
export type { Field, Fields, JsonObject } from "./schema.ts";
export type { CommonTool } from "./tools.ts";
export { validatePayload } from "./validate.ts";
