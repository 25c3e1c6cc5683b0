import { isDeepStrictEqual } from "node:util";
import type { Outcome } from "../../engine/events/outcome.ts";
import type { DecodedCall } from "../port/adapter.ts";
import { isObject } from "./paths.ts";

type Data = Readonly<Record<string, unknown>>;

/** The fields hooks have given another value. */
export function changedFields(before: DecodedCall["data"], after: Data): string[] {
  return Object.keys(after).filter((field) => isChanged(before, after, field));
}

export function isChanged(before: Data, after: Data, field: string): boolean {
  const [was, is] = [own(before, field), own(after, field)];
  return was !== is && !isDeepStrictEqual(was, is);
}

/** The payload with one field as it came. */
export function withoutChange(before: Data, after: Data, field: string): Outcome["data"] {
  const { [field]: _, ...rest } = after;
  const data = Object.hasOwn(before, field) ? { ...rest, [field]: before[field] } : rest;
  // Of the same event as before: only values of its own payload were put back.
  return data as Outcome["data"];
}

/**
 * Whether a value could stand where the other did: of the same JSON type, and an object with every key the other has,
 * each again of its type. Nothing is known of what was null.
 */
export function hasSameShape(before: unknown, after: unknown): boolean {
  if (before === null) return true;
  if (typeOf(before) !== typeOf(after)) return false;
  if (!isObject(before) || !isObject(after)) return true;
  return Object.entries(before).every(
    ([key, was]) => was === null || typeOf(was) === typeOf(own(after, key)),
  );
}

/** Levels of arrays and objects. */
export function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((deepest, item) => Math.max(deepest, depthOf(item)), 0);
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function own(data: Data, field: string): unknown {
  return Object.hasOwn(data, field) ? data[field] : undefined;
}
