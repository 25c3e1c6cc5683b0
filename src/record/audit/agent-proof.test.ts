import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "../port/run-event.ts";
import type { Store } from "../../store/port/store.ts";
import { agentProof } from "./agent-proof.ts";

/** A record of changes for one agent, oldest first. */
function recordOf(...changes: readonly (readonly [event: string, reason?: string])[]): Store {
  const rows = changes.map(([event, reason = null], at) => ({
    seq: at + 1,
    event,
    reason,
    time: `2026-01-01T00:00:0${at}.000Z`,
  }));
  const lastChange = async (wanted: string) => rows.findLast(({ event }) => event === wanted) ?? null;
  return { lastChange: lastChange as (event: string) => Promise<RunEvent | null> } as Partial<Store> as Store;
}

test("tells what the last proof came to and when", async () => {
  const store = recordOf(
    ["agent.installed"],
    ["guard.verified", "INERT: codex 1.0, trust the hooks in Codex"],
    ["guard.verified", "enforced: codex 1.0, deny, allow"],
  );
  assert.deepEqual(await agentProof(store, "codex"), {
    agent: "codex",
    verdict: "enforced",
    verified_at: "2026-01-01T00:00:02.000Z",
    detail: "codex 1.0, deny, allow",
    is_outdated: false,
  });
});

test("tells that the entries have changed since, and of an agent that was never proven", async () => {
  const changed = recordOf(["guard.verified", "enforced: codex 1.0, deny"], ["agent.uninstalled"]);
  assert.equal((await agentProof(changed, "codex"))?.is_outdated, true);
  const unproven = await agentProof(recordOf(["agent.installed"]), "codex");
  assert.deepEqual([unproven?.verdict, unproven?.is_outdated], [null, true]);
  assert.equal(await agentProof(recordOf(), "codex"), null);
});

test("takes a word nobody knows for no proof", async () => {
  const proof = await agentProof(recordOf(["guard.verified", "enforcedish: codex"]), "codex");
  assert.equal(proof?.verdict, "not provable");
});
