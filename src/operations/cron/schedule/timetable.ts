import type { Cron } from "croner";
import { SwarmError } from "../../../base/errors.ts";
import type { CronFields } from "./cron-fields.ts";
import type { WallTime } from "./instant.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";

/** When a schedule is due. All times are Unix milliseconds, on whole seconds for what goes by the wall clock. */
export interface Timetable {
  /** The first slot after this time; null when there is none. */
  next(afterMs: number): number | null;
  /** The last slots up to this time and including it, oldest first. */
  last(count: number, untilMs: number): number[];
}

export interface TimetableOptions {
  readonly schedule: string;
  readonly tz: string;
  /** From when intervals and delays are counted. */
  readonly anchorMs: number;
}

/**
 * The slots of a schedule. At both ends of summer time the rule is:
 *
 * - A job with one time of day runs on every day its expression names, once. If the clock leaves that time out, it runs
 *   at the moment the clock jumps; if the clock shows it twice, the first time.
 * - A job with several times of day runs whenever the clock shows one of them: those that are left out do not run,
 *   those that are shown twice run twice.
 * - Intervals count elapsed time and know nothing of it.
 */
export async function openTimetable({ schedule, tz, anchorMs }: TimetableOptions): Promise<Timetable> {
  const parsed = parseSchedule(schedule);
  switch (parsed.kind) {
    case "interval":
      return interval(parsed.everyMs, anchorMs);
    case "delay":
      return once(anchorMs + parsed.afterMs);
    case "instant":
      return once(await instantMs(parsed.at, tz));
    case "cron":
      return wallClock(await cronFor(expressionOf(parsed.fields), tz));
  }
}

/** The first slot after a time, of a schedule that has one: whoever makes a job that never runs should hear of it. */
export async function firstSlot(options: TimetableOptions, afterMs: number): Promise<number> {
  const next = (await openTimetable(options)).next(afterMs);
  if (next !== null) return next;
  const { schedule, tz } = options;
  throw new SwarmError("SWARM_SCHEDULE_NEVER", { schedule, problem: whyNever(parseSchedule(schedule), tz) });
}

function whyNever({ kind }: Schedule, tz: string): string {
  return kind === "cron" ? "no date fits it" : `that time has passed (time zone ${tz})`;
}

function interval(everyMs: number, anchorMs: number): Timetable {
  const at = (count: number): number => anchorMs + count * everyMs;
  // The first is one interval after the start, not at it.
  const countUntil = (ms: number): number => Math.max(0, Math.floor((ms - anchorMs) / everyMs));
  return {
    next: (afterMs) => at(countUntil(afterMs) + 1),
    last(count, untilMs) {
      const newest = countUntil(untilMs);
      const first = Math.max(1, newest - count + 1);
      return Array.from({ length: Math.max(0, newest - first + 1) }, (_, index) => at(first + index));
    },
  };
}

function once(atMs: number): Timetable {
  return {
    next: (afterMs) => (atMs > afterMs ? atMs : null),
    last: (count, untilMs) => (count > 0 && atMs <= untilMs ? [atMs] : []),
  };
}

function wallClock(cron: Cron): Timetable {
  return {
    next: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() ?? null,
    // The library looks at what lies before a time.
    last: (count, untilMs) =>
      cron
        .previousRuns(count, new Date(untilMs + 1_000 - (untilMs % 1_000)))
        .map((date) => date.getTime())
        .reverse(),
  };
}

/** Times on the wall clock are found as the only run of an expression with a year, so that the rule above holds. */
async function instantMs(at: WallTime, tz: string): Promise<number> {
  const { year, month, day, hour, minute, second, offsetMinutes } = at;
  const utcMs = Date.UTC(year, month - 1, day, hour, minute, second);
  if (offsetMinutes !== null) return utcMs - offsetMinutes * 60_000;
  const cron = await cronFor(`${second} ${minute} ${hour} ${day} ${month} * ${year}`, tz);
  const found = cron.nextRun(new Date(utcMs - 2 * 86_400_000));
  // A day that was left out as a whole, as in Samoa in 2011, has no such time.
  return found?.getTime() ?? utcMs;
}

/** As the library reads it; a list of all values and `*` are the same but for days. */
function expressionOf(fields: CronFields): string {
  const { seconds, minutes, hours, daysOfMonth, months, daysOfWeek } = fields;
  const listed = (values: readonly number[], all: number): string =>
    values.length === all ? "*" : values.join(",");
  return [
    listed(seconds, 60),
    listed(minutes, 60),
    listed(hours, 24),
    daysOfMonth?.join(",") ?? "*",
    listed(months, 12),
    daysOfWeek?.join(",") ?? "*",
  ].join(" ");
}

/** Reading an expression takes 0.2 ms, as long as finding its next run; jobs share a handful of them. */
const maxKept = 1_000;
const kept = new Map<string, Cron>();

async function cronFor(expression: string, tz: string): Promise<Cron> {
  const key = `${tz} ${expression}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const { Cron } = await import("croner");
  const mode = expression.split(" ").length === 7 ? "7-part" : "6-part";
  const cron = new Cron(expression, { timezone: tz, mode });
  const [oldest] = kept.keys();
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
  kept.set(key, cron);
  return cron;
}
