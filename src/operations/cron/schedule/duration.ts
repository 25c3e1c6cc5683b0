import { misread } from "./misread.ts";
import type { Word } from "./words.ts";

const second = 1_000;
const units: readonly (readonly [name: RegExp, ms: number])[] = [
  [/^(s|secs?|seconds?)$/, second],
  [/^(m|mins?|minutes?)$/, 60 * second],
  [/^(h|hours?)$/, 3_600 * second],
  [/^(d|days?)$/, 86_400 * second],
  [/^(w|weeks?)$/, 7 * 86_400 * second],
];
const maxDays = 3_650;
const expected = "a number and a unit such as 90s, 30m, 2h, 1d or 1w";

/** `30m`, `2h`, `2 hours`. A day is 24 hours and a week seven of them, also when a clock is set in between. */
export function durationMs(schedule: string, words: readonly Word[]): number {
  const [first, second, third] = words;
  if (first === undefined) throw misread(schedule, schedule.length, `expected ${expected}`);
  const count = /^\d{1,9}/.exec(first.text)?.[0] ?? "";
  if (count === "")
    throw misread(schedule, first.at, `${show(first.text)} is no duration, expected ${expected}`);
  const attached = first.text.slice(count.length);
  const unit = attached === "" ? second : { text: attached, at: first.at + count.length };
  if (unit === undefined)
    throw misread(schedule, first.at + count.length, `a unit is missing, expected ${expected}`);
  const excess = attached === "" ? third : second;
  if (excess !== undefined)
    throw misread(schedule, excess.at, `${show(excess.text)} is too much, expected ${expected}`);
  const [, unitMs] = units.find(([name]) => name.test(unit.text.toLowerCase())) ?? [];
  if (unitMs === undefined)
    throw misread(schedule, unit.at, `${show(unit.text)} is no unit of time, expected s, m, h, d or w`);
  const ms = Number(count) * unitMs;
  if (ms >= 1_000 && ms <= maxDays * 86_400_000) return ms;
  throw misread(schedule, first.at, `expected from 1 second to ${maxDays} days`);
}

function show(text: string): string {
  return JSON.stringify(text);
}
