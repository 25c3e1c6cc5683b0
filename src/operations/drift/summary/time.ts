/** Fields that hold a record's time where nobody says which does. */
const usualFields = ["timestamp", "time", "ts", "created_at", "event_time", "date"] as const;

/** From here on a number counts milliseconds: as seconds it would be the year 5138, as milliseconds it is 1973. */
const firstMs = 1e11;
const isoPattern = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** A record's time in Unix milliseconds: ISO 8601, without a zone in UTC, or a number of seconds or milliseconds. */
export function timeOf(value: unknown): number | null {
  if (typeof value === "number")
    return Number.isFinite(value) ? (value < firstMs ? value * 1_000 : value) : null;
  if (typeof value !== "string") return null;
  const match = isoPattern.exec(value);
  if (match === null) return null;
  const isLocal = value.length > 10 && match[1] === undefined;
  const timeMs = Date.parse(isLocal ? `${value}Z` : value);
  return Number.isNaN(timeMs) ? null : timeMs;
}

/** The first of the usual names under which this record has a time; null: none. */
export function usualTimeField(record: object): string | null {
  return usualFields.find((name) => timeOf(fieldAt(record, name)) !== null) ?? null;
}

/** A value by its dotted path, own keys only. */
export function fieldAt(record: unknown, path: string): unknown {
  let value: unknown = record;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
