import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DoneRanges, type Range } from "./done-ranges.ts";

const range = (from: number, to: number): Range => ({
  from_bytes: from * 10,
  to_bytes: to * 10,
  from_lines: from,
  to_lines: to,
});

test("the mark moves over what is done, and stretches beyond it are kept", () => {
  const done = new DoneRanges();
  done.add(range(2, 3));
  assert.deepEqual([done.lines, done.beyond], [0, [range(2, 3)]]);
  done.add(range(0, 1));
  assert.deepEqual([done.lines, done.bytes, done.beyond], [1, 10, [range(2, 3)]]);
  done.add(range(1, 2));
  assert.deepEqual([done.lines, done.beyond], [3, []]);
});

test("in whatever order chunks end, exactly what was done is done, and neighbours are one", () => {
  const order = fc.uniqueArray(fc.integer({ min: 0, max: 29 }), { maxLength: 30 });
  fc.assert(
    fc.property(order, (chunks) => {
      const done = new DoneRanges();
      for (const chunk of chunks) done.add(range(chunk, chunk + 1));
      const covered = [range(0, done.lines), ...done.beyond].flatMap(({ from_lines, to_lines }) =>
        Array.from({ length: to_lines - from_lines }, (_, at) => from_lines + at),
      );
      assert.deepEqual(
        covered,
        [...chunks].sort((a, b) => a - b),
      );
      const bounds = [
        done.lines,
        ...done.beyond.flatMap(({ from_lines, to_lines }) => [from_lines, to_lines]),
      ];
      for (const [at, bound] of bounds.entries()) if (at > 0) assert.ok(bound > (bounds[at - 1] ?? -1));
      assert.equal(done.bytes, done.lines * 10);
    }),
  );
});
