import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { visible } from "./visible.ts";

const cases: Readonly<Record<string, string>> = {
  "plain ünïcode 漢字 🙂\twith a tab": "plain ünïcode 漢字 🙂\twith a tab",
  "a\nb\rc": "a\\u{a}b\\u{d}c",
  "\x1b[2J\u009b1m": "\\u{1b}[2J\\u{9b}1m",
  "a\u202eb\u2066c\u200f": "a\\u{202e}b\\u{2066}c\\u{200f}",
  "zero\u200bwidth\ufeff\u2060": "zero\\u{200b}width\\u{feff}\\u{2060}",
  "no\u00a0break\u3000wide": "no\\u{a0}break\\u{3000}wide",
  "fill\u3164er\u2800": "fill\\u{3164}er\\u{2800}",
  "tag\u{e0041}": "tag\\u{e0041}",
  "half\ud800": "half\\u{d800}",
  "\u2028\u2029\0\x7f": "\\u{2028}\\u{2029}\\u{0}\\u{7f}",
};

test("what cannot be seen, or steers who looks, is written as its code", () => {
  for (const [text, shown] of Object.entries(cases)) assert.equal(visible(text), shown);
});

test("two texts that differ are never shown the same, unless one spells out a code", () => {
  const text = fc.string({ unit: "binary", maxLength: 8 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      fc.pre(one !== other && !`${one}${other}`.includes("\\"));
      assert.notEqual(visible(one), visible(other));
    }),
  );
});
