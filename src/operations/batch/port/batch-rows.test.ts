import assert from "node:assert/strict";
import { test } from "node:test";
import { errorRow, hashIdText, idTextOf, resultRow } from "./batch-rows.ts";

const idOf = (source: string, field = "record_id") => idTextOf(JSON.parse(source), field, 7, source);

test("a record is called by its id field, or by the number of its line", () => {
  assert.equal(idOf('{"record_id":"r1"}'), '"r1"');
  assert.equal(idOf('{"key":"r\\"1"}', "key"), '"r\\"1"');
  assert.equal(idOf('{"record_id":12}'), "12");
  for (const other of ['""', "null", "true", "[1]", "{}"]) assert.equal(idOf(`{"record_id":${other}}`), "7");
  assert.equal(idOf("{}"), "7");
  assert.equal(idOf("{}", "constructor"), "7", "what is inherited is no id");
});

test("a number JavaScript cannot hold keeps its digits as an id", () => {
  assert.equal(idOf('{"record_id":12345678901234567890}'), "12345678901234567890");
  assert.equal(
    idOf('{"a":{"record_id":99999999999999999999},"record_id":12345678901234567891}'),
    "12345678901234567891",
  );
  assert.equal(
    idOf('{"record_id":12345678901234567891,"z":{"record_id":99999999999999999999}}'),
    "12345678901234567891",
  );
  assert.equal(idOf('{"record_id":1e999}'), "1e999");
  assert.equal(idOf('{"record_id":0.5}'), "0.5");
});

test("rows are whole lines of JSON, and a message is cut", () => {
  assert.deepEqual(JSON.parse(resultRow('"r1"', '{"a":1}')), { record_id: "r1", output: { a: 1 } });
  const row = errorRow("3", 3, "thrown", `no\n${"x".repeat(5_000)}`);
  assert.equal(row.indexOf("\n"), row.length - 1);
  assert.equal((JSON.parse(row) as { error: { message: string } }).error.message.length, 2_000);
});

test("ids of a series have hashes of their own, and each half would nearly do alone", () => {
  const hashes = new Uint32Array(400_000);
  for (let count = 0; count < 200_000; count++) hashIdText(`"r${count}"`, hashes, 2 * count);
  const [low, high, both] = [new Set<number>(), new Set<number>(), new Set<string>()];
  for (let at = 0; at < hashes.length; at += 2) {
    low.add(hashes[at] ?? 0);
    high.add(hashes[at + 1] ?? 0);
    both.add(`${hashes[at]} ${hashes[at + 1]}`);
  }
  assert.equal(both.size, 200_000);
  // Of 200,000 random numbers of 32 bits some 5 pairs are equal.
  assert.ok(low.size > 199_970 && high.size > 199_970, `${low.size}, ${high.size}`);
});
