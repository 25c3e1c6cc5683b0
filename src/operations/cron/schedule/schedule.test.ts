import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SwarmError } from "../../../base/errors.ts";
import { describeSchedule } from "./describe.ts";
import { parseSchedule } from "./schedule.ts";
import { checkTimeZone } from "./time-zone.ts";
import { firstSlot } from "./timetable.ts";

/** Schedule → what it means, in UTC. */
const meanings: Readonly<Record<string, string>> = {
  "30m": "every 30 minutes",
  "every 2h": "every 2 hours",
  "every 1 day": "every day",
  "Every 90 Seconds": "every 90 seconds",
  "1w": "every week",
  " 45s ": "every 45 seconds",
  "in 30m": "once, 30 minutes after it is made",
  "@hourly": "every hour, UTC time",
  "@daily": "at 00:00 every day, UTC time",
  "@weekly": "at 00:00 on Sunday, UTC time",
  "@monthly": "at 00:00 on day 1 of the month, UTC time",
  "@Yearly": "at 00:00 on day 1 of the month in January, UTC time",
  "0 2 * * *": "at 02:00 every day, UTC time",
  "0 3 * * *": "at 03:00 every day, UTC time",
  "30 5 0 * * *": "at 00:05:30 every day, UTC time",
  "*/5 * * * *": "every 5 minutes, UTC time",
  "* * * * *": "every minute, UTC time",
  "* * * * * *": "every second, UTC time",
  "*/10 * * * * *": "every 10 seconds, UTC time",
  "0 9,12,18 * * MON-FRI": "at 09:00, 12:00 and 18:00 on Monday to Friday, UTC time",
  "*/20 1-3 * * *": "every 20 minutes of hours 1 to 3 every day, UTC time",
  "7 */2 * * sat-sun": "minute 7 of every 2 hours on Saturday and Sunday, UTC time",
  "0 12 1,15 * 5": "at 12:00 on days 1 and 15 of the month and on Friday, UTC time",
  "0 0 1 jan-mar,DEC *": "at 00:00 on day 1 of the month in January to March and December, UTC time",
  "0 0 * * 1-7": "at 00:00 on Monday to Sunday, UTC time",
  "0 0 * * 7": "at 00:00 on Sunday, UTC time",
  "0 0 * * */2": "at 00:00 on Tuesday, Thursday, Saturday and Sunday, UTC time",
  "2026-05-15T09:00Z": "once, on 2026-05-15 at 09:00 UTC",
  "2026-05-15T09:00:30+02:00": "once, on 2026-05-15 at 09:00:30 UTC+02:00",
  "2026-05-15 09:00": "once, on 2026-05-15 at 09:00 UTC time",
  "2026-05-15": "once, on 2026-05-15 at 00:00 UTC time",
};

for (const [schedule, meaning] of Object.entries(meanings)) {
  test(`${JSON.stringify(schedule)} is ${meaning}`, () => {
    assert.equal(describeSchedule(parseSchedule(schedule), "UTC"), meaning);
  });
}

