import type { JsonObject } from "../../../../engine/events/schema.ts";

/** A field by its name; `a.b` is field b of a, unless the record has a field of just that name. */
export function fieldOf(record: JsonObject, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  if (!name.includes(".")) return undefined;
  let value: unknown = record;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as JsonObject)[part];
  }
  return value;
}
