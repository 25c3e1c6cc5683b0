import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { adapters } from "../../src/agents/adapters/index.ts";
import type { ToolCall } from "../../src/agents/verify/model-server/script.ts";
import { type RealAgent, versionOf } from "./install-agents.ts";
import { callOf, ProbedAgentRun } from "./probe/probed-run.ts";

const rule = (when: string) => `policy:\n  rules:\n    - {id: no, when: {${when}}, behaviour: deny}\n`;
const hook = (match: string) =>
  `hooks:\n  - {event: tool.before, type: blocking_script, name: no, match: "${match}", command: "exit 1"}\n`;

/** Other tools that run a command: each has to be denied by what denies a shell. */
export interface ToolNameCase {
  readonly agent: RealAgent;
  /** Leaves `touched` behind in the project. */
  readonly otherShells?: readonly ToolCall[];
}

export function toolNameCases({ agent, otherShells = [] }: ToolNameCase): void {
  suite(`${agent}: common names of tools`, () => {
    const servers = { probe: ["touch"], "my.server": ["do it"] };
    const run = new ProbedAgentRun(agent, "hooks: []\n", servers);
    after(() => run.leave());
    const touch = callOf(agent, (name) => /probe.*touch$/.test(name), "mcp__probe__touch");
    const doIt = callOf(agent, (name) => /my.server.*do.it/.test(name), "mcp__my_server__do_it_1rhu72k");

    test("every tool it offers is known, and is one that it was seen to offer", async () => {
      const { offered } = await run.run();
      const own = offered.filter((name) => !/touch$|do.it|^mcp_/.test(name)).sort();
      const file = join(import.meta.dirname, "offered-tools", `${agent}.json`);
      const text = `${JSON.stringify({ version: versionOf(agent), tools: own }, null, 2)}\n`;
      if (process.env.SWARM_RECORD === "1") writeFileSync(file, text);
      const unknown = own.filter((tool_name) => adapters[agent].toolNames({ tool_name })?.isBuiltIn !== true);
      assert.deepEqual(unknown, [], "say in the adapter's table what they do");
      assert.deepEqual(JSON.parse(text), JSON.parse(readFileSync(file, "utf8")));
    });

    test("a tool of an MCP server that nothing is against runs", async () => {
      run.configure(rule("tool: 'mcp:probe/read'"));
      assert.equal((await run.run(touch)).isTouched, true);
      assert.equal((await run.run(doIt)).isTouched, true);
    });

    for (const [when, call] of [
      ["tool: 'mcp:probe/touch'", touch],
      ["tool: ['mcp:*']", touch],
      ["tool: 'mcp:my.server/do it'", doIt],
      ["tool: 'mcp:my.server/*'", doIt],
    ] as const) {
      test(`a rule with ${when} denies it`, async () => {
        run.configure(rule(when));
        const { isTouched, results } = await run.run(call);
        assert.deepEqual([isTouched, results.length], [false, 1], results.join("\n"));
      });
    }

    for (const [match, call] of [
      ["mcp:probe/*", touch],
      ["mcp:my.server/do it", doIt],
    ] as const) {
      test(`a hook with match: ${match} denies it`, async () => {
        run.configure(hook(match));
        const { isTouched, results } = await run.run(call);
        assert.deepEqual([isTouched, results.length], [false, 1], results.join("\n"));
      });
    }

    for (const call of otherShells) {
      const touched = join(run.person.project, "other-shell");
      test(`${call.tool} ${JSON.stringify(call.input)} is a shell`, async () => {
        for (const config of [rule("tool: shell"), hook("shell")]) {
          run.configure(config);
          const { results } = await run.run(() => call);
          assert.deepEqual([existsSync(touched), results.length], [false, 1], results.join("\n"));
        }
        run.configure(rule("tool: fetch"));
        await run.run(() => call);
        assert.equal(existsSync(touched), true, "it runs when nothing is against it");
      });
    }
  });
}
