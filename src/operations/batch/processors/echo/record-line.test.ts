import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { idTextOf } from "../../port/batch-rows.ts";
import { recordLine } from "./record-line.ts";

const pattern = recordLine("record_id");

/** The id of the second of three lines; null: that one is JSON.parse's. */
function idOn(line: string): string | null {
  const lines = Buffer.from(`{}\n${line}\n{}`).toString("latin1");
  pattern.lastIndex = 3;
  const id = pattern.exec(lines)?.[1];
  if (id === undefined) return null;
  assert.equal(pattern.lastIndex, lines.length - 3, line);
  return id;
}

const key = fc.oneof(fc.constantFrom("record_id", "a", "", "record_id2", "__proto__"), fc.string());
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
);
const objectText = fc
  .tuple(
    fc.array(fc.tuple(key, value), { maxLength: 4 }),
    fc.tuple(fc.constant("record_id"), fc.oneof(fc.nat(), fc.string(), value)),
    fc.constantFrom("", " ", "\t"),
  )
  .map(([others, id, gap]) => {
    const members = others.toSpliced(others.length >> 1, 0, id);
    const written = members.map(([name, of]) => `${JSON.stringify(name)}:${gap}${JSON.stringify(of)}`);
    return `{${gap}${written.join(`${gap},${gap}`)}${gap}}`;
  });
/** JSON with one place changed: most of it is JSON no more. */
const brokenText = fc
  .tuple(objectText, fc.nat(), fc.constantFrom(...'"\\{}[],:0123456789.eE+-tfnulrs x\r\u0001é', ""))
  .map(([text, at, put]) => {
    const cut = at % text.length;
    return `${text.slice(0, cut)}${put}${text.slice(cut + 1)}`.toWellFormed();
  });

test("whatever fits is an object to JSON.parse, with the same id", () => {
  let fitting = 0;
  fc.assert(
    fc.property(fc.oneof(objectText, brokenText), (line) => {
      const id = line.includes("\n") ? null : idOn(line);
      if (id === null) return;
      fitting++;
      const record = JSON.parse(line);
      assert.ok(typeof record === "object" && record !== null && !Array.isArray(record));
      assert.equal(id, idTextOf(record, "record_id", 7, line));
    }),
    { numRuns: 10_000 },
  );
  assert.ok(fitting > 1_000, `${fitting} lines fit`);
});

test("ordinary lines fit", () => {
  const lines: readonly (readonly [line: string, id: string])[] = [
    ['{"record_id":"r1","amount":1.37,"list":[0,-1.5e-7,true,false,null],"deep":{"a":"","b":2}}', '"r1"'],
    ['{"amount": 12, "record_id": 42, "note": "caf\\u00e9 \\"au lait\\" ☕", "empty": {}}', "42"],
    ['{"record_id":0}\r', "0"],
    ['{ "record_id" : 123456789012345 }', "123456789012345"],
  ];
  for (const [line, id] of lines) assert.equal(idOn(line), id, line);
});

test("what only JSON.parse knows is left to it", () => {
  const lines = [
    " {}",
    "{} ",
    "{}",
    '{"a":1}',
    '{"record_id":null}',
    '{"record_id":""}',
    '{"record_id":"first","record_id":"last"}',
    '{"record\\u005fid":1}',
    '{"record\\u005fid":1,"record_id":2}',
    '{"record_id":"é"}',
    '{"record_id":"\\n"}',
    '{"record_id":12345678901234567890}',
    '{"record_id":-0}',
    '{"record_id":1.0}',
    '{"record_id":01}',
    '{"record_id":1,"a":[[1]]}',
    '{"record_id":1,"a":1,}',
    '{"record_id":1,,"a":1}',
    '{,"record_id":1}',
    '{"record_id":1,"a":01}',
    '{"record_id":1,"a":1.}',
    '{"record_id":1,"a":tru}',
    '{"record_id":1,"a":"\\x"}',
    '{"record_id":1,"a":"\\u12g4"}',
    '{"record_id":1,"a":"\t"}',
    '{"record_id":1,"a"',
    '{"record_id":1',
    "[]",
    "",
  ];
  for (const line of lines) assert.equal(idOn(line), null, line);
});

/** What would take a pattern that may be read in two ways for ever, or one that remembers too much. */
const hostile: Readonly<Record<string, string>> = {
  "a list": `"a":[${"1,".repeat(900_000)}1]`,
  members: `${'"a":1,'.repeat(300_000)}"a":1`,
  digits: `"a":${"1".repeat(1_900_000)}`,
  escapes: `"a":"${"\\n".repeat(900_000)}"`,
  blanks: `"a":[${"1 , ".repeat(450_000)}1]`,
};

for (const [name, members] of Object.entries(hostile)) {
  test(`${name} of two million characters fit, and are given up at their end when it is wrong`, () => {
    assert.equal(idOn(`{"record_id":1,${members}}`), "1");
    assert.equal(idOn(`{"record_id":1,${members}x`), null);
    assert.equal(idOn(`{${members},"record_id":1]`), null);
  });
}
