import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { Place } from "./harness.ts";

interface Protection {
  readonly is_blocking: boolean;
  readonly rules: number;
  readonly agents: readonly {
    readonly agent: string;
    readonly is_installed: boolean;
    readonly is_guarded: boolean;
    readonly fault: string | null;
    readonly what_to_do: string | null;
  }[];
}

/** A user with two agents. */
function user(t: TestContext, config?: string): Place {
  const place = new Place(t, config);
  const home = join(place.folder, "user");
  Object.assign(place.env, {
    HOME: home,
    XDG_CONFIG_HOME: undefined,
    CLAUDE_CONFIG_DIR: undefined,
    CODEX_HOME: undefined,
  });
  for (const folder of [".claude", ".codex"]) mkdirSync(join(home, folder), { recursive: true });
  mkdirSync(place.home, { recursive: true });
  return place;
}

suite("what protects is always visible", () => {
  test("with nothing set up, status and check say that nothing is blocked, and what to do", async (t) => {
    const place = user(t);
    const { stdout } = await place.swarm("status");
    assert.match(stdout, /^guards {3}nothing is blocked here: swarm policy init turns on a policy$/m);
    assert.match(stdout, /^agents {3}Claude Code: not guarded: swarm install claude-code$/m);
    assert.match(stdout, /^ {9}Codex: not guarded: swarm install codex$/m);
    const check = await place.swarm("check", "git push -f");
    assert.deepEqual(
      [check.status, check.stdout],
      [0, "nothing is blocked here: swarm policy init turns on a policy\n"],
    );
  });

  test("an agent is guarded once something can stop it and it asks, by a daemon as without one", async (t) => {
    const place = user(t);
    assert.equal((await place.swarm("install", "claude-code", "--yes")).status, 0);
    const asks = await place.swarm("status");
    assert.match(asks.stdout, /^agents {3}Claude Code: asks, and nothing is blocked, never proven$/m);
    assert.equal((await place.swarm("policy", "init")).status, 0);
    assert.equal((await place.swarm("install", "claude-code", "--yes")).status, 0);
    const alone = await place.json<Protection>("status");
    assert.ok(alone.is_blocking && alone.rules > 10);
    assert.deepEqual(
      alone.agents.map(({ agent, is_installed, is_guarded, fault, what_to_do }) => [
        agent,
        is_installed,
        is_guarded,
        fault,
        what_to_do,
      ]),
      [
        ["claude-code", true, true, null, "swarm verify claude-code"],
        ["codex", false, false, null, "swarm install codex"],
      ],
    );
    const { stdout } = await place.swarm("status");
    assert.match(
      stdout,
      /^agents {3}Claude Code: guarded by \d+ rules, never proven: swarm verify claude-code$/m,
    );
    const { port } = await place.up();
    const { body } = await place.call(
      port,
      "GET",
      `/api/v1/overview?cwd=${encodeURIComponent(place.project)}`,
    );
    assert.deepEqual([body.is_blocking, body.agents], [alone.is_blocking, alone.agents]);
  });

  test("one whose settings switch hooks off is not guarded, and the reason is there", async (t) => {
    const place = user(t);
    await place.swarm("policy", "init");
    await place.swarm("install", "claude-code", "--yes");
    writeFileSync(join(place.folder, "user/.claude/settings.local.json"), '{"disableAllHooks": true}');
    mkdirSync(join(place.project, ".claude"));
    writeFileSync(join(place.project, ".claude/settings.local.json"), '{"disableAllHooks": true}');
    const { agents } = await place.json<Protection>("status");
    const [claude] = agents;
    assert.deepEqual([claude?.is_installed, claude?.is_guarded], [true, false]);
    assert.match(claude?.fault ?? "", /disableAllHooks/);
    assert.match((await place.swarm("status")).stdout, /Claude Code: NOT guarded: .*disableAllHooks/);
  });

  test("hooks count for nothing while hooks_enabled is off, and rules go on judging", async (t) => {
    const place = user(t);
    const guard = "hooks: [{ event: tool.before, type: command, name: guard, command: exit 2 }]\n";
    writeFileSync(join(place.home, "config.yaml"), `hooks_enabled: false\n${guard}`);
    assert.equal((await place.json<Protection>("status")).is_blocking, false);
    assert.match((await place.swarm("check", "git push -f")).stdout, /^nothing is blocked here/);
    writeFileSync(join(place.home, "config.yaml"), `hooks_enabled: false\npolicy: starter\n${guard}`);
    assert.equal((await place.json<Protection>("status")).is_blocking, true);
    assert.match((await place.swarm("check", "git push -f")).stdout, /^deny by starter/);
  });

  test("hooks that only watch block nothing", async (t) => {
    const place = user(t, "hooks: []\n");
    const watch = "hooks: [{ event: tool.before, type: script, name: watch, command: cat }]\n";
    writeFileSync(join(place.home, "config.yaml"), watch);
    const { is_blocking } = await place.json<Protection>("status");
    assert.equal(is_blocking, false);
  });
});

