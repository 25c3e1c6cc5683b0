import { misread } from "./misread.ts";
import type { Word } from "./words.ts";

/** A cron expression as the values each field allows, ascending. */
export interface CronFields {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Null: any, written `*`. When days of the month and of the week are both given, either will do. */
  readonly daysOfMonth: readonly number[] | null;
  readonly months: readonly number[];
  /** 0 is Sunday. */
  readonly daysOfWeek: readonly number[] | null;
}

export const monthWords: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
export const dayWords: readonly string[] = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
];

const shortNames = (words: readonly string[]): readonly string[] =>
  words.map((word) => word.slice(0, 3).toUpperCase());
const monthNames = shortNames(monthWords);
const dayNames = shortNames(dayWords);

interface FieldRow {
  readonly word: string;
  readonly min: number;
  readonly max: number;
  /** The first stands for `min`. */
  readonly names: readonly string[];
}

/** In the order they are written; the first may be left out. */
const rows = {
  seconds: { word: "second", min: 0, max: 59, names: [] },
  minutes: { word: "minute", min: 0, max: 59, names: [] },
  hours: { word: "hour", min: 0, max: 23, names: [] },
  daysOfMonth: { word: "day of the month", min: 1, max: 31, names: [] },
  months: { word: "month", min: 1, max: 12, names: monthNames },
  // 7 is Sunday as well.
  daysOfWeek: { word: "day of the week", min: 0, max: 7, names: dayNames },
} as const satisfies Readonly<Record<keyof CronFields, FieldRow>>;

const order = "minute, hour, day of the month, month and day of the week";

/** Five fields, or six with seconds before them. */
export function parseCronFields(schedule: string, words: readonly Word[]): CronFields {
  const excess = words[6];
  if (excess !== undefined)
    throw misread(
      schedule,
      excess.at,
      `a seventh field, expected five (${order}) or six, with seconds first`,
    );
  if (words.length < 5)
    throw misread(
      schedule,
      schedule.trimEnd().length,
      `${words.length} fields, expected five: ${order}; or six, with seconds first`,
    );
  const [second, minute, hour, dayOfMonth, month, dayOfWeek] = words.length === 5 ? [null, ...words] : words;
  const read = (row: FieldRow, word: Word | null | undefined) =>
    new FieldReader(schedule, row).read(word as Word);
  const weekdays = read(rows.daysOfWeek, dayOfWeek);
  return {
    seconds: second === null ? [0] : allOf(rows.seconds, read(rows.seconds, second)),
    minutes: allOf(rows.minutes, read(rows.minutes, minute)),
    hours: allOf(rows.hours, read(rows.hours, hour)),
    daysOfMonth: read(rows.daysOfMonth, dayOfMonth),
    months: allOf(rows.months, read(rows.months, month)),
    daysOfWeek: weekdays === null ? null : ascending(weekdays.map((day) => day % 7)),
  };
}

/** `*` as the values it stands for: for times of day and months it makes no difference how they were written. */
function allOf({ min, max }: FieldRow, values: number[] | null): readonly number[] {
  return values ?? Array.from({ length: max - min + 1 }, (_, index) => min + index);
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

class FieldReader {
  readonly #schedule: string;
  readonly #row: FieldRow;

  constructor(schedule: string, row: FieldRow) {
    this.#schedule = schedule;
    this.#row = row;
  }

  /** Null when any value will do. */
  read({ text, at }: Word): number[] | null {
    const values: number[] = [];
    let isAny = false;
    let from = 0;
    for (const part of text.split(",")) {
      if (part === "*") isAny = true;
      else values.push(...this.#part(part, at + from));
      from += part.length + 1;
    }
    return isAny ? null : ascending(values);
  }

  /** `5`, `MON`, `1-5`, `1-30/2`, or the stepped star. */
  #part(part: string, at: number): number[] {
    const [range = "", step, excess] = part.split("/");
    if (excess !== undefined) throw this.#misread(at + part.lastIndexOf("/"), "a second /");
    const { from, to, isRange } = this.#range(range, at);
    if (step === undefined) return steps(from, to, 1);
    if (!isRange)
      throw this.#misread(
        at + range.length,
        `a step after ${JSON.stringify(range)}, but steps need * or a range before them`,
      );
    const by = /^\d{1,3}$/.test(step) ? Number(step) : 0;
    const most = this.#row.max - this.#row.min;
    if (by >= 1 && by <= most) return steps(from, to, by);
    throw misread(
      this.#schedule,
      at + range.length + 1,
      `${JSON.stringify(step)} is no step, expected 1 to ${most}`,
    );
  }

  #range(range: string, at: number): { from: number; to: number; isRange: boolean } {
    const { min, max, names } = this.#row;
    // The seventh day is Sunday again: `*/2` must not count it twice.
    if (range === "*") return { from: min, to: names === dayNames ? 6 : max, isRange: true };
    const dash = range.indexOf("-", 1);
    if (dash === -1) {
      const value = this.#value(range, at);
      return { from: value, to: value, isRange: false };
    }
    const from = this.#value(range.slice(0, dash), at);
    const written = this.#value(range.slice(dash + 1), at + dash + 1);
    // SAT-SUN: a week may end with Sunday.
    const to = names === dayNames && written === 0 && from > 0 ? 7 : written;
    if (from <= to) return { from, to, isRange: true };
    throw this.#misread(at + dash + 1, `${JSON.stringify(range)} ends before it begins`);
  }

  #value(text: string, at: number): number {
    const { word, min, max, names } = this.#row;
    const named = names.indexOf(text.toUpperCase());
    if (named !== -1) return min + named;
    const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw this.#misread(at, text === "" ? `no ${word} is given` : `${JSON.stringify(text)} is no ${word}`);
  }

  #misread(at: number, problem: string): Error {
    const { word, min, max, names } = this.#row;
    const named = names.length === 0 ? "" : ` or ${names[0]} to ${names.at(-1)}`;
    const lists = `${min} to ${max}${named}, *, or a list, range or step of them`;
    return misread(this.#schedule, at, `${problem}, expected for the ${word} ${lists}`);
  }
}

function steps(from: number, to: number, by: number): number[] {
  const values: number[] = [];
  for (let value = from; value <= to; value += by) values.push(value);
  return values;
}
