import assert from "node:assert/strict";
import { test } from "node:test";
import { joinEnds, splitChunk } from "./chunk.ts";
import type { Chunk } from "./processor.ts";
import { recordsOf } from "./records.ts";
import { Rows } from "./rows.ts";

const chunk = (text: string | Buffer, firstLine = 1): Chunk => {
  const lines = Buffer.from(text);
  const lineCount = lines.toString("latin1").split("\n").length - (lines.at(-1) === 0x0a ? 1 : 0);
  return { firstLine, lineCount, lines };
};
const read = (text: string | Buffer, firstLine = 1, idField = "record_id") =>
  [...recordsOf(chunk(text, firstLine), idField)].map(({ line, idText, problem }) => [
    line,
    JSON.parse(idText),
    problem?.class ?? null,
  ]);

test("records are named by their own id, or by their line, and blank lines count as lines", () => {
  const text =
    '{"record_id":"a"}\n\n  \r\n{"record_id":7}\r\n{"x":1}\n{"record_id":null}\n{"record_id":"last"}';
  assert.deepEqual(read(text, 11), [
    [11, "a", null],
    [14, 7, null],
    [15, 15, null],
    [16, 16, null],
    [17, "last", null],
  ]);
});

test("what is no record is told by its line, with the reason", () => {
  assert.deepEqual(read('{"record_id":"a"\n[1]\n"x"\nnull\n{}\n'), [
    [1, 1, "invalid_json"],
    [2, 2, "not_an_object"],
    [3, 3, "not_an_object"],
    [4, 4, "not_an_object"],
    [5, 5, null],
  ]);
});

test("a line that is not UTF-8 is no JSON, and its neighbours are not touched", () => {
  const text = Buffer.concat([Buffer.from('{"record_id":"ä"}\n{"record_id":"'), Buffer.from([0xff, 0xfe])]);
  const whole = Buffer.concat([text, Buffer.from('"}\n{"record_id":"日本"}\n')]);
  assert.deepEqual(read(whole), [
    [1, "ä", null],
    [2, 2, "invalid_json"],
    [3, "日本", null],
  ]);
});

test("a chunk is cut between lines, and what became of its parts is what became of it", () => {
  const whole = chunk('{"record_id":"a"}\n\nno\n{"record_id":"d"}');
  const endOf = (part: Chunk) => {
    const rows = new Rows();
    for (const record of recordsOf(part, "record_id")) {
      if (record.problem === null) rows.done(record, "1", record.line);
      else rows.failed(record, record.problem.class, "bad\nline");
    }
    return rows.take();
  };
  for (let at = 0; at <= whole.lineCount; at++) {
    const [before, after] = splitChunk(whole, at);
    assert.deepEqual([before.lineCount, after.firstLine, after.lineCount], [at, 1 + at, 4 - at]);
    assert.deepEqual(joinEnds([endOf(before), endOf(after)]), endOf(whole), `cut at ${at}`);
  }
  const end = endOf(whole);
  assert.equal(String(end.results), '{"record_id":"a","output":1}\n{"record_id":"d","output":1}\n');
  assert.equal(
    String(end.errors),
    '{"record_id":3,"line":3,"error":{"class":"invalid_json","message":"bad\\nline"}}\n',
  );
  assert.deepEqual([end.doneCount, end.failedCount, end.errorClasses], [2, 1, { invalid_json: 1 }]);
  assert.deepEqual([...end.latenciesMs, end.idHashes.length], [1, 4, 6]);
});
