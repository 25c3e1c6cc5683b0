import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { systemClock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { Outcome } from "../../engine/events/outcome.ts";
import { type Decided, Events } from "./events.ts";

const full = new SwarmError("SWARM_STORE_FULL", { location: "swarm.db", problem: "is the disk full?" });
const delivery = { kind: "delivery" };

/** Events whose record takes nothing, or everything, and a decision in which one hook took part. */
function decided(options: { onFailure?: "allow" | "deny"; failure?: Error; changes?: object[] }) {
  const woken: unknown[] = [];
  const events = new Events({
    clock: systemClock,
    approvals: { follow: () => null },
    webhooks: { take: () => [delivery], wake: (changes: unknown[]) => void woken.push(...changes) },
    audit: { record: async () => (options.failure === undefined ? {} : Promise.reject(options.failure)) },
  } as never);
  const data = { tool_name: "Bash", tool_input: {} };
  const outcome = new Outcome("tool.before", data);
  outcome.handlers = [{ name: "guard", reason: null, ms: 1 } as never];
  const inForce = { hookOf: () => options, flags: {}, config: {} };
  const request = { event: "tool.before", data, origin: {}, actor: "a", changes: options.changes ?? [] };
  const event = { ...request, waitsForPerson: false, startedAtMs: 0, outcome, inForce } as unknown as Decided;
  return { outcome, woken, record: () => events.record(event) };
}

suite("an event that has been decided", () => {
  test("is denied where a guard has judged it and it cannot be recorded", async () => {
    const { outcome, woken, record } = decided({ onFailure: "deny", failure: full });
    await record();
    const { verdict, reason, hook } = outcome.decision;
    assert.deepEqual([verdict, hook], ["deny", "swarm"]);
    assert.equal(reason, `this action is guarded and cannot be recorded: ${full.message}`);
    assert.deepEqual(woken, []);
  });

  test("fails without a guard, as a message from elsewhere does with one, and by a mistake of ours", async () => {
    await assert.rejects(decided({ onFailure: "allow", failure: full }).record(), full);
    const message = { onFailure: "deny", failure: full, changes: [{ kind: "inbound_message" }] } as const;
    await assert.rejects(decided({ ...message, changes: [...message.changes] }).record(), full);
    const mistake = new TypeError("a mistake");
    await assert.rejects(decided({ onFailure: "deny", failure: mistake }).record(), mistake);
  });

  test("has its deliveries sent once it is recorded", async () => {
    const { woken, record } = decided({ onFailure: "deny" });
    await record();
    assert.deepEqual(woken, [delivery]);
  });
});
