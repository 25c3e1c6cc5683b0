import assert from "node:assert/strict";
import { test } from "node:test";
import { visible } from "../../src/base/visible.ts";
import { partsOf } from "./seen.ts";

test("what cannot be seen is told by its code, apart from what only looks like one", () => {
  assert.deepEqual(partsOf("rm \u202eno \\u{202e}"), [
    { text: "rm ", isCode: false },
    { text: "\\u{202e}", isCode: true },
    { text: "no \\u{202e}", isCode: false },
  ]);
});

test("a line break is one in a block, and a code on a line of its own", () => {
  assert.deepEqual(partsOf("a\nb\r", true), [
    { text: "a\nb", isCode: false },
    { text: "\\u{d}", isCode: true },
  ]);
  assert.equal(partsOf("a\nb").length, 3);
});

test("nothing is left out, and the command line shows the same", () => {
  for (const text of ["", "plain", "\u200b", "a\u0000b\u{e0041}c", "<b>&amp;</b>", "\ud800x", "tab\there"])
    assert.equal(
      partsOf(text)
        .map((part) => part.text)
        .join(""),
      visible(text),
    );
});
