import { redact } from "../../base/redact.ts";
import { type Origin, originFields } from "../../engine/events/envelope.ts";
import type { HandlerRecord, Outcome } from "../../engine/events/outcome.ts";
import type { NewEntry } from "../port/audit.ts";
import type { RecordedHandler } from "../port/run-event.ts";

/** Which hook a handler's name stands for. */
export type HookOf = (
  name: string,
) => { readonly id: string | null; readonly digest: string | null } | undefined;

/** What is recorded of a decided event. Secrets are replaced here: nothing after this sees them. */
export function emitEntry(
  outcome: Outcome,
  data: object,
  origin: Origin,
  actor: string,
  ms: number,
  hookOf: HookOf,
): NewEntry {
  const { verdict, reason, hook } = outcome.decision;
  return {
    id: outcome.id,
    kind: "emit",
    event: outcome.event,
    actor,
    ...originFields(origin),
    verdict,
    reason: clean(reason),
    hook,
    hook_digest: hook === null ? null : (hookOf(hook)?.digest ?? null),
    ms,
    outcome: verdict === "deny" ? "denied" : "completed",
    handlers: outcome.handlers.map((handler) => recorded(handler, hookOf)),
    before: payloadText(data),
    after: outcome.data === data ? null : payloadText(outcome.data),
  };
}

/** An observer runs after the decision was recorded, so it has a row of its own. */
export function observedEntry(
  outcome: Outcome,
  origin: Origin | undefined,
  record: HandlerRecord,
  actor: string,
  hookOf: HookOf,
): NewEntry {
  const hook = hookOf(record.name);
  return {
    kind: "observed",
    event: outcome.event,
    ref: outcome.id,
    actor,
    ...originFields(origin),
    hook: record.name,
    hook_digest: hook?.digest ?? null,
    reason: clean(record.reason),
    ms: record.ms,
    outcome: record.status === "completed" || record.status === "skipped" ? "completed" : "failed",
    handlers: [recorded(record, hookOf)],
  };
}

/** An event that could not be decided: a broken configuration, a payload that is none. */
export function failedEntry(
  event: string,
  data: unknown,
  origin: Origin,
  actor: string,
  error: Error,
): NewEntry {
  const told = { kind: "emit", event, actor, ...originFields(origin) } as const;
  return { ...told, outcome: "failed", reason: clean(error.message), before: payloadText(data) };
}

function recorded(handler: HandlerRecord, hookOf: HookOf): RecordedHandler {
  const { name, kind, mode, status, verdict, reason, ms } = handler;
  const hook = hookOf(name);
  const known = { hook_id: hook?.id ?? null, digest: hook?.digest ?? null };
  const rounded = Math.round(ms * 1e3) / 1e3;
  return { name, kind, mode, status, verdict, reason: clean(reason), ms: rounded, ...known };
}

function clean(text: string | null): string | null {
  return text === null ? null : String(redact(text));
}

/** A payload that was refused may be circular, too deep or no JSON at all; then there is none to keep. */
function payloadText(data: unknown): string | null {
  try {
    return JSON.stringify(redact(data)) ?? null;
  } catch {
    return null;
  }
}
