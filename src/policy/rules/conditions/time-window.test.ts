import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { compileTimeWindow } from "./time-window.ts";

const isIn = (window: string, time: string) => compileTimeWindow("when", window)(Date.parse(time));

suite("a window of time", () => {
  for (const [window, time, expected] of [
    ["09:00-17:00 UTC", "2026-11-16T09:00:00Z", true],
    ["09:00-17:00 UTC", "2026-11-16T16:59:59Z", true],
    ["09:00-17:00 UTC", "2026-11-16T17:00:00Z", false],
    ["Mon-Fri UTC", "2026-11-16T23:59:00Z", true],
    ["Mon-Fri UTC", "2026-11-15T12:00:00Z", false],
    ["Fri-Mon UTC", "2026-11-15T12:00:00Z", true],
    ["Tue,Thu 10:00-11:00 UTC", "2026-11-17T10:30:00Z", true],
    ["Tue,Thu 10:00-11:00 UTC", "2026-11-18T10:30:00Z", false],
    ["22:00-06:00 UTC", "2026-11-16T23:00:00Z", true],
    ["22:00-06:00 UTC", "2026-11-16T05:59:00Z", true],
    ["22:00-06:00 UTC", "2026-11-16T06:00:00Z", false],
    // Friday night goes on into Saturday; Thursday night is another's.
    ["Fri 22:00-06:00 UTC", "2026-11-21T05:00:00Z", true],
    ["Fri 22:00-06:00 UTC", "2026-11-20T05:00:00Z", false],
    ["00:00-24:00 UTC", "2026-11-16T23:59:59Z", true],
    ["09:00-10:00 Europe/Berlin", "2026-11-16T08:30:00Z", true],
    ["09:00-10:00 Europe/Berlin", "2026-07-16T08:30:00Z", false],
  ] as const) {
    test(`${window} ${expected ? "has" : "has not"} ${time}`, () =>
      assert.equal(isIn(window, time), expected));
  }

  for (const window of [
    "",
    "sometimes",
    "9-17",
    "25:00-26:00",
    "10:00-10:00",
    "Mon-Xyz",
    "09:00-17:00 Mars/Base",
    "UTC",
  ]) {
    test(`${JSON.stringify(window)} is refused`, () => {
      assert.throws(() => compileTimeWindow("when", window), { code: "SWARM_MATCHER_INVALID" });
    });
  }
});
