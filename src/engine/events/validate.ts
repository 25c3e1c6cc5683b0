import { SwarmError } from "../../base/swarm-error.ts";
import { limits } from "../../base/limits.ts";
import { explainUnfitData, spendField } from "./data-limits.ts";
import { type AnyEventName, canonicalName, type EventName, type Payload, rowOf } from "./names.ts";
import { type Field, type FieldType, fits, misfit } from "./schema.ts";

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
  /** The same fields as one number each: the JSON types they accept, and the two marks below. */
  readonly accepts: Readonly<Record<string, number>>;
  readonly requiredCount: number;
}

const isRequired = 64;
/** The JSON type alone does not tell: the value itself must be looked at. */
const isParticular = 128;

const jsonTypeBits: Readonly<Record<FieldType, number>> = {
  string: 1,
  strings: 16 | isParticular,
  number: 2 | isParticular,
  integer: 2 | isParticular,
  boolean: 4,
  object: 8,
  array: 16,
  any: 1 | 2 | 4 | 8 | 16 | 32,
};

export function checkPayload(check: PayloadCheck, data: unknown): asserts data is Record<string, unknown> {
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw misfitOf(check, data);
  if (!isFit(check, ownFields(data))) throw misfitOf(check, ownFields(data));
}

/** A copy or the JSON of a payload has only its own fields, so a field that is merely inherited is not there. */
function ownFields(data: object): object {
  const prototype = Object.getPrototypeOf(data);
  return prototype === Object.prototype || prototype === null ? data : { ...data };
}

/** Compiled when first asked for: most processes see a few of the events, and some live for one. */
export function checkOf(event: EventName): PayloadCheck {
  let check = checks.get(event);
  if (check === undefined) {
    // Unreachable: names are looked up before they get here. Kept so that a mistake fails closed.
    if (rowOf(event) === undefined)
      throw new SwarmError("SWARM_EVENT_UNKNOWN", { event, suggestion: undefined });
    check = compileCheck(event);
    checks.set(event, check);
  }
  return check;
}

const checks = new Map<EventName, PayloadCheck>();

function compileCheck(event: EventName): PayloadCheck {
  const fields: Record<string, Field> = Object.assign(Object.create(null), rowOf(event).payload);
  const accepts: Record<string, number> = Object.create(null);
  for (const [name, spec] of Object.entries(fields)) {
    accepts[name] =
      jsonTypeBits[spec.type] |
      (spec.isNullable ? 32 : 0) |
      (spec.isRequired ? isRequired : 0) |
      ((spec.values ?? spec.pattern) ? isParticular : 0);
  }
  return {
    event,
    fields,
    accepts,
    requiredCount: Object.values(fields).filter((spec) => spec.isRequired).length,
  };
}

/**
 * On the path of every emit that reaches a handler, so it only says yes or no, in one pass over the keys that are
 * there (usually three to eight) and not over the schema's (up to twenty). The reason is looked for afterwards.
 */
function isFit(check: PayloadCheck, data: object): boolean {
  let missing = check.requiredCount;
  let budget: number = limits.payloadChars;
  for (const name in data) {
    const value = (data as Record<string, unknown>)[name];
    let type: number;
    budget -= name.length + 2;
    if (typeof value === "string") {
      type = 1;
      budget -= value.length;
    } else if (typeof value === "object") {
      type = value === null ? 32 : Array.isArray(value) ? 16 : 8;
      budget = spendField(budget, value);
    } else if (value === undefined) continue;
    else if (typeof value === "number") type = 2;
    else if (typeof value === "boolean") type = 4;
    else return false;
    const accepted = check.accepts[name];
    if (accepted === undefined) {
      if (name === "__proto__") return false;
      continue;
    }
    if ((accepted & type) === 0) return false;
    if (accepted > isRequired) {
      if (accepted & isParticular && !fits(check.fields[name] as Field, value)) return false;
      if (accepted & isRequired) missing--;
    }
  }
  return missing === 0 && budget >= 0;
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
