import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { parseCronFields } from "./cron-fields.ts";
import { openTimetable, type Timetable } from "./timetable.ts";
import { WallClock } from "./wall-clock.cases.ts";
import { wordsOf } from "./words.ts";

const from = Date.UTC(2026, 0, 1);
const until = Date.UTC(2027, 0, 1);
const minute = 60_000;

/** Half an hour of summer time, gaps at midnight, a month without it in the middle of it, quarters of an hour. */
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "America/Havana",
  "Asia/Kathmandu",
  "Pacific/Chatham",
  "Africa/Casablanca",
  "America/Santiago",
];

const expressions = [
  "30 2 * * *",
  "0 0 * * *",
  "30 1 * * *",
  "0 9 * * MON-FRI",
  "15 */6 * * *",
  "0,30 2 * * *",
  "45 23 1,15 * SUN",
  "0 12 31 * *",
  "30 3 * MAR,APR,SEP-NOV *",
  "0 0 29 2 *",
];

const table = (schedule: string, tz: string): Promise<Timetable> =>
  openTimetable({ schedule, tz, anchorMs: from });
const fieldsOf = (expression: string) => parseCronFields(expression, wordsOf(expression));

/** From just before the first moment to the last one of the year. */
function all(timetable: Timetable, fromMs = from, untilMs = until): number[] {
  const found: number[] = [];
  for (let ms = timetable.next(fromMs - 1); ms !== null && ms < untilMs; ms = timetable.next(ms))
    found.push(ms);
  return found;
}

const iso = (times: readonly number[]): string[] => times.map((ms) => new Date(ms).toISOString());

for (const zone of zones) {
  suite(`a year in ${zone}`, () => {
    const clock = new WallClock(zone, from, until);

    for (const expression of expressions) {
      test(`${expression} fires when the rule says, and never else`, async () => {
        assert.deepEqual(iso(all(await table(expression, zone))), iso(clock.due(fieldsOf(expression))));
      });
    }

    test("every minute around each setting of the clock is as the rule says", async () => {
      for (const setAt of clock.transitions) {
        const [first, last] = [setAt - 200 * minute, setAt + 200 * minute];
        const isAsTheRuleSays = async (expression: string) => {
          const found = all(await table(expression, zone), first, last);
          assert.deepEqual(iso(found), iso(clock.due(fieldsOf(expression), first, last)), expression);
        };
        await isAsTheRuleSays("* * * * *");
        // Every time of day that is shown, left out or shown twice in these hours, as a job of its own.
        const shown = new Set<string>();
        const jump = Math.abs(clock.shown(setAt) - clock.shown(setAt - minute)) + minute;
        for (let ms = clock.shown(setAt) - jump; ms <= clock.shown(setAt) + jump; ms += minute) {
          const date = new Date(ms);
          shown.add(`${date.getUTCMinutes()} ${date.getUTCHours()} * * *`);
        }
        for (const expression of shown) await isAsTheRuleSays(expression);
      }
    });

    test("the slots before a time are those that came before it", async () => {
      for (const expression of ["30 2 * * *", "15 */6 * * *"]) {
        const timetable = await table(expression, zone);
        const due = clock.due(fieldsOf(expression));
        for (const moment of [...clock.transitions, until - 1]) {
          const before = due.filter((ms) => ms <= moment).slice(-5);
          assert.deepEqual(iso(timetable.last(before.length, moment)), iso(before));
        }
        const [third = 0] = due.slice(2);
        assert.deepEqual(iso(timetable.last(2, third)), iso(due.slice(1, 3)));
      }
    });
  });
}

