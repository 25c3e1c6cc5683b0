import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeControls, printableJson, terminalText } from "./terminal-text.ts";

const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((character) =>
  /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(character),
);

test("every control character is written as its code, but tabs and line breaks", () => {
  assert.ok(all.length > 70);
  for (const character of all) {
    const isKept = character === "\n" || character === "\t";
    const expected = isKept ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    assert.equal(escapeControls(`a${character}b`), `a${expected}b`);
  }
  assert.equal(escapeControls("a\r\nb\rc\r"), "a\r\nb\\u000dc\\u000d");
  assert.equal(escapeControls("größer 漢字 🙂 \u200d"), "größer 漢字 🙂 \u200d");
});

test("JSON stays the same value", () => {
  const value = { [all.join("")]: [all.join(""), "\ud83d\ude42"] };
  for (const text of [printableJson(value), printableJson(value, 2), escapeControls(JSON.stringify(value))]) {
    assert.deepEqual(JSON.parse(text), value);
    assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
  }
});

test("colours of ours stay where there are any, nothing else of a terminal's does", () => {
  const text = "\u001b[31mred\u001b[39m \u001b[8mhidden\u001b[0m \u001b]0;title\u0007";
  const rest = "\\u001b[8mhidden\\u001b[0m \\u001b]0;title\\u0007";
  assert.equal(terminalText(text, true), `\u001b[31mred\u001b[39m ${rest}`);
  assert.equal(terminalText(text, false), `\\u001b[31mred\\u001b[39m ${rest}`);
});
