import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { Place } from "./harness.ts";

suite("swarm policy", () => {
  test("init turns the starter policy on, once, and leaves the rest of the file as it was", async (t) => {
    const place = new Place(t);
    const first = await place.swarm("policy", "init");
    assert.deepEqual([first.status, first.stderr], [0, ""]);
    const file = join(place.home, "config.yaml");
    assert.equal(readFileSync(file, "utf8"), "policy: starter\n");
    const second = await place.swarm("policy", "init");
    assert.equal(second.status, 64);
    assert.match(second.stderr, /config\.yaml has a policy already/);
    const { rules } = await place.json<{ rules: { id: string }[] }>("policy", "check");
    assert.ok(
      rules.some(({ id }) => id === "starter/publish") && rules.some(({ id }) => id === "self/files"),
    );
    writeFileSync(file, "# mine\nsandbox: off");
    await place.swarm("policy", "init", "--copy");
    assert.equal(readFileSync(file, "utf8"), "# mine\nsandbox: off\npolicy: ./policy.yaml\n");
    const copied = await place.json<{ rules: { id: string }[] }>("policy", "check");
    assert.equal(copied.rules[0]?.id, "my/git-overwrite-remote");
  });

  test("test and hooks test take a tool's name as the agent they name means it", async (t) => {
    const place = new Place(t);
    const rule = '{ id: no-probe, when: { tool: "mcp:probe/*" }, behaviour: deny }';
    const cases = [
      "{ tool: probe_touch, agent: opencode, expect: deny, rule: no-probe }",
      "{ tool: probe_touch, agent: claude-code, expect: none }",
      "{ tool: probe-touch, agent: copilot, expect: deny }",
      '{ tool: "MCP:touch", agent: cursor, expect: deny }',
    ];
    place.write("policy.yaml", `rules:\n  - ${rule}\ntests:\n${cases.map((one) => `  - ${one}\n`).join("")}`);
    assert.equal((await place.swarm("policy", "test", "policy.yaml")).stdout, "4 of 4 cases as expected\n");
    await place.swarm("policy", "init");
    writeFileSync(join(place.home, "config.yaml"), `policy:\n  rules:\n    - ${rule}\n`);
    const verdictFrom = async (source: string) => {
      const args = ["hooks", "test", "tool.before", "--tool", "probe_touch", "--source", source];
      return (await place.json<{ decision: { verdict: string } }>(...args)).decision.verdict;
    };
    assert.deepEqual([await verdictFrom("opencode"), await verdictFrom("test")], ["deny", "none"]);
  });

  test("check shows rules, finds errors with their place, and tells what stays in force", async (t) => {
    const place = new Place(t);
    place.write("policy.yaml", "rules:\n  - { id: x, behaviour: deny, when: { tool: shell } }\n");
    const good = await place.swarm("policy", "check", "policy.yaml");
    assert.equal(good.status, 0);
    assert.match(good.stdout, /^x +deny +.*policy\.yaml:2 +\{"tool":"shell"\}$/m);
    place.write("policy.yaml", "rules:\n  - { id: x, behaviour: deny, wen: {} }\n");
    const bad = await place.swarm("policy", "check", "policy.yaml");
    assert.equal(bad.status, 65);
    assert.match(
      bad.stderr,
      /policy\.yaml:2:31: unknown key "wen" in the rule, did you mean "when"\? \[SWARM_CONFIG_INVALID\]/,
    );
    assert.equal((await place.swarm("policy", "check", "gone.yaml")).status, 65);
    place.write("policy.yaml", "tests: []\n");
    assert.equal((await place.swarm("policy", "check", "policy.yaml")).stdout, "no rules in policy.yaml\n");
    const none = "no cases: they stand under tests: in a policy file\n";
    assert.equal((await place.swarm("policy", "test", "policy.yaml")).stdout, none);
  });

  test("a daemon that finds no good rules when it starts says so, and decides nothing", async (t) => {
    const place = new Place(t);
    await place.swarm("policy", "init");
    writeFileSync(join(place.home, "config.yaml"), "policy: strater\n");
    const up = await place.up();
    const data = '{"tool_name": "Bash", "tool_input": {"command": "ls"}}';
    assert.equal((await place.swarm("emit", "tool.before", "--data", data)).status, 65);
    await place.swarm("stop");
    const { stderr } = await up.ended;
    assert.match(
      stderr,
      / warn nothing can be decided in this folder: .*config\.yaml:1:9: there is no policy "strater"/,
    );
  });

  test("check tells of a daemon that keeps the last good rules", async (t) => {
    const place = new Place(t);
    await place.swarm("policy", "init");
    const file = join(place.home, "config.yaml");
    await place.up();
    const before = await place.json<{ rules: unknown[]; problem: string | null }>("policy", "check");
    writeFileSync(file, "policy: strater\n");
    const { status, stdout } = await place.swarm("policy", "check", "--json");
    const after = JSON.parse(stdout) as typeof before;
    assert.deepEqual([status, after.rules.length], [65, before.rules.length]);
    assert.match(
      after.problem ?? "",
      /config\.yaml:1:9: there is no policy "strater".*did you mean "starter"/,
    );
    const { decision } = await place.json<{ decision: { verdict: string } }>(
      "emit",
      "tool.before",
      "--data",
      '{"tool_name": "Bash", "tool_input": {"command": "git push -f"}}',
    );
    assert.equal(decision.verdict, "deny");
  });

  test("test judges a table of cases and exits with 1 when one is not as expected", async (t) => {
    const place = new Place(t);
    const rules = "rules:\n  - { id: x, behaviour: deny, when: { command: rm } }\n";
    place.write(
      "policy.yaml",
      `${rules}tests:\n  - { command: rm x, expect: deny, rule: x }\n  - { command: ls, expect: none }\n`,
    );
    const good = await place.swarm("policy", "test", "policy.yaml");
    assert.deepEqual([good.status, good.stdout], [0, "2 of 2 cases as expected\n"]);
    place.write(
      "policy.yaml",
      `${rules}tests:\n  - { command: rm x, expect: ask }\n  - { command: rm x, expect: deny, rule: y }\n`,
    );
    const bad = await place.swarm("policy", "test", "policy.yaml");
    assert.equal(bad.status, 1);
    assert.match(bad.stdout, /^WRONG +ask +deny +x +.*policy\.yaml:4 +rm x$/m);
    assert.match(bad.stdout, /^0 of 2 cases as expected$/m);
    const json = JSON.parse((await place.swarm("policy", "test", "policy.yaml", "--json")).stdout);
    assert.deepEqual(
      [json.count, json.failed, json.cases[0].is_as_expected, json.cases[0].verdict],
      [2, 2, false, "deny"],
    );
  });

  test("test judges cases without rules by the policy in force here", async (t) => {
    const place = new Place(t);
    await place.swarm("policy", "init");
    place.write(
      "cases.yaml",
      "tests:\n  - { command: git push -f, expect: deny, rule: starter/git-overwrite-remote }\n",
    );
    assert.equal((await place.swarm("policy", "test", "cases.yaml")).stdout, "1 of 1 cases as expected\n");
  });
});

test("rules hold for an agent's call, with the daemon and without it", async (t) => {
  const place = new Place(t);
  await place.swarm("policy", "init");
  const input = JSON.stringify({
    session_id: "s1",
    cwd: place.project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "cat ~/.ssh/id_rsa" },
    tool_use_id: "t1",
  });
  const ask = async () => {
    const child = place.start(
      process.execPath,
      [join(import.meta.dirname, "../../bin/swarm"), "hook", "claude-code", "--guard"],
      {
        CLAUDECODE: "1",
      },
    );
    child.stdin?.end(input);
    let printed = "";
    child.stdout?.on("data", (chunk) => {
      printed += chunk;
    });
    await new Promise((resolve) => child.once("close", resolve));
    return JSON.parse(printed).hookSpecificOutput.permissionDecision;
  };
  assert.equal(await ask(), "deny");
  await place.up();
  assert.equal(await ask(), "deny");
});
