import { invalidOption } from "../../base/invalid-option.ts";
import { idPattern } from "../../base/ids.ts";
import { checkFields } from "../../engine/events/check-fields.ts";
import type { Field, Fields, JsonObject } from "../../engine/events/schema.ts";
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

function check(where: string, fields: Fields, values: JsonObject) {
  checkFields(where, fields, values);
  return values;
}

function objectOf(body: unknown): JsonObject {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as JsonObject;
  throw invalidOption("request", "body", "a JSON object", body);
}

/** A text that is none of the type's values stays one, and is refused as such. */
function fromText(field: Field | undefined, text: string): unknown {
  if (field?.type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (field?.type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
