// The real agents: `npm run test:agents -- swarm-tools`.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { tools } from "../../src/swarm/mcp/tools.ts";
import { callOf, ProbedAgentRun } from "./probe/probed-run.ts";

for (const agent of ["claude-code", "codex"] as const) {
  test(`${agent} offers the tools of swarm install --mcp to its model, and claims a task by them`, async () => {
    const run = new ProbedAgentRun(agent, "hooks: []\n", {});
    after(() => run.leave());
    const { person } = run;
    const json = (...args: string[]) => {
      const { status, stdout, stderr } = person.swarm(...args, "--json");
      assert.equal(status, 0, stderr);
      return JSON.parse(stdout) as Record<string, string>;
    };
    json("install", agent, "--mcp", "--yes");
    json("task", "add", "Look at the heap", "--id", "heap");
    run.env = { SWARM_AGENT_TOKEN: json("agents", "register", "--id", "builder").token ?? "" };
    const claim = callOf(agent, (name) => name.endsWith("claim_task"), "mcp__swarm__claim_task", {});
    const { offered, results } = await run.run(claim);
    for (const { name } of tools)
      assert.ok(
        offered.some((one) => one.endsWith(name)),
        `${name} is not among ${offered.join(", ")}`,
      );
    assert.match(results[0] ?? "", /Look at the heap/);
    const { state, owner } = json("task", "show", "heap");
    assert.deepEqual([state, owner], ["claimed", "agent:builder"]);
  });
}
