import assert from "node:assert/strict";
import { test } from "node:test";
import { table } from "./table.ts";
import { wrapWords } from "./wrap-words.ts";

const head = ["NAME", "WHAT TO DO"];

test("columns are aligned, and lines do not end in spaces", () => {
  assert.equal(
    table(head, [
      ["a", "x"],
      ["longer", ""],
    ]),
    "NAME    WHAT TO DO\na       x\nlonger\n",
  );
});

test("on a terminal the last column is wrapped within itself", () => {
  const shown = table(head, [["agent", "start it in a terminal and trust its hooks"]], 30);
  assert.equal(shown, "NAME   WHAT TO DO\nagent  start it in a terminal\n       and trust its hooks\n");
  for (const line of shown.split("\n")) assert.ok(line.length <= 30, line);
});

test("where there is hardly any room the line is left to the terminal", () => {
  assert.equal(
    table(head, [["agent", "start it now, please"]], 20),
    "NAME   WHAT TO DO\nagent  start it now, please\n",
  );
});

test("a line break in a cell begins no line", () => {
  assert.equal(table(head, [["a\nforged", "b"]]), "NAME      WHAT TO DO\na forged  b\n");
});

test("a word longer than a line is broken, and no character is lost", () => {
  const text = "see https://example.test/a/very/long/path now";
  const lines = wrapWords(text, 12);
  assert.equal(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
  for (const line of lines) assert.ok(line.length <= 12, line);
});
