import assert from "node:assert/strict";
import { test } from "node:test";
import { clockTime, lasted, leftUntil } from "./times.ts";

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

test("how long it took is told in at most two units, and of what goes on until now", () => {
  const from = "2026-01-01T00:00:00.000Z";
  const after = (ms: number) => new Date(Date.parse(from) + ms).toISOString();
  const told = [0, 440, 9_949, 9_951, 59_400, 185_000, 7_800_000].map((ms) => lasted(from, after(ms), 0));
  assert.deepEqual(told, ["0.0 s", "0.4 s", "9.9 s", "10 s", "59 s", "3 min 5 s", "2 h 10 min"]);
  assert.equal(lasted(from, null, Date.parse(from) + 2_000), "2.0 s");
  assert.equal(lasted(from, after(-5), 0), "0.0 s");
});
