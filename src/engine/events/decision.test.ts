import assert from "node:assert/strict";
import { test } from "node:test";
import { isStricter, isVerdict, noDecision, verdicts } from "./decision.ts";

const fromLenient = ["none", "allow", "ask", "defer", "deny"] as const;

test("deny is stricter than defer, defer than ask, ask than allow, allow than none", () => {
  assert.deepEqual(verdicts, fromLenient);
  for (const [place, verdict] of fromLenient.entries()) {
    for (const [otherPlace, other] of fromLenient.entries()) {
      assert.equal(isStricter(verdict, other), place > otherPlace, `${verdict} over ${other}`);
    }
  }
});

test("only the five verdicts are verdicts", () => {
  for (const verdict of fromLenient) assert.equal(isVerdict(verdict), true);
  const others = ["Deny", "DENY", "block", "", "constructor", "__proto__", "toString", 4, null, undefined];
  for (const other of [...others, ["deny"], { verdict: "deny" }]) assert.equal(isVerdict(other), false);
});

test("the decision every event without an opinion shares cannot be changed", () => {
  assert.deepEqual(noDecision, { verdict: "none", reason: null, hook: null, context: [], stop: null });
  assert.ok(Object.isFrozen(noDecision));
  assert.ok(Object.isFrozen(noDecision.context));
});
