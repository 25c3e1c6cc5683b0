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

test("a long line takes no more than its own memory, however much is in it", () => {
  const long = `{"record_id":"long","list":[${"{},".repeat(300_000)}{}]}`;
  const lines = Buffer.from(`${long}\n{"record_id":"short"}`);
  const echo = new ChunkEcho("record_id");
  const before = process.memoryUsage().heapUsed;
  const { doneCount, results } = echo.echo({ firstLine: 1, lineCount: 2, lines });
  // As objects they would be 20 MB.
  assert.ok(process.memoryUsage().heapUsed - before < 2_000_000);
  const rows = resultRow('"long"', long) + resultRow('"short"', '{"record_id":"short"}');
  assert.deepEqual([doneCount, results.equals(Buffer.from(rows))], [2, true]);
});

test("without WebAssembly it is as it would be with it", (t) => {
  const { WebAssembly: there } = globalThis as unknown as { WebAssembly: object };
  t.after(() => Object.assign(globalThis, { WebAssembly: there }));
  Object.assign(globalThis, { WebAssembly: undefined });
  const chunk = { firstLine: 1, lineCount: 2, lines: Buffer.from('{"record_id":"r1"}\n{"record_id":') };
  const plain = plainly(chunk, "record_id");
  const echoed = new ChunkEcho("record_id").echo(chunk);
  assert.deepEqual({ ...echoed, latenciesMs: plain.latenciesMs }, plain);
});

test("more lines than a chunk says it has are refused, not written over one another", () => {
  const lines = Buffer.from("{}\n{}\n{}");
  assert.throws(() => new ChunkEcho("record_id").echo({ firstLine: 1, lineCount: 1, lines }), /without room/);
});

function plainly(chunk: Chunk, idField: string): ChunkEnd {
  const rows = new Rows();
  for (const record of recordsOf(chunk, idField)) {
    if (record.problem === null) rows.done(record, record.source, 0);
    else rows.failed(record, record.problem.class, record.problem.message);
  }
  return rows.take();
}
