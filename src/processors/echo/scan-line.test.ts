import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { idTextOf } from "../../ports/batch-rows.ts";
import { scanLine, unsure } from "./scan-line.ts";

const idKey = Buffer.from("record_id");

/** Null: it is unsure. */
function scanned(line: string): { readonly idText: string | null } | null {
  const bytes = Buffer.from(`before\n${line}\nafter`);
  const id = { from: 0, to: 0 };
  const end = scanLine(bytes, 7, idKey, id);
  if (end === unsure) return null;
  assert.equal(end, bytes.length - "\nafter".length, line);
  return { idText: id.to === 0 ? null : bytes.toString("utf8", id.from, id.to) };
}

const key = fc.oneof(fc.constantFrom("record_id", "a", "", "record_id2", "__proto__"), fc.string());
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
);
const objectText = fc
  .tuple(fc.array(fc.tuple(key, value), { maxLength: 5 }), fc.constantFrom("", " ", "\t", "  "))
  .map(([members, gap]) => {
    const written = members.map(([name, of]) => `${JSON.stringify(name)}:${gap}${JSON.stringify(of)}`);
    return `{${gap}${written.join(`${gap},${gap}`)}${gap}}`;
  });
/** JSON with one place changed: most of it is JSON no more. */
const brokenText = fc
  .tuple(objectText, fc.nat(), fc.constantFrom(...'"\\{}[],:0123456789.eE+-tfnulrs x\r\u0001é', ""))
  .map(([text, at, put]) => {
    const cut = at % text.length;
    return text.slice(0, cut) + put + text.slice(cut + 1);
  });

test("whatever a scan takes is an object to JSON.parse, with the same id", () => {
  fc.assert(
    fc.property(fc.oneof(objectText, brokenText), (line) => {
      const found = line.includes("\n") ? null : scanned(line);
      if (found === null) return;
      const record = JSON.parse(line);
      assert.ok(typeof record === "object" && record !== null && !Array.isArray(record));
      assert.equal(found.idText ?? "7", idTextOf(record, "record_id", 7, line));
    }),
    { numRuns: 3_000 },
  );
});

test("ordinary lines are scanned", () => {
  const lines: readonly (readonly [line: string, idText: string | null])[] = [
    [
      '{"record_id":"r1","amount":1.37,"features":[0,-1.5e-7,true,false,null],"deep":{"a":[{}],"b":""}}',
      '"r1"',
    ],
    ['{"amount": 12, "record_id": 42, "note": "caf\\u00e9 \\"au lait\\" ☕"}', "42"],
    ['{"record_id":"first","record_id":"last"}\r', '"last"'],
    ["{}", null],
    ['{"record_id":null}', null],
    ['{"record_id":""}', null],
    ['{"a":1}', null],
  ];
  for (const [line, idText] of lines) assert.deepEqual(scanned(line), { idText }, line);
});

test("what only JSON.parse knows is left to it", () => {
  const lines = [
    " {}",
    "{} ",
    '{"record\\u005fid":1}',
    '{"record_id":"é"}',
    '{"record_id":"\\n"}',
    '{"record_id":12345678901234567890}',
    '{"record_id":-0}',
    '{"record_id":1.0}',
    `{"a":${"[".repeat(200)}${"]".repeat(200)}}`,
    '{"a":1,}',
    "{,}",
    '{"a":01}',
    '{"a":1.}',
    '{"a":tru}',
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":"\t"}',
    '{"a"',
    "[]",
    "",
  ];
  for (const line of lines) assert.equal(scanned(line), null, line);
});
