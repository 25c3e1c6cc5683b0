import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { textDiff } from "./text-diff.ts";

const lines = (...all: string[]) => `${all.join("\n")}\n`;

test("one change is shown with two lines around it", () => {
  const before = lines("a", "b", "c", "d", "e", "f", "g");
  assert.deepEqual(textDiff(before, before.replace("d\n", "D\nD2\n")), [
    "  b",
    "  c",
    "- d",
    "+ D",
    "+ D2",
    "  e",
    "  f",
  ]);
});

test("changes far apart are shown each by itself", () => {
  const before = lines("a", "1", "2", "3", "4", "5", "6", "b", "c");
  const after = lines("1", "2", "3", "4", "5", "6", "b", "new", "c");
  assert.deepEqual(textDiff(before, after), ["- a", "  1", "  2", "…", "  6", "  b", "+ new", "  c"]);
});

test("texts that are the same differ nowhere, and a new one in every line", () => {
  assert.deepEqual(textDiff("a\n", "a\n"), []);
  assert.deepEqual(textDiff("", lines("a", "b")), ["+ a", "+ b"]);
  assert.deepEqual(textDiff(lines("a", "b"), ""), ["- a", "- b"]);
});

test("what goes and what comes is all of the difference, in the order of the texts", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = textDiff(lines(...before), lines(...after)).filter((line) => line !== "…");
      const shown = (kinds: string) =>
        diff.filter((line) => kinds.includes(line.charAt(0))).map((line) => line.slice(2));
      assert.equal(shown("+").length - shown("-").length, after.length - before.length);
      assert.ok(isSubsequence(shown(" -"), before) && isSubsequence(shown(" +"), after));
    }),
  );
});

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (line === part[at]) at++;
  return at === part.length;
}

test("texts too long to be compared line by line are shown as replaced", () => {
  const many = (mark: string) => Array.from({ length: 2_100 }, (_, at) => `${mark}${at}`).join("\n");
  const diff = textDiff(many("a"), many("b"));
  assert.deepEqual([diff.length, diff[0], diff.at(-1)], [4_200, "- a0", "+ b2099"]);
});
