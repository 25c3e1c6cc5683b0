import assert from "node:assert/strict";
import { test } from "node:test";
import { RepeatedHashes } from "./repeated-hashes.ts";

/** Even ones, as hashes are. */
const hashAt = (at: number) => Math.floor(((at * 0.6180339887498949) % 1) * 2 ** 53);

test("tells which hashes came more than once", () => {
  const repeated = new RepeatedHashes(10_000);
  for (let round = 0; round < 2; round++) {
    repeated.clear();
    for (let at = 0; at < 10_000; at++) repeated.add(hashAt(at));
    assert.equal(repeated.count, 0);
    for (let at = 0; at < 10_000; at += 7) repeated.add(hashAt(at));
    for (let at = 0; at < 10_000; at++) assert.equal(repeated.has(hashAt(at)), at % 7 === 0, String(at));
  }
});

test("the smallest and the largest hash are told apart", () => {
  const repeated = new RepeatedHashes(3);
  for (const hash of [0, 2 ** 53 - 1, 0]) repeated.add(hash);
  assert.deepEqual([repeated.has(0), repeated.has(2 ** 53 - 1)], [true, false]);
});

test("one that comes a million times takes no more room than one that comes once", () => {
  const repeated = new RepeatedHashes(1);
  for (let times = 0; times < 1_000_000; times++) repeated.add(12_345);
  assert.ok(repeated.has(12_345));
});

test("what there is no room for counts as repeated, and none is missed", () => {
  const repeated = new RepeatedHashes(100);
  for (let at = 0; at < 5_000; at++) repeated.add(hashAt(at));
  for (let at = 0; at < 5_000; at += 2) repeated.add(hashAt(at));
  for (let at = 0; at < 5_000; at += 2) assert.ok(repeated.has(hashAt(at)), String(at));
});
