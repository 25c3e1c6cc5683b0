// The real agents that take hooks for one run: `npm run test:agents -- try`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { ModelServer } from "../../src/agents/verify/model-server/model-server.ts";
import { programOf, type RealAgent } from "./install-agents.ts";
import { Person } from "./person.ts";

const bin = join(import.meta.dirname, "../../bin/swarm");
const commands = ["git push --force origin main || touch pushed", "touch listed"];

for (const agent of ["claude-code", "codex"] as const satisfies readonly RealAgent[]) {
  suite(`swarm try ${agent}`, () => {
    const person = new Person(agent);
    after(() => person.leave());

    test("the agent obeys hooks it was given for this run, and its settings are as they were", async () => {
      const before = new Set(readdirSync(person.home));
      const { answers, summary, stderr } = await tried(agent, person);
      assert.match(answers[0] ?? "", /force/, stderr);
      assert.deepEqual(
        ["pushed", "listed"].map((file) => existsSync(join(person.project, file))),
        [false, true],
        stderr,
      );
      assert.deepEqual([summary.tool_calls, summary.stopped.length], [2, 1]);
      assert.equal(summary.stopped[0]?.verdict, "deny");
      for (const file of [
        ".claude/settings.json",
        ".codex/hooks.json",
        ".codex/config.toml",
        ".swarm/swarm.db",
      ])
        assert.equal(existsSync(join(person.home, file)), false, file);
      assert.ok(before.has(".swarm"));
    });
  });
}

interface Summary {
  readonly tool_calls: number;
  readonly stopped: readonly { readonly verdict: string }[];
}

/** Has the model make both calls, and returns what it was answered. */
async function tried(agent: RealAgent, person: Person) {
  const profile = programOf(agent);
  const model = await ModelServer.start(({ tools, toolResults }) => {
    const command = tools.length > 3 ? commands[toolResults.length] : undefined;
    return command === undefined ? { text: "done" } : profile.shell(command);
  });
  const { args, env } = profile.headless("go", model.address);
  const child = spawn(process.execPath, [bin, "try", "--json", agent, ...args], {
    cwd: person.project,
    env: { ...person.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  await once(child, "close");
  await model.close();
  return { answers: model.toolResults, summary: JSON.parse(stdout) as Summary, stderr };
}
