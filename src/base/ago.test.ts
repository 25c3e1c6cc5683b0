import assert from "node:assert/strict";
import { test } from "node:test";
import { ago } from "./ago.ts";

const time = "2026-11-16T12:00:00.000Z";
const after = (seconds: number) => ago(time, Date.parse(time) + seconds * 1_000);

test("a time is told in the largest unit that fits", () => {
  assert.deepEqual(
    [after(0), after(59), after(60), after(200), after(7_199), after(86_400), after(200_000)],
    ["just now", "just now", "1 minute ago", "3 minutes ago", "1 hour ago", "1 day ago", "2 days ago"],
  );
  assert.equal(after(-5), "just now");
});