suite("swarm statusline", () => {
  const line = async (place: Place, ...args: string[]) => (await place.swarm("statusline", ...args)).stdout;

  test("says the worst there is to say of the agents that are here, or of one", async (t) => {
    const place = user(t);
    assert.equal(await line(place), "swarm: NOTHING IS BLOCKED (swarm policy init)\n");
    await place.swarm("policy", "init");
    assert.equal(await line(place), "swarm: NOT GUARDED (swarm doctor)\n");
    await place.swarm("install", "claude-code", "--yes");
    assert.equal(await line(place), "swarm: NOT GUARDED: Codex\n");
    assert.match(await line(place, "claude-code"), /^swarm: \d+ rules, not proven \(swarm verify\)\n$/);
    const { status, stderr } = await place.swarm("statusline", "claud");
    assert.deepEqual([status, /unknown agent "claud"/.test(stderr)], [64, true]);
  });
});

suite("doctor's warnings", () => {
  const guard = (match: string) =>
    `hooks: [{ event: tool.before, type: command, name: guard, match: "${match}", mode: guard, on_failure: deny, command: exit 0 }]\n`;

  async function warnings(t: TestContext, match: string, agents: readonly string[]) {
    const place = user(t, guard(match));
    await place.trust();
    await place.swarm("install", ...agents, "--yes");
    const found = await place.doctor();
    return found.flatMap(({ level, about, finding }) =>
      level === "warning" && about === "guard" ? [finding] : [],
    );
  }

  test("tell of a matcher that is one agent's own name of a tool, where another agent is installed", async (t) => {
    assert.deepEqual(await warnings(t, "Bash", ["claude-code", "gemini-cli"]), [
      "match: Bash is not what Gemini CLI calls it, whose calls it lets pass: match: shell is for all agents",
    ]);
  });

  test("are not there for a common name, for one agent, nor where every agent's name is listed", async (t) => {
    assert.deepEqual(await warnings(t, "shell", ["claude-code", "gemini-cli"]), []);
    assert.deepEqual(await warnings(t, "Bash", ["claude-code"]), []);
    assert.deepEqual(await warnings(t, "Bash|run_shell_command", ["claude-code", "gemini-cli"]), []);
  });

  test("of what is unproven are no reason for another exit code", async (t) => {
    const place = user(t, "hooks: []\n");
    await place.swarm("policy", "init");
    await place.swarm("install", "claude-code", "--yes");
    const { status, stdout } = await place.swarm("doctor");
    assert.match(stdout, /^warning {2}claude-code: never verified: run swarm verify claude-code$/m);
    assert.equal(status, 0, stdout);
  });
});

suite("swarm check", () => {
  test("says the verdict, the rule, why and how to allow it; exit 1 when an agent may not simply run it", async (t) => {
    const place = user(t);
    await place.swarm("policy", "init");
    const denied = await place.swarm("check", "git push -f");
    assert.equal(denied.status, 1);
    assert.match(
      denied.stdout,
      /^deny by starter\/git-overwrite-remote: .+\nto let it pass: swarm policy allow 'git push -f' --reason "why"\n$/,
    );
    const asked = await place.swarm("check", "npm publish");
    assert.equal(asked.status, 1);
    assert.match(asked.stdout, /^ask by starter\/publish: /);
    const passed = await place.swarm("check", "grep 'push --force' notes.md");
    assert.deepEqual([passed.status, passed.stdout], [0, "passes: no hook or rule objects\n"]);
  });

  test("records nothing and asks nobody", async (t) => {
    const place = user(t);
    await place.swarm("policy", "init");
    await place.swarm("check", "npm publish");
    const { recorded, pending_approvals } = await place.json<{ recorded: number; pending_approvals: number }>(
      "status",
    );
    assert.deepEqual([recorded, pending_approvals], [0, 0]);
  });

  test("asks the folder's hooks, too, and names the one that denies", async (t) => {
    const guard = `hooks:
  - { event: tool.before, type: command, name: no-ls, match: shell, mode: guard, on_failure: deny, command: "echo no listing >&2; exit 2" }
`;
    const place = user(t, guard);
    const untrusted = await place.swarm("check", "ls");
    assert.equal(untrusted.status, 1);
    assert.match(untrusted.stdout, /^deny by swarm\/trust: .*\nto let it pass: swarm trust\n$/);
    await place.trust();
    const { stdout } = await place.swarm("check", "ls");
    assert.equal(
      stdout,
      "deny by no-ls: no listing\nto let it pass: change the hook no-ls: swarm hooks list says where it is\n",
    );
  });

  test("takes the command as one argument, and says so", async (t) => {
    const place = user(t);
    const { status, stderr } = await place.swarm("check", "git", "push");
    assert.equal(status, 64);
    assert.match(stderr, /one argument, in quotes/);
    const option = await place.swarm("check", "git", "push", "-f");
    assert.match(option.stderr, /one argument, in quotes/);
  });
});
