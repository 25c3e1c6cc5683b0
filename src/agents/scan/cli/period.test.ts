import assert from "node:assert/strict";
import { test } from "node:test";
import { periodOf } from "./period.ts";

const nowMs = Date.parse("2026-11-16T12:00:00Z");

test("a period is a number of hours, days or weeks, a date, or all", () => {
  const since = (text: string) => {
    const period = periodOf(text, nowMs);
    return period && [period.words, period.sinceMs && new Date(period.sinceMs).toISOString()];
  };
  assert.deepEqual(["12h", "1d", "30d", "2w", "2026-10-01", "2026-10-01T08:00:00Z", "all"].map(since), [
    ["in 12 hours", "2026-11-16T00:00:00.000Z"],
    ["in 1 day", "2026-11-15T12:00:00.000Z"],
    ["in 30 days", "2026-10-17T12:00:00.000Z"],
    ["in 2 weeks", "2026-11-02T12:00:00.000Z"],
    ["since 2026-10-01", "2026-10-01T00:00:00.000Z"],
    ["since 2026-10-01T08:00:00Z", "2026-10-01T08:00:00.000Z"],
    ["in all transcripts", null],
  ]);
});

test("anything else is none", () => {
  for (const text of [
    "",
    "30",
    "0d",
    "-1d",
    "30m",
    "99999d",
    "1.5d",
    "yesterday",
    "2026-13-01",
    "2026-10-01x",
  ]) {
    assert.equal(periodOf(text, nowMs), null, text);
  }
});
