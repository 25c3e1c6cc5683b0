import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openApp } from "../../daemon/server/harness.cases.ts";
import type { Problem } from "../../daemon/rest/problem.ts";

interface Registered {
  readonly agent: { readonly agent_id: string; readonly status: string };
  readonly token: string;
}

/** Part of the tests of routes: each has to be called there. */
export function agentRouteCases(): void {
  suite("agents over REST", () => {
    test("an agent is registered, heard of and ended, and its token is shown once", async (t) => {
      const { call } = await openApp(t);
      const made = await call<Registered>("POST", "/api/v1/agents", { agent_id: "a", role: "backend" });
      assert.match(made.body.token, /^agt_[\w-]{43}$/);
      await call("POST", "/api/v1/agents", { agent_id: "b", kind: "lead" });
      const beat = await call("POST", "/api/v1/agents/a/heartbeat", { progress: "tests" });
      assert.equal(beat.status, 200);
      const shown = await call("GET", "/api/v1/agents/a");
      assert.ok(!shown.text.includes(made.body.token) && !shown.text.includes("token_hash"));
      assert.equal((await call("POST", "/api/v1/agents/a/complete", { summary: "done" })).status, 200);
      assert.equal((await call("POST", "/api/v1/agents/b/kill", { reason: "no" })).status, 200);
      const again = await call<Problem>("POST", "/api/v1/agents", { agent_id: "a" });
      assert.deepEqual([again.status, again.body.code], [409, "SWARM_AGENT_EXISTS"]);
      const killed = await call<{ items: { agent_id: string }[] }>("GET", "/api/v1/agents?status=killed");
      assert.deepEqual(
        killed.body.items.map(({ agent_id }) => agent_id),
        ["b"],
      );
    });
  });
}
