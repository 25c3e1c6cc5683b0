import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "../../src/record/port/run-event.ts";
import { filterOf, matches } from "./row-filter.ts";

test("a row is shown when every field that is asked for is as asked", () => {
  const row = { event: "tool.before", kind: "emit", verdict: "deny", session: "s1" } as RunEvent;
  assert.ok(matches({}, row));
  assert.ok(matches({ event: "tool.before", verdict: "deny", session: "s1", kind: "emit" }, row));
  assert.ok(!matches({ event: "tool.before", verdict: "allow" }, row));
  assert.ok(!matches({ session: "s2" }, row));
});

test("an address asks for fields rows have, and for no others", () => {
  assert.deepEqual(filterOf({ event: "tool.after", verdict: "", cursor: "7" }), { event: "tool.after" });
});
