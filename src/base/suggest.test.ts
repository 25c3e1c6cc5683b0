import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { suggest } from "./suggest.ts";

const names = ["tool.before", "PreToolUse", "PRE_TOOL", "session.start", "priority", "timeoutMs"];

const meant: readonly (readonly [written: string, meant: string | undefined])[] = [
  ["PreToolUse", "PreToolUse"],
  ["pretooluse", "PreToolUse"],
  ["pre_tool_use", "PreToolUse"],
  ["PreToolsUse", "PreToolUse"],
  ["PreTolUse", "PreToolUse"],
  ["tool-before", "tool.before"],
  ["tool before", "tool.before"],
  ["TOOL.BEFORE", "tool.before"],
  ["pre-tool", "PRE_TOOL"],
  ["sesion.start", "session.start"],
  ["prioritiy", "priority"],
  ["timeout_ms", "timeoutMs"],
  ["timeout", "timeoutMs"],
  ["banana", undefined],
  ["x", undefined],
  ["", undefined],
];

for (const [written, expected] of meant) {
  test(`${JSON.stringify(written)} suggests ${expected ?? "nothing"}`, () => {
    assert.equal(suggest(written, names), expected);
  });
}

test("nothing known suggests nothing", () => {
  assert.equal(suggest("tool.before", []), undefined);
});

test("two letters that are swapped are one mistake", () => {
  assert.equal(suggest("Bsah", ["Bash"]), "Bash");
  assert.equal(suggest("Bhsa", ["Bash"]), undefined);
});

test("of two words equally near the first known one is suggested", () => {
  assert.equal(suggest("task", ["tasks", "tass"]), "tasks");
  assert.equal(suggest("task", ["tass", "tasks"]), "tass");
});

test("a word of a million letters is answered for, not measured to its end", () => {
  assert.equal(suggest("a".repeat(1_000_000), names), undefined);
  assert.equal(suggest("tool.before", ["b".repeat(1_000_000)]), undefined);
});

test("the suggestion is the first of the nearest words, and at most a third of the letters differ", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (written, known) => {
      const distances = known.map((candidate) => distanceOf(written, candidate));
      const fewest = Math.min(...distances);
      const isNear = known.length > 0 && fewest <= Math.floor(written.length / 3);
      assert.equal(suggest(written, known), isNear ? known[distances.indexOf(fewest)] : undefined);
    }),
    { numRuns: 1_000 },
  );
});

/** How many letters are wrong, missing, too many or swapped, by the definition of it. */
function distanceOf(a: string, b: string): number {
  const known = new Map<string, number>();
  const between = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i},${j}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const edits = Math.min(
      between(i - 1, j) + 1,
      between(i, j - 1) + 1,
      between(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? between(i - 2, j - 2) + 1 : i + j,
    );
    known.set(key, edits);
    return edits;
  };
  return between(a.length, b.length);
}
