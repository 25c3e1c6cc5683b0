import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { adapters } from "../src/agents/adapters/index.ts";
import { type EventName, eventNames, rowOf } from "../src/engine/events/names.ts";
import type { Emitter } from "../src/engine/events/row.ts";

const root = join(import.meta.dirname, "..");

/** Events of the swarm whose part is not built yet: they have no emit site. This list may only get shorter. */
const pending: readonly EventName[] = [
  "merge.started",
  "merge.completed",
  "merge.conflict",
  "quality_gate.passed",
  "quality_gate.failed",
  "budget.threshold",
  "budget.exceeded",
];

test("every event is raised by the part its row names, or that part is still to come", () => {
  const silent = eventNames.filter((event) => !isRaised(event, rowOf(event).emitter));
  assert.deepEqual(silent, pending);
});

/** Where the sources of each part that emits are. */
const folders: Readonly<Record<Exclude<Emitter, "adapters">, string>> = {
  batch: "src/operations/batch",
  cron: "src/operations/cron",
  drift: "src/operations/drift",
  hooks: "src/engine/hooks",
  permissions: "src/policy",
  runtime: "src/daemon/runtime",
  swarm: "src/swarm",
};

/** An emit site is a call of `emit` that names the event, in the source of the part; an adapter has a table of its own. */
function isRaised(event: EventName, part: Emitter): boolean {
  if (part === "adapters") return Object.values(adapters).some(({ agent }) => agentEvents(agent).has(event));
  const name = `"${event.replaceAll(".", "\\.")}"`;
  const site = new RegExp(`\\bemit\\(\\s*(?:\\{\\s*event: )?${name}`);
  return globSync(`${folders[part]}/**/*.ts`, { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .some((file) => site.test(readFileSync(join(root, file), "utf8")));
}

/** What the adapter makes of each of the agent's own events, and of one nobody knows. */
function agentEvents(agent: keyof typeof adapters): Set<EventName> {
  const adapter = adapters[agent];
  const natives = [...adapter.events.map(({ native }) => native), "NobodyKnowsThisOne"];
  const decoded = natives.map((hook_event_name) => {
    const payload = { session_id: "s", cwd: "/", hook_event_name, tool_name: "Bash", tool_input: {} };
    return adapter.decode({ payload, env: {} }).event;
  });
  return new Set(decoded);
}
