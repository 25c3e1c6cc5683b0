import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rowsOf } from "../../ports/processor.cases.ts";
import { recordsOf } from "../../ports/records.ts";
import { Rows } from "../../ports/rows.ts";
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
    "NaN",
  ),
  fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " ")),
);

test("the quick way comes to what the plain way does, whatever the lines", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          hostile.map((line) => Buffer.from(line)),
          fc.uint8Array({ maxLength: 6 }),
        ),
      ),
      (given) => {
        const lines = Buffer.concat(
          given.flatMap((line) => [
            Buffer.from(line).map((byte) => (byte === 10 ? 32 : byte)),
            Buffer.from("\n"),
          ]),
        );
        const chunk = { firstLine: 5, lineCount: given.length, lines };
        const rows = new Rows();
        for (const record of recordsOf(chunk, "record_id")) {
          if (record.problem === null) rows.done(record, record.source, 0);
          else rows.failed(record, record.problem.class, record.problem.message);
        }
        const plain = rows.take();
        const quick = { ...new ChunkEcho("record_id").echo(chunk), latenciesMs: plain.latenciesMs };
        assert.deepEqual(quick, plain);
        rowsOf(quick);
      },
    ),
  );
});
