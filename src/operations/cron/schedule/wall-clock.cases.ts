/**
 * When a cron expression is due in a zone, by the rule as docs/cron.md states it and in the plainest way: every minute of
 * the year is looked at. It shares no code with what it checks but the values a field allows.
 */
import type { CronFields } from "./cron-fields.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A stretch of time with one distance from UTC. */
interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly offsetMs: number;
}

export class WallClock {
  readonly #format: Intl.DateTimeFormat;
  readonly stretches: readonly Stretch[];

  constructor(zone: string, fromMs: number, untilMs: number) {
    this.#format = new Intl.DateTimeFormat("en-u-ca-iso8601", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    this.stretches = this.#find(fromMs, untilMs);
  }

  /** The moments at which the clock is set. */
  get transitions(): number[] {
    return this.stretches.slice(1).map(({ fromMs }) => fromMs);
  }

  /** What the clock shows, as if it were UTC. */
  shown(ms: number): number {
    return ms + (this.stretches.find(({ untilMs }) => ms < untilMs)?.offsetMs ?? 0);
  }

  /** Every moment the expression is due at, of these. */
  due(fields: CronFields, earliestMs = 0, beforeMs = Number.POSITIVE_INFINITY): number[] {
    const { seconds, minutes, hours } = fields;
    const isFixed = seconds.length === 1 && minutes.length === 1 && hours.length === 1;
    const found = new Set<number>();
    for (const [at, { fromMs, untilMs, offsetMs }] of this.stretches.entries()) {
      const before = this.stretches[at - 1];
      const firstMs = Math.ceil(Math.max(fromMs, earliestMs) / minuteMs) * minuteMs;
      for (let ms = firstMs; ms < Math.min(untilMs, beforeMs); ms += minuteMs) {
        const shown = ms + offsetMs;
        // Shown before: the clock was set back over it.
        const isSecond = before !== undefined && shown < fromMs + before.offsetMs;
        if (fits(fields, shown) && !(isFixed && isSecond)) found.add(ms);
      }
      if (before === undefined || !isFixed || fromMs < earliestMs || fromMs >= beforeMs) continue;
      // Left out by the clock: due when it jumps, if that is on the same day.
      for (let shown = fromMs + before.offsetMs; shown < fromMs + offsetMs; shown += minuteMs) {
        const isSameDay = Math.floor(shown / dayMs) === Math.floor((fromMs + offsetMs) / dayMs);
        if (fits(fields, shown) && isSameDay) found.add(fromMs);
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  #find(fromMs: number, untilMs: number): Stretch[] {
    const stretches: Stretch[] = [];
    let startMs = fromMs;
    for (let ms = fromMs; ms < untilMs; ms += dayMs) {
      const nextMs = Math.min(ms + dayMs, untilMs);
      if (this.#offset(ms) === this.#offset(nextMs)) continue;
      const setAtMs = this.#between(ms, nextMs);
      stretches.push({ fromMs: startMs, untilMs: setAtMs, offsetMs: this.#offset(startMs) });
      startMs = setAtMs;
    }
    return [...stretches, { fromMs: startMs, untilMs, offsetMs: this.#offset(startMs) }];
  }

  #between(fromMs: number, untilMs: number): number {
    const [offset] = [this.#offset(fromMs)];
    let [low, high] = [fromMs, untilMs];
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000;
      if (this.#offset(middle) === offset) low = middle;
      else high = middle;
    }
    return high;
  }

  #offset(ms: number): number {
    const parts = Object.fromEntries(
      this.#format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - ms;
  }
}

function fits(fields: CronFields, shownMs: number): boolean {
  const date = new Date(shownMs);
  const { minutes, hours, daysOfMonth, months, daysOfWeek } = fields;
  if (!minutes.includes(date.getUTCMinutes()) || !hours.includes(date.getUTCHours())) return false;
  if (!months.includes(date.getUTCMonth() + 1)) return false;
  const isOfMonth = daysOfMonth?.includes(date.getUTCDate());
  const isOfWeek = daysOfWeek?.includes(date.getUTCDay());
  if (isOfMonth === undefined || isOfWeek === undefined) return (isOfMonth ?? true) && (isOfWeek ?? true);
  return isOfMonth || isOfWeek;
}
