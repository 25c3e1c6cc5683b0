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

test("a line that is too long for the quick way goes the plain one", () => {
  const [long, short] = [`{"record_id":"long","note":"${"x".repeat(1024 * 1024)}"}`, '{"record_id":"short"}'];
  const echo = new ChunkEcho("record_id");
  for (const sources of [[short, long], [short]]) {
    const chunk = { firstLine: 1, lineCount: sources.length, lines: Buffer.from(sources.join("\n")) };
    const ids = ["short", "long"].slice(0, sources.length);
    const rows = sources.map((source, at) => `{"record_id":"${ids[at]}","output":${source}}\n`).join("");
    assert.equal(echo.echo(chunk).results.toString("utf8"), rows);
  }
});
