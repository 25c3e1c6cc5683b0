import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Head } from "../../store/port/store.ts";
import { fifty, RecordBench } from "./harness.cases.ts";
import { HeadMark, markFault } from "./head-mark.ts";
import { SigningKey } from "./signing-key.ts";

const time = "2026-01-02T03:04:05.678Z";

function marked(t: TestContext) {
  const bench = new RecordBench(t);
  const keyFile = join(bench.folder, "new.pem");
  const file = join(bench.folder, "audit-head");
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const key = new SigningKey(keyFile);
  const open = () => new HeadMark(file, new SigningKey(keyFile), log);
  const mark = new HeadMark(file, key, log);
  mark.begin();
  const head = (seq: number): Head => ({ seq, hash: "a".repeat(64) });
  return { bench, file, key, mark, open, warnings, sign: (seq: number) => key.sign(head(seq), time) };
}

test("it is made with the key, and not again when it is gone", (t) => {
  const { file, mark, open } = marked(t);
  const made = mark.read();
  assert.equal(typeof made === "string" ? made : made.seq, 0);
  assert.deepEqual([statSync(file).size, statSync(file).mode & 0o777], [1024, 0o600]);
  rmSync(file);
  assert.equal(open().read(), "audit-head is missing, and the key beside it was used before");
});

test("it keeps the newest head, in its place, and what a person accepts in the place of any", (t) => {
  const { file, mark, sign } = marked(t);
  const { ino } = statSync(file);
  for (const [seq, newest] of [
    [7, 7],
    [3, 7],
    [12_345_678, 12_345_678],
  ] as const) {
    mark.raise(sign(seq));
    assert.deepEqual(mark.read(), sign(newest));
  }
  mark.replace(sign(2));
  assert.deepEqual([mark.read(), statSync(file).ino, statSync(file).size], [sign(2), ino, 1024]);
});

test("what the key has not signed is no mark, and never fails", (t) => {
  const { file, mark, sign, warnings } = marked(t);
  const other = marked(t);
  mark.raise(sign(5));
  const text = readFileSync(file, "utf8");
  const changed = [
    text.replace('"seq":5', '"seq":4'),
    text.replace(/a{64}/, "b".repeat(64)),
    text.slice(0, 99),
  ];
  for (const wrong of [
    ...changed,
    "",
    "null",
    "{}",
    "[]",
    "\0".repeat(512),
    readFileSync(other.file, "utf8"),
  ]) {
    writeFileSync(file, wrong);
    assert.equal(mark.read(), "audit-head was not signed by the key", JSON.stringify(wrong.slice(0, 40)));
  }
  rmSync(file);
  symlinkSync(join(other.file, ".."), file);
  assert.equal(mark.read(), "audit-head was not signed by the key");
  mark.raise(sign(6));
  assert.match(warnings.join(), /^audit-head cannot be written: ELOOP/);
});

test("how many rows change the approvers is kept apart from the head, and only by the key", (t) => {
  const { file, mark, open, sign } = marked(t);
  const rows = { count: 2, hash: "c".repeat(64) };
  assert.equal(mark.approvers()?.count, 0);
  mark.keepApprovers(rows);
  mark.raise(sign(9));
  assert.deepEqual([open().approvers(), open().read()], [rows, sign(9)]);
  const text = readFileSync(file, "utf8");
  for (const wrong of [
    text.replace('"count":2', '"count":0'),
    text.slice(0, 512),
    `${text.slice(0, 512)}{}`,
  ]) {
    writeFileSync(file, wrong);
    assert.deepEqual([open().approvers(), open().read()], [null, "audit-head was not signed by the key"]);
  }
});

test("a record contains the head or has a fault", async (t) => {
  const { bench, key } = marked(t);
  const rows = await bench.recorded(fifty);
  const store = bench.open();
  const end = await store.head();
  const faultOf = async (head: Head) => (await markFault(store, key.sign(head, time), end))?.problem ?? null;
  for (const row of [rows[0], rows[24], rows[49]]) assert.equal(await faultOf(row ?? assert.fail()), null);
  assert.equal(await faultOf({ seq: 0, hash: "" }), null);
  assert.equal(
    await faultOf({ seq: 51, hash: "a" }),
    `the record ends at row 50, but row 51 was signed on ${time}`,
  );
  assert.equal(await faultOf({ seq: 25, hash: "a" }), `row 25 was signed on ${time}, and is another one now`);
});
