import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { idPattern } from "../../base/ids.ts";
import { suggest } from "../../base/suggest.ts";
import { type Field, type Fields, misfit } from "../../engine/events/schema.ts";
import type { Route, RouteInput } from "./route.ts";

/** What came over the wire, before it is known to fit. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The input of a route, every value checked; a value nobody asked for is a mistake somebody should hear of. */
export function readInput(route: Route, raw: RawInput): RouteInput<Fields, Fields, Fields> {
  for (const [name, value] of Object.entries(raw.params)) {
    if (!idPattern.test(value))
      throw invalidOption("path", name, "letters, digits, _ and -, at most 64", value);
  }
  const query = Object.fromEntries(
    Object.entries(raw.query).map(([name, text]) => [name, fromText(route.query[name], text)]),
  );
  return {
    params: check("path", route.params, raw.params),
    query: check("query", route.query, query),
    body: route.body === null ? {} : check("body", route.body, objectOf(raw.body)),
  };
}

function check(where: string, fields: Fields, values: Readonly<Record<string, unknown>>) {
  for (const name of Object.keys(values)) {
    if (Object.hasOwn(fields, name)) continue;
    const suggestion = suggest(name, Object.keys(fields));
    throw new SwarmError("SWARM_OPTION_UNKNOWN", { where, option: name, suggestion });
  }
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (value === undefined && !field.isRequired) continue;
    const expected = misfit(field, value);
    if (expected !== null) throw invalidOption(where, name, expected, value);
  }
  return values;
}

function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === "object" && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw invalidOption("request", "body", "a JSON object", body);
}

/** A text that is none of the type's values stays one, and is refused as such. */
function fromText(field: Field | undefined, text: string): unknown {
  if (field?.type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (field?.type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
