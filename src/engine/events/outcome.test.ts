import assert from "node:assert/strict";
import { test } from "node:test";
import { idPattern } from "../../base/ids.ts";
import type { Decision } from "./decision.ts";
import { eventNames } from "./names.ts";
import { Outcome } from "./outcome.ts";

const denied: Decision = { verdict: "deny", reason: "not here", hook: "gate", context: [], stop: null };

test("an outcome is JSON of exactly the agreed keys, with the caller's own payload", () => {
  const data = { tool_name: "Bash", tool_input: { command: "ls" } };
  const outcome = new Outcome("tool.before", data);
  assert.equal(outcome.data, data);
  assert.deepEqual(JSON.parse(JSON.stringify(outcome)), {
    event: "tool.before",
    id: outcome.id,
    decision: { verdict: "none", reason: null, hook: null, context: [], stop: null },
    data,
    handlers: [],
  });
});

test("the id of an outcome is valid, its own, and the same whenever it is read", () => {
  const one = new Outcome("turn.end", {});
  const other = new Outcome("turn.end", {});
  assert.match(one.id, idPattern);
  assert.equal(one.id, one.id);
  assert.notEqual(one.id, other.id);
});

test("a denied tool call has a result in place of the tool's", () => {
  const outcome = new Outcome("tool.before", { tool_name: "Bash", tool_input: {} });
  outcome.decision = denied;
  const result = { status: "skipped_by_hook", hook: "gate", reason: "not here" };
  assert.deepEqual(outcome.result, result);
  assert.deepEqual(JSON.parse(JSON.stringify(outcome)).result, result);
});

test("no other event and no other verdict has a result", () => {
  for (const name of eventNames) {
    const outcome = new Outcome(name, {} as Outcome["data"]);
    for (const verdict of ["none", "allow", "ask", "defer", "deny"] as const) {
      outcome.decision = { ...denied, verdict };
      if (name === "tool.before" && verdict === "deny") continue;
      assert.equal(outcome.result, undefined, `${name} ${verdict}`);
      assert.ok(!("result" in outcome.toJSON()), `${name} ${verdict}`);
    }
  }
});
