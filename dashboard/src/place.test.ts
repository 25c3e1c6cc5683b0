import assert from "node:assert/strict";
import { test } from "node:test";
import { hashOf, placeOf } from "./place.ts";

test("a place is read from the address it makes", () => {
  const hash = hashOf("record", { verdict: "deny", session: "a&b=c", kind: "", since: undefined }, "evt_1");
  assert.equal(hash, "#/record/evt_1?verdict=deny&session=a%26b%3Dc");
  assert.deepEqual(placeOf(hash), {
    page: "record",
    id: "evt_1",
    query: { verdict: "deny", session: "a&b=c" },
  });
  assert.deepEqual(placeOf(hashOf("live")), { page: "live", id: null, query: {} });
});

test("an address that is no place is the beginning", () => {
  for (const hash of ["", "#", "#/", "#x", "#/<b>", "#/a/b/c", "#//x"])
    assert.deepEqual(placeOf(hash), { page: "", id: null, query: {} }, hash);
});
