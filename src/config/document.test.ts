import assert from "node:assert/strict";
import { test } from "node:test";
import { readDocument } from "./document.ts";
import { problemOf } from "./harness.cases.ts";
import type { ConfigNode } from "./node.ts";

const read = (text: string) => readDocument("f.yaml", text);
const problem = (text: string) => problemOf(() => read(text)).replace("SWARM_CONFIG_INVALID f.yaml:", "");

test("every part of a document knows its line and column", () => {
  const expected: ConfigNode = {
    kind: "map",
    at: { line: 2, column: 1 },
    entries: [
      {
        key: "a",
        at: { line: 2, column: 1 },
        value: {
          kind: "list",
          at: { line: 3, column: 3 },
          items: [
            { kind: "scalar", at: { line: 3, column: 5 }, value: 1.5 },
            { kind: "scalar", at: { line: 4, column: 5 }, value: "näh" },
          ],
        },
      },
      {
        key: "b",
        at: { line: 5, column: 1 },
        value: { kind: "scalar", at: { line: 5, column: 4 }, value: true },
      },
    ],
  };
  assert.deepEqual(read("# first\na:\n  - 1.5\n  - näh\nb: true\n"), expected);
});

test("JSON with tabs and escapes is read, and its places are right", () => {
  assert.deepEqual(read('{\n\t"a": "\\ud83d\\ude00\\/\\t"\n}'), {
    kind: "map",
    at: { line: 1, column: 1 },
    entries: [
      {
        key: "a",
        at: { line: 2, column: 2 },
        value: { kind: "scalar", at: { line: 2, column: 7 }, value: "😀/\t" },
      },
    ],
  });
});

test("an alias is what its anchor was, at the place of the alias", () => {
  const document = read("a: &x 1\nb: *x\nc: &x 2\nd: *x\n");
  const values = document?.kind === "map" ? document.entries.map(({ value }) => value) : [];
  assert.deepEqual(values, [
    { kind: "scalar", at: { line: 1, column: 7 }, value: 1 },
    { kind: "scalar", at: { line: 2, column: 4 }, value: 1 },
    { kind: "scalar", at: { line: 3, column: 7 }, value: 2 },
    { kind: "scalar", at: { line: 4, column: 4 }, value: 2 },
  ]);
});

test("expanding an alias gives no older node its anchor's name back", () => {
  const document = read("a: &list [&x 1]\nb: &x 2\nc: *list\nd: *x\n");
  const last = document?.kind === "map" ? document.entries.at(-1)?.value : undefined;
  assert.deepEqual(last, { kind: "scalar", at: { line: 4, column: 4 }, value: 2 });
});

test("a file with nothing in it is nothing", () => {
  assert.deepEqual([read(""), read("# only a remark\n"), read("\ufeff")], [null, null, null]);
});

const refused: Readonly<Record<string, readonly [text: string, problem: string]>> = {
  "a wrong indent": [
    "a:\n  - 1\n b: 2\n",
    "3:1: not valid YAML: the indentation does not fit, or a bracket is not closed",
  ],
  "an indent of tabs": ["a:\n\t- 1\n", "2:1: not valid YAML: a tab stands where spaces are expected"],
  "a bracket left open": [
    '{"a": [}',
    "1:8: not valid YAML: the indentation does not fit, or a bracket is not closed",
  ],
  "a second document": ["a: 1\n---\nb: 2\n", "2:1: a second document begins, expected one"],
  "a key given twice": ["a: 1\nb: 2\na: 3\n", "3:1: a key is given twice"],
  "a list as a key": ["[a]: 1\n", "1:1: a key is not text, expected text"],
  "a tag nobody knows": ["a: !run x\n", "1:4: not valid YAML: a tag is not known, or does not fit its value"],
  "binary data": [
    "a: !!binary aGk=\n",
    "1:13: a value JSON has no form for, expected text, a number, true or false",
  ],
  "a number without end": [
    "a: .inf\n",
    "1:4: a value JSON has no form for, expected text, a number, true or false",
  ],
  "an alias of nothing": ["a: *b\n", "1:4: an alias has no anchor before it"],
  "a list within itself": ["a: &a [*a]\n", "1:8: nested more than 50 levels deep, or within itself"],
  "a nest of lists": [
    `${"[".repeat(60)}${"]".repeat(60)}`,
    "1:52: nested more than 50 levels deep, or within itself",
  ],
};

for (const [says, [text, expected]] of Object.entries(refused)) {
  test(`${says} is refused at its place`, () => {
    assert.equal(problem(text), expected);
  });
}

test("a nest too deep for the parser is refused where its stack ended", () => {
  const text = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
  assert.match(problem(text), /^1:\d+: nested more than 50 levels deep$/);
});

test("aliases of aliases cannot stand for billions of values", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level <= 9; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  }
  assert.match(problem(lines.join("\n")), /^\d+:\d+: the file's aliases stand for more than 100000 values$/);
});

test("a megabyte of different keys is read in time that grows with it, not with its square", () => {
  const text = Array.from({ length: 40_000 }, (_, index) => `k${index}: 1`).join("\n");
  const startMs = performance.now();
  const document = read(text);
  assert.equal(document?.kind === "map" && document.entries.length, 40_000);
  // Comparing all with all took 20 s here; this takes under one.
  assert.ok(performance.now() - startMs < 10_000, "took too long");
});

test("what the parser says quotes no text of the file", () => {
  assert.doesNotMatch(problem('secret: "hunter2" "hunter3"\n'), /hunter/);
  assert.doesNotMatch(problem("secret: hunter2\n  next: @x\n"), /hunter/);
});
