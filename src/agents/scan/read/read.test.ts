import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { chunksOf } from "./chunks.ts";
import { hasManyParts } from "./has-many-parts.ts";
import { jsonItemsOf } from "./json-items.ts";
import { linesOf } from "./lines.ts";

/** A text as it may come from a file, cut anywhere; one buffer for all pieces, as with a file. */
function* cutInto(text: string, size: number): Generator<Buffer> {
  const bytes = Buffer.from(text);
  const buffer = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const count = bytes.copy(buffer, 0, at, at + size);
    yield buffer.subarray(0, count);
  }
}

const never = () => assert.fail("nothing is too long");

test("lines are the same wherever a file is cut, and blank ones are none", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.integer({ min: 1, max: 9 }), (texts, size) => {
      const lines = texts.map((text) => text.replaceAll("\n", ""));
      const found = [...linesOf(cutInto(lines.join("\n"), size), 10_000, never)];
      assert.deepEqual(
        found,
        lines.filter((line) => line.trim() !== ""),
      );
    }),
  );
});

test("a line that is too long is passed over and told; the others are not touched by it", () => {
  let tooLong = 0;
  const text = `a\n${"x".repeat(11)}\n${"y".repeat(10)}\n${"z".repeat(1_000)}`;
  const lines = [...linesOf(cutInto(text, 7), 10, () => tooLong++)];
  assert.deepEqual([lines, tooLong], [["a", "y".repeat(10)], 2]);
});

test("the items of a list and the fields around it are the same wherever an object is cut, and however it is laid out", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(undefined, 2, "\t"),
      (before, messages, after, size, space) => {
        const others = Object.entries({ ...before, ...after }).filter(([name]) => name !== "messages");
        const fields = Object.fromEntries(others);
        const text = JSON.stringify({ ...fields, messages }, null, space);
        const found = [...jsonItemsOf(cutInto(text, size), "messages", 10_000, never)];
        const expected = [
          ...Object.entries(JSON.parse(JSON.stringify(fields))).map((field) => Object.fromEntries([field])),
          ...messages,
        ];
        assert.deepEqual(
          found.map((item) => JSON.stringify(JSON.parse(item))).toSorted(),
          expected.map((item) => JSON.stringify(item)).toSorted(),
        );
      },
    ),
  );
});

test("an item that is too long is passed over and told", () => {
  let tooLong = 0;
  const text = JSON.stringify({ id: 1, messages: ["a", "x".repeat(100), "b"], last: "y".repeat(100) });
  const items = [...jsonItemsOf(cutInto(text, 8), "messages", 20, () => tooLong++)];
  assert.deepEqual([items, tooLong], [['{"id":1}', '"a"', '"b"'], 2]);
});

test("an object that was cut off gives what is whole, and the rest to whoever parses it", () => {
  const items = [...jsonItemsOf(cutInto('{"messages": [{"a": 1}, {"b": ', 5), "messages", 1_000, never)];
  assert.deepEqual(items, ['{"a": 1}', '{"b":']);
});

test("what is no object does no harm", () => {
  for (const text of ["", "null", "]]]}}}", '"', "[1, 2]", '{"messages": 5}', "{".repeat(2_000)]) {
    assert.ok([...jsonItemsOf(cutInto(text, 3), "messages", 1_000, () => undefined)].length <= 3, text);
  }
});

test("a text of very many values is told by its structure, not by what its strings say", () => {
  const many = 300_000;
  assert.equal(hasManyParts(`[${"[],".repeat(many)}0]`), true);
  assert.equal(hasManyParts("[".repeat(many)), true);
  assert.equal(hasManyParts(`{"a": ${JSON.stringify('\\",{['.repeat(many))}}`), false);
  assert.equal(hasManyParts(`[${"[],".repeat(1_000)}0]`), false);
});

test("only plain files are read: no link is followed, and no pipe waited for", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "swarm-chunks-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [plain, link, pipe] = ["plain", "link", "pipe"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(plain, "text");
  symlinkSync(plain, link);
  execFileSync("mkfifo", [pipe]);
  let readBytes = 0;
  const onRead = (bytes: number): void => {
    readBytes += bytes;
  };
  const read = (file: string) => [...chunksOf(file, onRead)].map(String);
  assert.deepEqual([read(plain), readBytes], [["text"], 4]);
  assert.throws(() => read(link), { code: "ELOOP" });
  assert.throws(() => read(pipe), /not a file, expected one/);
  assert.throws(() => read(folder), /not a file, expected one/);
});
