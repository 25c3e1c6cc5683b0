// What the models of the real agents read: secrets that are masked, and why a call is denied while the daemon is stopped.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { adapters } from "../../src/agents/adapters/index.ts";
import { filler } from "../../src/base/secrets/form.ts";
import type { AgentProgram } from "../../src/agents/verify/agents/agent-program.ts";
import { callsInOrder } from "../../src/agents/verify/model-server/script.ts";
import { runAgent } from "../../src/agents/verify/run-agent.ts";
import { Workplace } from "../../src/agents/verify/workplace.ts";
import { programOf, type RealAgent } from "./install-agents.ts";
import { Person } from "./person.ts";

/** Whether the output of a command that fails is masked: two of them take no answer there. */
const agents: Readonly<Record<RealAgent, { readonly isFailedMasked: boolean }>> = {
  "claude-code": { isFailedMasked: false },
  codex: { isFailedMasked: true },
  "gemini-cli": { isFailedMasked: true },
  "qwen-code": { isFailedMasked: false },
  copilot: { isFailedMasked: true },
  opencode: { isFailedMasked: true },
};

const secret = filler(36);
/** The token is put together by the command: what the model itself has written is no output. */
const print = (name: string) => `printf '${name}=%s%s\\n' ghp_ ${secret}`;

for (const [name, { isFailedMasked }] of Object.entries(agents)) {
  const agent = name as RealAgent;
  suite(agent, () => {
    test("with redact: true its model does not read a token that a command prints", async (t) => {
      const person = new Person(agent);
      t.after(() => person.leave());
      writeFileSync(join(person.home, ".swarm/config.yaml"), "redact: true\n");
      const { results } = await run(t, person, agent, [print("FIRST"), `${print("SECOND")}; exit 3`]);
      assert.match(results[0] ?? "", /FIRST=\[redacted\]/);
      assert.match(results[1] ?? "", isFailedMasked ? /SECOND=\[redacted\]/ : /SECOND=ghp_/);
      assert.ok(!results[0]?.includes(`ghp_${secret}`));
      const { stdout } = person.swarm("audit", "log", "--event", "tool.after", "--json");
      const { items } = JSON.parse(stdout) as { items: { handlers: { reason: string | null }[] }[] };
      // Some agents hand over what their screen shows beside what the model reads.
      assert.match(items.at(-1)?.handlers[0]?.reason ?? "", /^\d masked \(github-token \d\)$/);
    });

    test("with a daemon that is stopped a call is denied all the same, and its model reads why", async (t) => {
      const person = new Person(agent);
      t.after(() => person.leave());
      const stop = async () => {
        await person.startDaemon();
        person.stopDaemon();
      };
      const { results, ran } = await run(t, person, agent, ["git push --force; printf ran > denied"], stop);
      assert.equal(ran("denied"), false);
      assert.match(results[0] ?? "", /no-force-push/);
    });
  });
}

/** Installs us for the agent, has a scripted model run these commands, and tells what it read. */
async function run(
  t: TestContext,
  person: Person,
  agent: RealAgent,
  commands: readonly string[],
  before: () => Promise<void> = async () => undefined,
) {
  const installed = person.swarm("install", agent, "--yes");
  assert.equal(installed.status, 0, installed.stderr);
  await before();
  const place = new Workplace();
  t.after(() => place.remove());
  // No hooks but the person's own.
  rmSync(join(place.project, "swarm.yaml"));
  const folders = { home: person.home, project: person.project, env: person.env };
  const file = adapters[agent].settings.file("user", folders);
  const profile = trusting(programOf(agent));
  profile.copySettings([{ scope: "user", file, text: readFileSync(file, "utf8") }], folders, place);
  const ready = { profile, program: person.program(agent), place, ...folders };
  const script = callsInOrder(commands.map((command) => profile.shell(command)));
  const { toolResults, ending } = await runAgent(ready, "go", script);
  assert.equal(ending, "exit 0");
  return { results: toolResults, ran: (marker: string) => existsSync(join(place.project, marker)) };
}

/** Codex runs hooks its user has not looked at, and Gemini CLI those of a folder it does not know: here nobody could be asked. */
function trusting(profile: AgentProgram): AgentProgram {
  return {
    ...profile,
    headless(prompt, address) {
      const { args, env } = profile.headless(prompt, address);
      const [command = "", ...rest] = args;
      const isCodex = profile.agent === "codex";
      return {
        args: isCodex ? [command, "--dangerously-bypass-hook-trust", ...rest] : args,
        env: { ...env, GEMINI_CLI_TRUST_WORKSPACE: "true" },
      };
    },
  };
}
