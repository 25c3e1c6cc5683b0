import { randomUUID } from "node:crypto";

/** What every id on every surface looks like; anything else is refused before it reaches a file name or a query. */
export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * `evt_` + 9 characters of time + 20 of randomness: ids sort by the millisecond they were made in, and 80 random
 * bits keep those of one millisecond apart.
 */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  // Node keeps randomness for UUIDs at hand: 0.1 µs where `randomBytes` takes 10 to 40. Only these 80 bits are random.
  const uuid = randomUUID();
  return `${prefix}_${nowMs.toString(36).padStart(9, "0")}${uuid.slice(0, 8)}${uuid.slice(24)}`;
}
