import { shellQuoted } from "../../base/shell-quote.ts";
import { type EventName, rowOf } from "../../engine/events/names.ts";
import { ownCommand } from "../own-command.ts";
import type { Field, FieldType } from "../../engine/events/schema.ts";

/** What a scaffold denies: a text nobody sends by chance. */
export const denied = "DO-NOT";

/** Fields that say best what an event is about, where it has one of them. */
const telling = ["prompt", "goal", "message", "last_assistant_message"];

/** A payload the event accepts, with `text` where the scaffold looks. */
export function samplePayload(event: EventName, text: string): Record<string, unknown> {
  const required = Object.entries(rowOf(event).payload).filter(([, { isRequired }]) => isRequired);
  const fields = Object.fromEntries(required.map(([name, field]) => [name, sampleValue(field)]));
  if (isToolEvent(event)) return { ...fields, tool_name: "Bash", tool_input: { command: text } };
  return { ...fields, [subjectField(event)]: text };
}

/** A shell line that has the hooks called for an event, with a payload it accepts. */
export function commandToTry(event: EventName): string {
  const payload = shellQuoted(JSON.stringify(samplePayload(event, "example")));
  return `printf %s ${payload} | ${ownCommand()} hooks test ${event} --file /dev/stdin`;
}

/** Where the scaffold looks, as JavaScript. */
export function subjectOf(event: EventName): string {
  return isToolEvent(event) ? "data.tool_input?.command" : `data.${subjectField(event)}`;
}

/** A value as JavaScript, with bare keys. */
export function literal(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, part]) => `${name}: ${literal(part)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function isToolEvent(event: EventName): boolean {
  return "tool_input" in rowOf(event).payload;
}

/** A field that holds text: a telling one, else the one matchers read, else the first. */
function subjectField(event: EventName): string {
  const { payload, matches } = rowOf(event);
  const candidates = [...telling, ...(matches === null ? [] : [matches]), ...Object.keys(payload)];
  return candidates.find((name) => payload[name]?.type === "string") ?? "note";
}

function sampleValue({ type, values }: Field): unknown {
  return values?.[0] ?? examples[type];
}

const examples: Readonly<Record<FieldType, unknown>> = {
  string: "example",
  strings: [],
  number: 1,
  integer: 1,
  boolean: true,
  object: {},
  array: [],
  any: {},
};
