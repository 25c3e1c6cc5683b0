import { SwarmError } from "../base/errors.ts";
import { explainUnfitData, isWithinLimits } from "./data-limits.ts";
import {
  type AnyEventName,
  canonicalName,
  type EventName,
  eventNames,
  type Payload,
  rowOf,
} from "./names.ts";
import { type Field, fits, misfit } from "./schema.ts";

/**
 * Checks a payload against its event's row and returns it, typed. Fields the row does not know pass: agents add
 * fields with every release, and a guard must not go blind because of one.
 */
export function validatePayload<E extends AnyEventName>(event: E, data: unknown): Payload<E> {
  checkPayload(checkOf(canonicalName(event)), data);
  return data as Payload<E>;
}

/** A row's schema in the form the check reads fastest. */
export interface PayloadCheck {
  readonly event: EventName;
  /** Without a prototype: a payload key such as `constructor` must find nothing here. */
  readonly fields: Readonly<Record<string, Field>>;
  readonly requiredCount: number;
}

export function checkPayload(check: PayloadCheck, data: unknown): asserts data is Record<string, unknown> {
  if (!isFit(check, data)) throw misfitOf(check, data);
}

/** Checks one rewritten field, by the same rules as when it arrives. */
export function checkField(check: PayloadCheck, name: string, value: unknown): void {
  const spec = check.fields[name];
  if (spec !== undefined && value !== undefined && fits(spec, value) && isWithinLimits(value)) return;
  throw fieldMisfitOf(check, name, value);
}

export function checkOf(event: EventName): PayloadCheck {
  const check = checks.get(event);
  // Unreachable: every event name has a check. Kept so that a broken table fails closed.
  if (check === undefined) throw new SwarmError("SWARM_EVENT_UNKNOWN", { event, suggestion: undefined });
  return check;
}

const checks: ReadonlyMap<EventName, PayloadCheck> = new Map(
  eventNames.map((event) => [event, compileCheck(event)]),
);

function compileCheck(event: EventName): PayloadCheck {
  const payload = rowOf(event).payload;
  const fields: Record<string, Field> = Object.assign(Object.create(null), payload);
  return { event, fields, requiredCount: Object.values(fields).filter((spec) => spec.isRequired).length };
}

/**
 * On the path of every emit that reaches a handler, so it says only yes or no: one pass over the keys that are
 * there (usually three to eight), not over the schema's (up to twenty). The reason is found afterwards.
 */
function isFit(check: PayloadCheck, data: unknown): boolean {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return false;
  let missing = check.requiredCount;
  for (const name in data) {
    const value = (data as Record<string, unknown>)[name];
    if (value === undefined) continue;
    const spec = check.fields[name];
    if (spec === undefined) {
      if (name === "__proto__") return false;
      continue;
    }
    if (!fits(spec, value)) return false;
    if (spec.isRequired) missing--;
  }
  return missing === 0 && isWithinLimits(data);
}

function misfitOf(check: PayloadCheck, data: unknown): SwarmError {
  const { event, fields } = check;
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return new SwarmError("SWARM_PAYLOAD_INVALID", {
      event,
      field: "data",
      expected: "an object",
      value: data,
    });
  }
  if (Object.hasOwn(data, "__proto__")) {
    const expected = "no such field";
    return new SwarmError("SWARM_PAYLOAD_INVALID", {
      event,
      field: "__proto__",
      expected,
      value: "__proto__",
    });
  }
  for (const [field, spec] of Object.entries(fields)) {
    const value = (data as Record<string, unknown>)[field];
    if (value === undefined && !spec.isRequired) continue;
    const expected = misfit(spec, value);
    if (expected !== null) return new SwarmError("SWARM_PAYLOAD_INVALID", { event, field, expected, value });
  }
  return explainUnfitData(event, "data", data);
}

function fieldMisfitOf(check: PayloadCheck, field: string, value: unknown): SwarmError {
  const { event, fields } = check;
  const spec = fields[field];
  const expected = spec === undefined ? "no such field" : misfit(spec, value);
  if (expected !== null) return new SwarmError("SWARM_PAYLOAD_INVALID", { event, field, expected, value });
  return explainUnfitData(event, field, value);
}
