// The real agents: `npm run test:agents -- own-settings`.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { programOf, type RealAgent } from "./install-agents.ts";
import { callOf, ProbedAgentRun } from "./probe/probed-run.ts";

/** One command that switches the agent's hooks off, and whether it has. Paths start at the home folder. */
interface SwitchingOff {
  readonly command: string;
  readonly file: string;
  /** Whether the file is there once the command has run. */
  readonly isThereAfter: boolean;
}

const switches: Readonly<Record<RealAgent, SwitchingOff>> = {
  "claude-code": {
    // It asks by itself before a redirection into this folder, and not before this.
    command: `python3 -c 'import os; os.makedirs(".claude", exist_ok=True); open(".claude/settings.local.json", "w").write("{}")'`,
    file: "project/.claude/settings.local.json",
    isThereAfter: true,
  },
  codex: {
    command: `mkdir -p .codex; printf '[features]\\nhooks = false\\n' > .codex/config.toml`,
    file: "project/.codex/config.toml",
    isThereAfter: true,
  },
  "gemini-cli": {
    command: `mkdir -p .gemini; printf '{"hooksConfig":{"enabled":false}}' > .gemini/settings.json`,
    file: "project/.gemini/settings.json",
    isThereAfter: true,
  },
  "qwen-code": {
    command: `mkdir -p .qwen; printf '{"disableAllHooks":true}' > .qwen/settings.json`,
    file: "project/.qwen/settings.json",
    isThereAfter: true,
  },
  copilot: {
    command: "rm ~/.copilot/hooks/swarm-hooks.json",
    file: ".copilot/hooks/swarm-hooks.json",
    isThereAfter: false,
  },
  opencode: {
    // It asks by itself before rm reaches out of the project, and not before this.
    command: `python3 -c 'import os; os.remove(os.path.expanduser("~/.config/opencode/plugin/swarm-hooks.js"))'`,
    file: ".config/opencode/plugin/swarm-hooks.js",
    isThereAfter: false,
  },
};

for (const [name, { command, file, isThereAfter }] of Object.entries(switches)) {
  const agent = name as RealAgent;
  suite(`${agent}: under a policy`, () => {
    const run = new ProbedAgentRun(agent, "policy: starter\n", { probe: ["touch"] });
    after(() => run.leave());
    const isThere = () => existsSync(join(run.person.home, file));
    const shell = () => programOf(agent).shell(command);

    test("it cannot switch its own hooks off", async () => {
      run.configure("policy: starter\n");
      const { results } = await run.run(shell);
      assert.deepEqual([isThere(), results.length], [!isThereAfter, 1], results.join("\n"));
    });

    test("a path among the arguments of an MCP server's tool counts as written", async () => {
      run.configure(`policy: {rules: [{id: no, behaviour: deny, when: {write_path: "/**/kept.txt"}}]}\n`);
      const touch = (note: string) =>
        callOf(agent, (tool) => /probe.*touch$/.test(tool), "mcp__probe__touch", { note });
      assert.equal((await run.run(touch("./other.txt"))).isTouched, true);
      const { isTouched, results } = await run.run(touch("./kept.txt"));
      assert.deepEqual([isTouched, results.length], [false, 1], results.join("\n"));
    });

    test("without one, the same command does switch them off", async () => {
      run.configure("hooks: []\n");
      const { results } = await run.run(shell);
      assert.equal(isThere(), isThereAfter, JSON.stringify(results));
    });
  });
}
