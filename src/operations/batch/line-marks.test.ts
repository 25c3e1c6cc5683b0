import assert from "node:assert/strict";
import { test } from "node:test";
import { LineMarks } from "./line-marks.ts";

test("lines are marked one by one, however far apart and in whatever order", () => {
  const marks = new LineMarks();
  const marked = [8, 1, 8_191, 8_192, 70_000, 50_000_001, 7];
  for (const line of marked) marks.add(line);
  assert.equal(marks.count, marked.length);
  for (const line of marked)
    assert.deepEqual(
      [line - 1, line, line + 1].map((one) => marks.has(one)),
      [line - 1, line, line + 1].map((one) => marked.includes(one)),
    );
  assert.ok(!marks.has(50_000_100) && !marks.has(400_000_000));
  assert.ok(marks.hasAny(9, 8_191) && marks.hasAny(69_000, 70_000));
  assert.ok(!marks.hasAny(9, 8_190) && !marks.hasAny(70_001, 80_000));
});
