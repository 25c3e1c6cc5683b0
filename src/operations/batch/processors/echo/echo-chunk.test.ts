import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { resultRow } from "../../port/batch-rows.ts";
import { rowsOf } from "../../port/processor.cases.ts";
import type { Chunk, ChunkEnd } from "../../port/processor.ts";
import { recordsOf } from "../../port/records.ts";
import { Rows } from "../../port/rows.ts";
import { ChunkEcho } from "./echo-chunk.ts";

const hostile = fc.oneof(
  fc.json(),
  fc
    .dictionary(fc.constantFrom("record_id", "a", "__proto__"), fc.jsonValue())
    .map((value) => JSON.stringify(value)),
  fc.constantFrom(
    "",
    "  ",
    "\r",
    "{",
    '{"record_id":1}\r',
    '{"record_id":12345678901234567890}',
    "\u2028",
    "é",
    '{"é":"😀"}',
    '{"é":"x"}',
    '{"\ufffd":"x"}',
    '{"":7}',
    "NaN",
  ),
  fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " ")),
);

const idFields = ["record_id", "a", "", "é", '"', "\\", "\ud800", "__proto__"];
const echoes = idFields.map((idField) => [idField, new ChunkEcho(idField)] as const);

test("the quick way comes to what the plain way does, whatever the lines", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          hostile.map((line) => Buffer.from(line)),
          fc.uint8Array({ maxLength: 6 }),
        ),
      ),
      fc.constantFrom(...echoes),
      fc.boolean(),
      (given, [idField, echo], isEnded) => {
        const all = Buffer.concat(
          given.flatMap((line) => [
            Buffer.from(line).map((byte) => (byte === 10 ? 32 : byte)),
            Buffer.from("\n"),
          ]),
        );
        const lines = isEnded ? all : all.subarray(0, -1);
        const chunk = { firstLine: 5, lineCount: given.length, lines };
        const plain = plainly(chunk, idField);
        const quick = { ...echo.echo(chunk), latenciesMs: plain.latenciesMs };
        assert.deepEqual(quick, plain);
        rowsOf(quick);
      },
    ),
    { numRuns: 500 },
  );
});

test("a chunk of one line that is longer than any pattern should be asked about is echoed all the same", () => {
  const long = `{"record_id":"long","list":[${"1,".repeat(5_000_000)}1]}`;
  const chunk = { firstLine: 1, lineCount: 1, lines: Buffer.from(long) };
  const { doneCount, results } = new ChunkEcho("record_id").echo(chunk);
  assert.deepEqual([doneCount, results.equals(Buffer.from(resultRow('"long"', long)))], [1, true]);
});

function plainly(chunk: Chunk, idField: string): ChunkEnd {
  const rows = new Rows();
  for (const record of recordsOf(chunk, idField)) {
    if (record.problem === null) rows.done(record, record.source, 0);
    else rows.failed(record, record.problem.class, record.problem.message);
  }
  return rows.take();
}
