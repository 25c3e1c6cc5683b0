import { misread } from "./misread.ts";
import type { Word } from "./words.ts";

/** A date and a time of day; with an offset it is an instant wherever one is. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Minutes east of UTC; null: the clock on the wall of the job's zone. */
  readonly offsetMinutes: number | null;
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?$/i;
const expected = "a date and time such as 2026-05-15T09:00Z, 2026-05-15T09:00:30+02:00 or 2026-05-15T09:00";

/** `2026-05-15T09:00Z`. Midnight when there is no time; fractions of a second are left out. */
export function parseInstant(schedule: string, words: readonly Word[]): WallTime {
  const from = words[0]?.at ?? 0;
  const text = schedule.slice(from).trimEnd();
  const match = pattern.exec(text);
  if (match === null)
    throw misread(schedule, from, `${JSON.stringify(text)} is no date, expected ${expected}`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const offsetMinutes = offsetOf(match[7]);
  const parts = { year, month, day, hour, minute, second };
  checkParts(schedule, from, parts);
  if (offsetMinutes !== null && Math.abs(offsetMinutes) > 24 * 60)
    throw misread(
      schedule,
      from + text.length - (match[7]?.length ?? 0),
      "expected an offset of less than a day",
    );
  return { ...parts, offsetMinutes };
}

/** Where each part stands, and what it may be. */
const parts = [
  ["month", 5, 1, 12],
  ["day", 8, 1, 31],
  ["hour", 11, 0, 23],
  ["minute", 14, 0, 59],
  ["second", 17, 0, 59],
] as const;

function checkParts(schedule: string, from: number, given: Omit<WallTime, "offsetMinutes">): void {
  for (const [part, at, min, max] of parts) {
    if (given[part] >= min && given[part] <= max) continue;
    throw misread(schedule, from + at, `${given[part]} is no ${part}, expected ${min} to ${max}`);
  }
  const { year, month, day } = given;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day > lastDay)
    throw misread(schedule, from + 8, `that month has ${lastDay} days, expected 1 to ${lastDay}`);
}

function offsetOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (text.toUpperCase() === "Z") return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return text.startsWith("-") ? -minutes : minutes;
}
