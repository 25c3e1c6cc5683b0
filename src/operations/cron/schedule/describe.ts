import { type CronFields, dayWords, monthWords } from "./cron-fields.ts";
import type { WallTime } from "./instant.ts";
import type { Schedule } from "./schedule.ts";

/** A schedule in words. */
export function describeSchedule(schedule: Schedule, tz: string): string {
  switch (schedule.kind) {
    case "interval":
      return `every ${duration(schedule.everyMs)}`;
    case "delay":
      return `once, ${duration(schedule.afterMs)} after it is made`;
    case "instant":
      return `once, on ${wallTime(schedule.at)} ${zoneOf(schedule.at, tz)}`;
    case "cron":
      return `${cron(schedule.fields)}, ${tz} time`;
  }
}

const durations = [
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

function duration(ms: number): string {
  const [unit, unitMs] = durations.find(([, each]) => ms % each === 0) ?? ["second", 1_000];
  const count = ms / unitMs;
  return count === 1 ? unit : `${count} ${unit}s`;
}

function wallTime({ year, month, day, hour, minute, second }: WallTime): string {
  const date = [year, two(month), two(day)].join("-");
  return `${date} at ${clock(hour, minute, second)}`;
}

function zoneOf({ offsetMinutes }: WallTime, tz: string): string {
  if (offsetMinutes === null) return `${tz} time`;
  if (offsetMinutes === 0) return "UTC";
  const minutes = Math.abs(offsetMinutes);
  return `UTC${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function cron({ seconds, minutes, hours, daysOfMonth, months, daysOfWeek }: CronFields): string {
  const inMonths = months.length === 12 ? "" : ` in ${list(months, (month) => monthWords[month - 1] ?? "")}`;
  const onDays = days(daysOfMonth, daysOfWeek);
  // "every 5 minutes" says it already.
  const isSaid = onDays === everyDay && hours.length === 24;
  return `${times(seconds, minutes, hours)}${isSaid ? "" : ` ${onDays}`}${inMonths}`;
}

const everyDay = "every day";

/** More times of day than these are told as minutes and hours. */
const maxClocks = 6;

function times(seconds: readonly number[], minutes: readonly number[], hours: readonly number[]): string {
  if (hours.length * minutes.length * seconds.length <= maxClocks) {
    const clocks = hours.flatMap((hour) =>
      minutes.flatMap((minute) => seconds.map((second) => clock(hour, minute, second))),
    );
    return `at ${joined(clocks)}`;
  }
  const ofSeconds = seconds.length === 1 && seconds[0] === 0 ? "" : `${each("second", seconds, 60)} of `;
  if (hours.length === 24 && minutes.length === 60 && ofSeconds !== "") return ofSeconds.replace(/ of $/, "");
  const ofMinutes = `${ofSeconds}${each("minute", minutes, 60)}`;
  return hours.length === 24
    ? ofMinutes.replace(/^minute 0$/, "every hour")
    : `${ofMinutes} of ${each("hour", hours, 24)}`;
}

/** `every 5 minutes` where they come round evenly, else the values themselves. */
function each(unit: string, values: readonly number[], all: number): string {
  if (values.length === all) return `every ${unit}`;
  const step = (values[1] ?? all) - (values[0] ?? 0);
  const isEven =
    values.length > 1 &&
    values[0] === 0 &&
    step * values.length === all &&
    values.every((value, at) => value === at * step);
  if (isEven) return `every ${step} ${unit}s`;
  return `${unit}${values.length === 1 ? "" : "s"} ${list(values, String)}`;
}

function days(daysOfMonth: readonly number[] | null, daysOfWeek: readonly number[] | null): string {
  const ofWeek =
    daysOfWeek === null ? "" : `on ${list(mondayFirst(daysOfWeek), (day) => dayWords[day % 7] ?? "")}`;
  if (daysOfMonth === null) return ofWeek === "" ? everyDay : ofWeek;
  const ofMonth = `on day${daysOfMonth.length === 1 ? "" : "s"} ${list(daysOfMonth, String)} of the month`;
  return ofWeek === "" ? ofMonth : `${ofMonth} and ${ofWeek}`;
}

/** Sunday as the seventh day, so that Monday to Sunday is one stretch; alone with others before it stays first. */
function mondayFirst(daysOfWeek: readonly number[]): readonly number[] {
  return daysOfWeek[0] === 0 && daysOfWeek.at(-1) === 6 ? [...daysOfWeek.slice(1), 7] : daysOfWeek;
}

/** `1, 2, 3, 7` as `1 to 3 and 7`. */
function list(values: readonly number[], word: (value: number) => string): string {
  const parts: string[] = [];
  for (let at = 0; at < values.length; ) {
    let end = at;
    while ((values[end + 1] ?? Number.NaN) === (values[end] ?? 0) + 1) end++;
    const [first, last] = [word(values[at] ?? 0), word(values[end] ?? 0)];
    if (end - at >= 2) parts.push(`${first} to ${last}`);
    else parts.push(...values.slice(at, end + 1).map(word));
    at = end + 1;
  }
  return joined(parts);
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function clock(hour: number, minute: number, second: number): string {
  return [hour, minute, ...(second === 0 ? [] : [second])].map(two).join(":");
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