/** Schedule → position of the mistake and part of what is said. */
const mistakes: Readonly<Record<string, readonly [position: number, says: RegExp]>> = {
  "": [1, /is empty, expected one like 30m, every 2h/],
  "   ": [1, /is empty/],
  soon: [1, /"soon" is no schedule, expected one like 30m/],
  "@dayly": [1, /expected @hourly, @daily, .*did you mean @daily\?/],
  " @daily now": [9, /expected nothing after @daily/],
  every: [6, /expected a number and a unit such as 90s/],
  "every day": [7, /"day" is no duration, expected a number and a unit/],
  "every 2": [8, /a unit is missing/],
  "every 2x": [8, /"x" is no unit of time, expected s, m, h, d or w/],
  "every 2h now": [10, /"now" is too much/],
  "0m": [1, /expected from 1 second to 3650 days/],
  "in 4000 days": [4, /expected from 1 second to 3650 days/],
  "30": [3, /a unit is missing/],
  "0 25 * * *": [3, /"25" is no hour, expected for the hour 0 to 23, \*, or a list/],
  "0 2 * *": [8, /4 fields, expected five: minute, hour/],
  "0 0 2 * * * 2026": [13, /a seventh field/],
  "60 * * * *": [1, /"60" is no minute/],
  "0 0 0 * *": [5, /"0" is no day of the month/],
  "0 0 32 * *": [5, /"32" is no day of the month/],
  "0 0 1 FOO *": [7, /"FOO" is no month, expected for the month 1 to 12 or JAN to DEC/],
  "0 0 * * FRI-MON": [13, /"FRI-MON" ends before it begins/],
  "0 0 * * 8": [9, /"8" is no day of the week/],
  "0 5-3 * * *": [5, /"5-3" ends before it begins/],
  "0 1,,2 * * *": [5, /no hour is given/],
  "5/15 * * * *": [2, /a step after "5", but steps need \* or a range/],
  "*/0 * * * *": [3, /"0" is no step, expected 1 to 59/],
  "*/60 * * * *": [3, /"60" is no step, expected 1 to 59/],
  "*/5/2 * * * *": [4, /a second \//],
  "0 2 L * *": [5, /"L" is no day of the month/],
  "0 2 ? * *": [5, /"\?" is no day of the month/],
  "-1 2 * * *": [1, /"-1" is no minute/],
  "0 2 * * MON#2": [9, /"MON#2" is no day of the week/],
  "2026-13-01": [6, /13 is no month, expected 1 to 12/],
  "2026-02-30T09:00Z": [9, /that month has 28 days/],
  " 2026-05-15T25:00Z": [13, /25 is no hour/],
  "2026-05-15T09Z": [1, /is no date, expected a date and time such as/],
  "2026-05-15T09:00+99:00": [17, /expected an offset of less than a day/],
};

for (const [schedule, [position, says]] of Object.entries(mistakes)) {
  test(`${JSON.stringify(schedule)} is refused at position ${position}`, () => {
    assert.throws(
      () => parseSchedule(schedule),
      (error: SwarmError<"SWARM_SCHEDULE_INVALID">) => {
        assert.equal(error.code, "SWARM_SCHEDULE_INVALID");
        assert.equal(error.params.position, position, error.message);
        assert.match(error.message, says);
        return true;
      },
    );
  });
}

test("any text is read or refused at one of its positions, whatever it is", () => {
  const words = fc.constantFrom(
    "every",
    "in",
    "@daily",
    "30m",
    "*",
    "*/5",
    "1-5",
    "MON",
    "2026-01-01",
    "L",
    "0",
    "99",
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 8 }).map((all) => all.join(" ")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        assert.notEqual(describeSchedule(parseSchedule(text), "UTC"), "");
      } catch (error) {
        assert.ok(error instanceof SwarmError && error.code === "SWARM_SCHEDULE_INVALID", String(error));
        const { position } = error.params as { position: number };
        assert.ok(position >= 1 && position <= text.length + 1, `${position} of ${JSON.stringify(text)}`);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a text of a megabyte is refused unread", () => {
  assert.throws(() => parseSchedule("* ".repeat(500_000)), /longer than 1000 characters/);
});

test("a schedule that can never fire is refused, and says why", async () => {
  const now = Date.UTC(2026, 10, 16);
  const first = (schedule: string) => firstSlot({ schedule, tz: "UTC", anchorMs: now }, now);
  await assert.rejects(first("0 0 30 2 *"), /"0 0 30 2 \*" never fires: no date fits it/);
  await assert.rejects(first("0 0 31 4,6,9,11 *"), { code: "SWARM_SCHEDULE_NEVER" });
  await assert.rejects(first("2026-05-15T09:00Z"), /never fires: that time has passed/);
  assert.equal(await first("0 0 29 2 *"), Date.UTC(2028, 1, 29));
  assert.equal(await first("2026-11-16T00:00:01Z"), now + 1_000);
});

test("a time zone is one of the IANA database, in its spelling there", () => {
  assert.deepEqual(["utc", "europe/berlin", "US/Eastern"].map(checkTimeZone), [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
  ]);
  assert.throws(
    () => checkTimeZone("Europe/Berlim"),
    /unknown time zone "Europe\/Berlim", did you mean "Europe\/Berlin"\?/,
  );
  for (const zone of ["", "+02:00", "Mars/Olympus", "x".repeat(1_000), "../etc"]) {
    assert.throws(() => checkTimeZone(zone), { code: "SWARM_TIME_ZONE_UNKNOWN" }, zone);
  }
});
