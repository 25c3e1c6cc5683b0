import assert from "node:assert/strict";
import { test } from "node:test";
import { ChunkSize } from "./chunk-size.ts";

/** Sizes after so many chunks, each taking what it costs. */
function settle(msOf: (records: number) => number, isOneCall = false, chunks = 60): number[] {
  const size = new ChunkSize(null, isOneCall);
  const sizes: number[] = [];
  for (let count = 0; count < chunks; count++) {
    size.took(size.lines, msOf(size.lines));
    sizes.push(size.lines);
  }
  return sizes.slice(-10);
}

test("quick records come in large chunks, slow ones alone", () => {
  assert.ok(settle((records) => records * 0.005).every((size) => size >= 4_096));
  assert.ok(settle((records) => records * 1).every((size) => size >= 25 && size <= 100));
  assert.deepEqual(new Set(settle((records) => records * 5_000)), new Set([1]));
});

test("the first chunk is one record, and no record that takes long shares one with another", () => {
  const size = new ChunkSize(null, false);
  assert.equal(size.lines, 1);
  for (let count = 0; count < 20; count++) {
    size.took(size.lines, size.lines * 30);
    assert.equal(size.lines, 1);
  }
  // Two in one call may take as long as one: that is tried, and left when it is not so.
  assert.deepEqual(new Set(settle((records) => records * 300, true)), new Set([1]));
});

test("a call that costs the same whatever is in it gets many records, up to a second", () => {
  for (const size of settle((records) => 200 + records * 0.01, true)) assert.ok(size >= 256, String(size));
  // One record takes as long as fifty: small chunks would be a waste, however slow a large one is.
  for (const size of settle((records) => 8 + records * 0.004)) assert.ok(size >= 2_048, String(size));
});

test("a size that was given is kept, and long records that fill a chunk's bytes are taken in fewer", () => {
  const fixed = new ChunkSize(7, false);
  fixed.took(7, 10_000);
  assert.equal(fixed.lines, 7);
  const size = new ChunkSize(null, false);
  for (let count = 0; count < 4; count++) size.took(size.lines, 1);
  assert.equal(size.lines, 16);
  size.took(5, 9_000);
  assert.equal(size.lines, 4);
});
