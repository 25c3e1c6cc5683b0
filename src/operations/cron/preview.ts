import { describeSchedule } from "./schedule/describe.ts";
import { parseSchedule } from "./schedule/schedule.ts";
import { checkTimeZone, localTimeZone } from "./schedule/time-zone.ts";
import { firstSlot, openTimetable } from "./schedule/timetable.ts";
import { iso } from "./slots.ts";

export interface Preview {
  readonly schedule: string;
  readonly tz: string;
  readonly meaning: string;
  /** The next ten; none when its only time has passed. */
  readonly runs: readonly { readonly at: string; readonly local: string }[];
}

const count = 10;

/** What a schedule means and when it would run, if the job were made now. One that no date fits is refused. */
export async function previewSchedule(
  schedule: string,
  zone: string | undefined,
  nowMs: number,
): Promise<Preview> {
  const tz = checkTimeZone(zone ?? localTimeZone());
  const parsed = parseSchedule(schedule);
  const options = { schedule, tz, anchorMs: nowMs };
  if (parsed.kind === "cron") await firstSlot(options, nowMs);
  const timetable = await openTimetable(options);
  const slots: number[] = [];
  for (let slot = timetable.next(nowMs); slot !== null && slots.length < count; slot = timetable.next(slot))
    slots.push(slot);
  const runs = slots.map((slot) => ({ at: iso(slot), local: localTime(slot, tz) }));
  return { schedule, tz, meaning: describeSchedule(parsed, tz), runs };
}

/** As a clock in the zone shows it: `Tue 2026-11-17 03:00:00 CET`. */
function localTime(ms: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  });
  const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const date = `${part.weekday} ${part.year}-${part.month}-${part.day}`;
  return `${date} ${part.hour}:${part.minute}:${part.second} ${part.timeZoneName}`;
}
