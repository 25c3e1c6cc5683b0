import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hashIdText, idTextOf, resultRow } from "../../port/batch-rows.ts";
import { EchoProgram } from "./echo-program.ts";

const program = new EchoProgram("record_id");

/** What it makes of the second of three lines, which is line 7; null: it is unsure. */
function echoed(line: string): { readonly idText: string | null } | null {
  const lines = Buffer.from(`{}\n${line}\n{}`);
  program.load({ lines, firstLine: 6, lineCount: 3 });
  if (program.run(0) !== lines.length) {
    assert.deepEqual([program.line, program.run(3)], [7, 3], line);
    return null;
  }
  assert.equal(program.line, 9);
  const { results, idHashes } = program.take();
  const row = results.toString("utf8").split("\n")[1] ?? "";
  const idText = row.slice('{"record_id":'.length, row.lastIndexOf(`,"output":${line}}`));
  assert.equal(`${row}\n`, resultRow(idText, line));
  const hash = new Uint32Array(2);
  hashIdText(idText, hash, 0);
  assert.deepEqual(idHashes.subarray(2, 4), hash);
  return { idText: idText === "7" ? null : idText };
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
    return `${text.slice(0, cut)}${put}${text.slice(cut + 1)}`.toWellFormed();
  });

test("whatever it makes a row of is an object to JSON.parse, with the same id", () => {
  fc.assert(
    fc.property(fc.oneof(objectText, brokenText), (line) => {
      const found = line.includes("\n") ? null : echoed(line);
      if (found === null) return;
      const record = JSON.parse(line);
      assert.ok(typeof record === "object" && record !== null && !Array.isArray(record));
      assert.equal(found.idText ?? "7", idTextOf(record, "record_id", 7, line));
    }),
    { numRuns: 10_000 },
  );
});

test("ordinary lines need nobody else", () => {
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
  for (const [line, idText] of lines) assert.deepEqual(echoed(line), { idText }, line);
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
  for (const line of lines) assert.equal(echoed(line), null, line);
});

test("lines without an id are called by their number, however large", () => {
  for (const firstLine of [0, 9, 10, 4_294_967_296, 9_007_199_254_740_990]) {
    const lines = Buffer.from("{}\n{}");
    program.load({ lines, firstLine, lineCount: 2 });
    assert.equal(program.run(0), lines.length);
    const rows = [firstLine, firstLine + 1].map((line) => resultRow(String(line), "{}")).join("");
    assert.equal(program.take().results.toString("utf8"), rows);
  }
});

test("the end of the lines is the end, whatever was there before", () => {
  const whole = Buffer.from('{"record_id":"r1","note":"as long as it takes"}');
  for (let length = 1; length < whole.length; length++) {
    program.load({ lines: whole, firstLine: 1, lineCount: 1 });
    program.load({ lines: whole.subarray(0, length), firstLine: 1, lineCount: 1 });
    assert.equal(program.run(0), 0, whole.toString("utf8", 0, length));
  }
});

test("it takes chunks as they come, larger and smaller", () => {
  const fresh = new EchoProgram("record_id");
  for (const lineCount of [1, 5_000, 3, 20_000, 1]) {
    const sources = Array.from({ length: lineCount }, (_, at) => `{"record_id":${at}}`);
    const lines = Buffer.from(sources.join("\n"));
    fresh.load({ lines, firstLine: 1, lineCount });
    assert.equal(fresh.run(0), lines.length);
    const { results, idHashes } = fresh.take();
    assert.equal(
      results.toString("utf8"),
      sources.map((source, at) => resultRow(String(at), source)).join(""),
    );
    assert.equal(idHashes.length, 2 * lineCount);
  }
});