test("any expression in any of the zones fires when the rule says", async () => {
  const clocks = new Map(zones.map((zone) => [zone, new WallClock(zone, from, until)]));
  const value = (min: number, max: number) => fc.integer({ min, max });
  const range = (min: number, max: number) =>
    fc.tuple(value(min, max), value(min, max)).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const field = (min: number, max: number) =>
    fc.oneof({ weight: 3, arbitrary: value(min, max).map(String) }, range(min, max), fc.constant("*"));
  const days = (min: number, max: number) => fc.oneof(fc.constant("*"), fc.constant("*"), field(min, max));
  const expression = fc
    .tuple(
      value(0, 59),
      fc.oneof(value(0, 4).map(String), field(0, 23)),
      days(1, 28),
      days(1, 12),
      days(0, 7),
    )
    .map((fields) => fields.join(" "));
  await fc.assert(
    fc.asyncProperty(expression, fc.constantFrom(...zones), async (written, zone) => {
      // Around a setting of the clock, if there is one: a whole year takes too long for each.
      const setAt = clocks.get(zone)?.transitions.at(-1) ?? Date.UTC(2026, 5, 1);
      const [first, last] = [setAt - 3 * 86_400_000, setAt + 3 * 86_400_000];
      const expected = clocks.get(zone)?.due(fieldsOf(written), first, last).slice(0, 30) ?? [];
      const found = all(await table(written, zone), first, (expected.at(-1) ?? last - 1) + 1);
      assert.deepEqual(iso(found), iso(expected));
    }),
    { numRuns: 60 },
  );
});

test("02:30 in the spring gap fires at 03:00, and 02:30 in the autumn fold at the first one", async () => {
  const night = async (schedule: string, day: number) => {
    const timetable = await table(schedule, "Europe/Berlin");
    return iso(all(timetable, day, day + 6 * 3_600_000));
  };
  const [spring, autumn] = [Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 9, 24, 22)];
  assert.deepEqual(await night("30 2 * * *", spring), ["2026-03-29T01:00:00.000Z"]);
  assert.deepEqual(await night("30 2 * * *", autumn), ["2026-10-25T00:30:00.000Z"]);
  assert.deepEqual(await night("0,30 2 * * *", spring), []);
  assert.deepEqual(await night("0,30 2 * * *", autumn), [
    "2026-10-25T00:00:00.000Z",
    "2026-10-25T00:30:00.000Z",
    "2026-10-25T01:00:00.000Z",
    "2026-10-25T01:30:00.000Z",
  ]);
});

test("a time without an offset is one on the wall clock, and the gap and the fold hold for it as well", async () => {
  const at = async (schedule: string) => iso([(await table(schedule, "Europe/Berlin")).next(from) ?? 0])[0];
  assert.equal(await at("2026-07-01T12:00"), "2026-07-01T10:00:00.000Z");
  assert.equal(await at("2026-03-29T02:30"), "2026-03-29T01:00:00.000Z");
  assert.equal(await at("2026-10-25T02:30"), "2026-10-25T00:30:00.000Z");
  assert.equal(await at("2026-07-01T12:00+05:30"), "2026-07-01T06:30:00.000Z");
});

test("an interval counts elapsed time from when it was made, across every setting of the clock", async () => {
  const anchorMs = Date.UTC(2026, 2, 28, 12, 0, 7, 250);
  const daily = await openTimetable({ schedule: "every 1d", tz: "Europe/Berlin", anchorMs });
  assert.deepEqual(
    [daily.next(anchorMs), daily.next(anchorMs + 86_400_000), daily.next(anchorMs - 1e12)],
    [1, 2, 1].map((days) => anchorMs + days * 86_400_000),
  );
  assert.deepEqual(daily.last(3, anchorMs), []);
  assert.deepEqual(
    daily.last(3, anchorMs + 86_400_000 * 2.5),
    [1, 2].map((days) => anchorMs + days * 86_400_000),
  );
  assert.deepEqual(daily.last(1, anchorMs + 86_400_000 * 2), [anchorMs + 2 * 86_400_000]);
});

test("a delay and an instant are due once", async () => {
  const delay = await openTimetable({ schedule: "in 30m", tz: "UTC", anchorMs: from });
  const due = from + 30 * minute;
  assert.deepEqual([delay.next(from), delay.next(due - 1), delay.next(due)], [due, due, null]);
  assert.deepEqual([delay.last(5, due - 1), delay.last(5, due), delay.last(0, due)], [[], [due], []]);
});
