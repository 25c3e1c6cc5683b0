import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { idPattern, newId } from "./ids.ts";

test("an id fits the pattern every surface accepts", () => {
  for (const prefix of ["evt", "job", "run", "apr", "a_b-C9"]) assert.match(newId(prefix), idPattern);
});

test("an id is its prefix, nine characters of time and twenty of randomness", () => {
  assert.match(newId("evt", 0), /^evt_000000000[0-9a-f]{20}$/);
  assert.match(newId("evt", 1_700_000_000_000), /^evt_0loyw3v28[0-9a-f]{20}$/);
});

test("without a time an id is made of the present one", () => {
  const before = Date.now();
  const madeAtMs = Number.parseInt(newId("evt").slice(4, 13), 36);
  assert.ok(madeAtMs >= before && madeAtMs <= Date.now());
});

test("ten thousand ids of one millisecond are all different", () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newId("evt", 1_700_000_000_000)));
  assert.equal(ids.size, 10_000);
});

test("ids sort by the millisecond they were made in", () => {
  const timeMs = fc.nat({ max: 2 ** 46 });
  fc.assert(
    fc.property(timeMs, timeMs, (oneMs, otherMs) => {
      fc.pre(oneMs !== otherMs);
      assert.equal(newId("evt", oneMs) < newId("evt", otherMs), oneMs < otherMs);
    }),
  );
});

const refused = ["", "a".repeat(65), "../etc", "a b", "a/b", "a.b", "é", "evt_1\n", "\nevt_1", "a\0"];

for (const id of refused) {
  test(`${JSON.stringify(id)} is not an id`, () => assert.doesNotMatch(id, idPattern));
}

test("one and sixty-four characters are ids", () => {
  assert.match("a", idPattern);
  assert.match("Z".repeat(64), idPattern);
});

test("every digit of an id is as likely as any other", () => {
  const digits = Array.from({ length: 20_000 }, () => newId("evt").slice(-20)).join("");
  const counts = Array.from("0123456789abcdef", (digit) => digits.split(digit).length - 1);
  // 25,000 of each, give or take 153: further off than seven times that once in a hundred thousand million runs.
  for (const count of counts) assert.ok(Math.abs(count - 25_000) < 1_100, counts.join(" "));
});
