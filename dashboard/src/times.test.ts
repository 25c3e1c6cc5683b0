import assert from "node:assert/strict";
import { test } from "node:test";
import { clockTime, leftUntil } from "./times.ts";

test("what is left is counted down to nothing, and not below", () => {
  const end = "2026-01-01T02:00:00.000Z";
  const at = (ms: number) => leftUntil(end, Date.parse(end) - ms);
  assert.deepEqual(
    [at(3_845_000), at(245_000), at(900), at(0), at(-5_000)],
    ["1:04:05", "4:05", "0:01", "0:00", "0:00"],
  );
});

test("a time of today is a time, and one of another day has its day", () => {
  const noon = new Date(2026, 0, 2, 12, 5, 9);
  assert.equal(clockTime(noon.toISOString(), noon.getTime()), "12:05:09");
  assert.equal(clockTime(noon.toISOString(), noon.getTime() + 86_400_000), "2026-01-02 12:05:09");
  assert.equal(clockTime("no time", 0), "no time");
});
