import type { EventName } from "../events/names.ts";
import { rowOf } from "../events/names.ts";
import { type Field, fits } from "../events/schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** Agents' names of fields, with ours. */
const ourNames: Readonly<Partial<Record<EventName, Readonly<Record<string, string>>>>> = {
  "tool.after": { tool_response: "tool_output" },
  "subagent.start": { agent_type: "agent_name" },
  "subagent.stop": { agent_type: "agent_name" },
};

/** Stands before the name of a field that would take the place of one of ours, or has another type than ours. */
const prefix = "native:";
/** Holds what has to be an object and is none. */
const wrapper = "native:value";
/** Told apart from the rest: it is the call's `nativeEvent`. */
const nameField = "hook_event_name";

/**
 * Everything an agent sent, under our names. A field whose type is not ours is kept aside: agents change with every
 * release, and a guard that refuses all calls because of a title that became null would soon be removed.
 */
export function toOurFields(event: EventName, payload: Json): Record<string, unknown> {
  const names = ourNames[event] ?? {};
  const taken = new Set(Object.values(names));
  const specs = rowOf(event).payload;
  const data: Record<string, unknown> = {};
  for (const [native, value] of Object.entries(payload)) {
    if (native === nameField) continue;
    const renamed = Object.hasOwn(names, native) ? names[native] : undefined;
    const isOurs = renamed === undefined && (taken.has(native) || native.startsWith(prefix));
    const name = isOurs ? prefix + native : (renamed ?? native);
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (isArguments(spec) && (!isObject(value) || isWrapper(value))) define(data, name, { [wrapper]: value });
    else define(data, spec === undefined || fits(spec, value) ? name : prefix + native, value);
  }
  return data;
}

/** The payload again, as the agent sent it: what `toOurFields` did, undone. */
export function toNativeFields(event: EventName, nativeEvent: string, data: Json): Record<string, unknown> {
  const nativeNames = new Map(
    Object.entries(ourNames[event] ?? {}).map(([native, ours]) => [ours, native] as const),
  );
  const payload: Record<string, unknown> = { [nameField]: nativeEvent };
  for (const [name, value] of Object.entries(data)) {
    if (name.startsWith(prefix)) define(payload, name.slice(prefix.length), value);
    else define(payload, nativeNames.get(name) ?? name, nativeValue(value));
  }
  return payload;
}

/** A field's value as the agent has it. */
export function nativeValue(value: unknown): unknown {
  return isWrapper(value) ? value[wrapper] : value;
}

/** The two required objects, `tool_input` of both events, are the arguments of a call: there may be any JSON there. */
function isArguments(spec: Field | undefined): boolean {
  return spec?.isRequired === true && spec.type === "object";
}

function isWrapper(value: unknown): value is { readonly [wrapper]: unknown } {
  return isObject(value) && Object.hasOwn(value, wrapper) && Object.keys(value).length === 1;
}

/** `__proto__` is a name like any other here; the check of payloads refuses it later. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
