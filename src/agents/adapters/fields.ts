import type { EventName } from "../../engine/events/names.ts";
import { rowOf } from "../../engine/events/names.ts";
import { type Field, fits } from "../../engine/events/schema.ts";
import { define, isObject, type Json, type Path, put, take } from "./paths.ts";

/** How an agent writes what one of its events carries; made by `fieldNames`. */
export interface FieldNames {
  readonly eventField: string | null;
  /** Fields that only have another name, theirs → ours. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Fields that stand somewhere else, from where to where. */
  readonly moved: readonly (readonly [from: Path, to: Path])[];
  /** Our names that come from elsewhere: a field the agent itself calls so is another one. */
  readonly taken: ReadonlySet<string>;
  readonly constants: Json;
}

/**
 * `eventField` names the event, and is told apart from the rest: it is the call's `nativeEvent`. `names` has its names
 * of fields, with ours; `a.b` is `b` of the object `a`, on either side. `constants` are fields of ours it does not send,
 * because the event is of one tool only.
 */
export function fieldNames(
  names: Readonly<Record<string, string>>,
  eventField: string | null = "hook_event_name",
  constants: Json = {},
): FieldNames {
  const pairs = Object.entries(names).map(([native, ours]) => [pathOf(native), pathOf(ours)] as const);
  const isRenamed = ([from, to]: readonly [Path, Path]) => from.length === 1 && to.length === 1;
  return {
    eventField,
    renamed: new Map(pairs.filter(isRenamed).map(([[native], [ours]]) => [native, ours])),
    moved: pairs.filter((pair) => !isRenamed(pair)),
    taken: new Set([...pairs.map(([, [first]]) => first), ...Object.keys(constants)]),
    constants,
  };
}

function pathOf(text: string): Path {
  const [first = "", ...rest] = text.split(".");
  return [first, ...rest];
}

/** Stands before the name of a field that would take the place of one of ours, or has another type than ours. */
const prefix = "native:";
/** Holds what has to be an object and is none. */
const wrapper = "native:value";

/**
 * Everything an agent sent, under our names. A field whose type is not ours is kept aside: agents change with every
 * release, and a guard that refuses all calls because of a title that became null would soon be removed.
 */
export function toOurFields(event: EventName, payload: Json, fields: FieldNames): Record<string, unknown> {
  const specs = rowOf(event).payload;
  const specOf = (name: string) => (Object.hasOwn(specs, name) ? specs[name] : undefined);
  const [rest, values] = takeAll(
    payload,
    fields,
    ([, to], value) => to.length > 1 || isKept(specOf(to[0]), value),
  );
  const data: Record<string, unknown> = {};
  for (const [native, value] of Object.entries(rest)) {
    if (native === fields.eventField) continue;
    const ours = fields.renamed.get(native);
    const isOther = ours === undefined && (fields.taken.has(native) || native.startsWith(prefix));
    const name = isOther ? prefix + native : (ours ?? native);
    const spec = specOf(name);
    define(data, isKept(spec, value) ? name : prefix + native, asArguments(spec, value));
  }
  for (const [[, to], value] of values)
    put(data, to, to.length > 1 ? value : asArguments(specOf(to[0]), value));
  return Object.assign(data, fields.constants);
}

/** The payload again, as the agent sent it: what `toOurFields` did, undone. */
export function toNativeFields(nativeEvent: string, data: Json, fields: FieldNames): Record<string, unknown> {
  const natives = new Map([...fields.renamed].map(([native, ours]) => [ours, native] as const));
  const [rest, values] = takeAll(
    data,
    { ...fields, moved: fields.moved.map(([from, to]) => [to, from]) },
    () => true,
  );
  const made = new Set(fields.moved.filter(([, to]) => to.length > 1).map(([, [first]]) => first));
  const payload: Record<string, unknown> = {};
  if (fields.eventField !== null) payload[fields.eventField] = nativeEvent;
  for (const [name, value] of Object.entries(rest)) {
    // It was made for what has just been taken out of it.
    if (made.has(name) && !natives.has(name) && isObject(value) && Object.keys(value).length === 0) continue;
    if (Object.hasOwn(fields.constants, name)) continue;
    if (name.startsWith(prefix)) define(payload, name.slice(prefix.length), value);
    else define(payload, natives.get(name) ?? name, nativeValue(value));
  }
  for (const [[, to], value] of values) put(payload, to, nativeValue(value));
  return payload;
}

/** A field's value as the agent has it. */
export function nativeValue(value: unknown): unknown {
  return isWrapper(value) ? value[wrapper] : value;
}

type Moved = FieldNames["moved"][number];

/** Takes out what stands somewhere else; the rest is a copy as far as it has changed. */
function takeAll(
  object: Json,
  { moved }: FieldNames,
  isTaken: (pair: Moved, value: unknown) => boolean,
): [Json, (readonly [Moved, unknown])[]] {
  const values: (readonly [Moved, unknown])[] = [];
  let rest = object;
  for (const pair of moved) {
    const found = take(rest, pair[0]);
    if (found === null || !isTaken(pair, found.value)) continue;
    rest = found.rest;
    values.push([pair, found.value]);
  }
  return [rest, values];
}

function isKept(spec: Field | undefined, value: unknown): boolean {
  return spec === undefined || isArguments(spec) || fits(spec, value);
}

/** The two required objects, `tool_input` of both events, are the arguments of a call: there may be any JSON there. */
function isArguments(spec: Field | undefined): boolean {
  return spec?.isRequired === true && spec.type === "object";
}

function asArguments(spec: Field | undefined, value: unknown): unknown {
  return isArguments(spec) && (!isObject(value) || isWrapper(value)) ? { [wrapper]: value } : value;
}

function isWrapper(value: unknown): value is { readonly [wrapper]: unknown } {
  return isObject(value) && Object.hasOwn(value, wrapper) && Object.keys(value).length === 1;
}
