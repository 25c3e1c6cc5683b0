import assert from "node:assert/strict";
import { test } from "node:test";
import { rangeProblem, readRange } from "./range.ts";
import { rangeName, rangeText } from "./range-text.ts";

const nowMs = Date.parse("2026-02-03T02:30:00Z");

test("a day belongs to a range as a whole, a time is where it ends", () => {
  const days = readRange({ from: "2026-01-01", to: "2026-01-31" }, nowMs);
  assert.deepEqual(days, {
    kind: "rollup",
    run_id: null,
    from: "2026-01-01T00:00:00.000Z",
    to: "2026-02-01T00:00:00.000Z",
    rows: "notable",
  });
  assert.deepEqual(
    [rangeText(days), rangeName(days)],
    ["2026-01-01 to 2026-01-31", "2026-01-01--2026-01-31"],
  );
  const times = readRange({ from: "2026-01-01T12:00:00+01:00", to: "2026-01-01T12:00Z" }, nowMs);
  assert.equal(rangeText(times), "2026-01-01T11:00:00.000Z up to 2026-01-01T12:00:00.000Z");
  assert.equal(readRange({ from: "2026-01-01" }, nowMs).to, "2026-02-03T02:30:00.001Z");
});

test("days are whole ones before today, thirty unless it says", () => {
  const { from, to } = readRange({ days: 2 }, nowMs);
  assert.deepEqual([from, to], ["2026-02-01T00:00:00.000Z", "2026-02-03T00:00:00.000Z"]);
  assert.equal(readRange({}, nowMs).from, "2026-01-04T00:00:00.000Z");
});

test("what is no range is refused by the option that is wrong", () => {
  const wrong = [
    [{ kind: "run" }, "run_id"],
    [{ kind: "promotion" }, "run_id"],
    [{ kind: "rollup", run_id: "cr_1" }, "run_id"],
    [{ run_id: "../x" }, "run_id"],
    [{ run_id: "cr_1", from: "2026-01-01" }, "from"],
    [{ run_id: "cr_1", days: 3 }, "days"],
    [{ from: "2026-02-30" }, "from"],
    [{ from: "yesterday" }, "from"],
    [{ from: "2026-01-01", to: "2025-12-30" }, "to"],
    [{ to: "2026-01-01" }, "from"],
    [{ from: "2026-01-01", days: 3 }, "days"],
    [{ days: 0 }, "days"],
    [{ days: 4_000 }, "days"],
  ] as const;
  for (const [given, option] of wrong)
    assert.equal(rangeProblem(given)?.option, option, JSON.stringify(given));
  for (const good of [
    {},
    { run_id: "cr_1" },
    { kind: "promotion", run_id: "m_1" },
    { from: "2026-01-01", to: "2026-01-01" },
  ])
    assert.equal(rangeProblem(good), null, JSON.stringify(good));
});
