import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { ModelServer } from "../../src/agents/verify/model-server/model-server.ts";
import { callsInOrder } from "../../src/agents/verify/model-server/script.ts";
import { agentCases, allPass } from "./agent.cases.ts";
import { Person } from "./person.ts";

agentCases({ agent: "copilot", results: allPass });

test("with Claude Code's and its own file in one repository, each call is judged once, and denied in its words", async () => {
  const person = new Person("copilot");
  after(() => person.leave());
  const { home, project } = person;
  const installed = person.swarm("install", "claude-code", "copilot", "--scope", "project", "--yes");
  assert.equal(installed.status, 0, installed.stderr);
  // As it writes it when its user trusts the folder: the hooks of a repository run in no other.
  writeFileSync(join(home, ".copilot/config.json"), JSON.stringify({ trustedFolders: [project] }));
  const results = await run(person, ["git push --force; printf ran > denied", "printf ran > allowed"]);
  assert.deepEqual(
    [existsSync(join(project, "denied")), existsSync(join(project, "allowed"))],
    [false, true],
  );
  assert.match(results[0] ?? "", /^Denied by preToolUse hook: /);
  const { stdout } = person.swarm("audit", "log", "--event", "tool.before", "--json");
  const { items } = JSON.parse(stdout) as { items: { source: string; verdict: string }[] };
  assert.deepEqual(
    items.map(({ source, verdict }) => [source, verdict]),
    [
      ["copilot", "none"],
      ["copilot", "deny"],
    ],
  );
});

test("with a daemon that is stopped a call is denied all the same, and it reads why", async () => {
  const person = new Person("copilot");
  after(() => person.leave());
  assert.equal(person.swarm("install", "copilot", "--yes").status, 0);
  await person.startDaemon();
  person.stopDaemon();
  const results = await run(person, ["git push --force; printf ran > denied"]);
  assert.equal(existsSync(join(person.project, "denied")), false);
  assert.match(results[0] ?? "", /^Denied by preToolUse hook: .*no-force-push/);
});

/** Has a scripted model run these commands, and tells what it read. */
async function run(person: Person, commands: readonly string[]) {
  const calls = commands.map((command) => ({ tool: "bash", input: { command, description: "d" } }));
  const model = await ModelServer.start(callsInOrder(calls));
  const env = {
    ...person.env,
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_BASE_URL: `${model.address}/v1`,
    COPILOT_PROVIDER_API_KEY: "none",
    COPILOT_MODEL: "scripted",
  };
  const args = ["-p", "go", "--allow-all-tools"];
  const copilot = spawn(person.program("copilot"), args, { cwd: person.project, env, stdio: "ignore" });
  await once(copilot, "exit");
  await model.close();
  return model.toolResults;
}
