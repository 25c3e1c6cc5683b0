import assert from "node:assert/strict";
import { test } from "node:test";
import { partRows, partsOf } from "./messages.ts";

test("a long list is sent in parts, and whatever else there is as it is", () => {
  for (const count of [0, 1, partRows, partRows + 1, 3 * partRows, 1_001]) {
    const list = Array.from({ length: count }, (_, at) => at);
    const { first, last } = partsOf(list);
    const all = [...first, last as readonly unknown[]];
    assert.deepEqual(all.flat(), list);
    assert.ok(all.every((part) => part.length <= partRows));
    assert.ok(count === 0 || all.every((part) => part.length > 0));
  }
  for (const value of [null, undefined, 7, "x".repeat(1_000), { length: 1_000 }])
    assert.deepEqual(partsOf(value), { first: [], last: value });
});
