import { SwarmError } from "../../../base/errors.ts";

/** Whether a moment lies in the window. */
export type TimeWindow = (nowMs: number) => boolean;

const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const form =
  /^(?:([A-Za-z]{3}(?:[-,][A-Za-z]{3})*)(?:\s+|$))?(?:(\d{2}):(\d{2})-(\d{2}):(\d{2})(?:\s+|$))?([A-Za-z_+\-/0-9]+)?$/;

/**
 * `Mon-Fri 09:00-17:00 Europe/Berlin`. Days, hours and zone may be left out: every day, all day, this machine's zone. Hours
 * that end before they begin (`22:00-06:00`) go on into the next day, and belong to the day they begin on.
 */
export function compileTimeWindow(where: string, text: string): TimeWindow {
  const invalid = (problem: string) =>
    new SwarmError("SWARM_MATCHER_INVALID", { where, pattern: text, problem });
  const [whole, daysText, fromHour, fromMinute, toHour, toMinute, zone] = form.exec(text.trim()) ?? [];
  if (whole === undefined || (daysText === undefined && fromHour === undefined)) {
    throw invalid("expected days, hours or both, as in Mon-Fri 09:00-17:00");
  }
  const from = fromHour === undefined ? 0 : minutes(fromHour, fromMinute);
  const to = toHour === undefined ? 24 * 60 : minutes(toHour, toMinute);
  if (from === null || to === null || from === to)
    throw invalid("expected hours from 00:00 to 24:00 that differ");
  const wanted = daysText === undefined ? new Set(days.keys()) : readDays(daysText);
  if (wanted === null) throw invalid("expected days as Mon, Mon-Fri or Sat,Sun");
  const clock = clockOf(zone);
  if (clock === null) throw invalid(`${zone} is no time zone, expected one as Europe/Berlin`);
  return (nowMs) => {
    const { day, minute } = clock(nowMs);
    const yesterday = (day + 6) % 7;
    if (from < to) return wanted.has(day) && minute >= from && minute < to;
    return (wanted.has(day) && minute >= from) || (wanted.has(yesterday) && minute < to);
  };
}

function minutes(hour: string, minute = "0"): number | null {
  const total = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && total <= 24 * 60 ? total : null;
}

/** `fri-mon` goes round the end of the week. */
function readDays(text: string): Set<number> | null {
  const wanted = new Set<number>();
  for (const part of text.toLowerCase().split(",")) {
    const [first = "", last = first, more] = part.split("-");
    const [from, to] = [days.indexOf(first), days.indexOf(last)];
    if (from === -1 || to === -1 || more !== undefined) return null;
    for (let day = from; ; day = (day + 1) % 7) {
      wanted.add(day);
      if (day === to) break;
    }
  }
  return wanted;
}

function clockOf(zone: string | undefined): ((nowMs: number) => { day: number; minute: number }) | null {
  if (zone === undefined) {
    return (nowMs) => {
      const local = new Date(nowMs);
      return { day: local.getDay(), minute: local.getHours() * 60 + local.getMinutes() };
    };
  }
  try {
    const parts = { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, ...parts });
    return (nowMs) => {
      const found = Object.fromEntries(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
      const day = days.indexOf(found.weekday?.toLowerCase() ?? "");
      return { day, minute: Number(found.hour) * 60 + Number(found.minute) };
    };
  } catch {
    return null; // a RangeError: no such zone
  }
}
