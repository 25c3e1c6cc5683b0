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

for (const how of ["without a daemon", "through the daemon"]) {
  suite(`swarm policy allow, ${how}`, () => {
    const force = "git push --force origin mine";
    const verdictOf = async (place: Place, command: string, ...more: string[]) => {
      const input = JSON.stringify({ command });
      const args = [
        "tool.before",
        "--data",
        JSON.stringify({ tool_name: "Bash", tool_input: JSON.parse(input) }),
      ];
      return place.json<{ id: string; decision: { verdict: string; hook: string } }>(
        "emit",
        ...args,
        ...more,
      );
    };

    test("lets the refused call pass in this project, and nothing else, with a row in the record", async (t) => {
      const place = new Place(t);
      await place.swarm("policy", "init");
      if (how === "through the daemon") await place.up();
      const refused = await verdictOf(place, force);
      assert.equal(refused.decision.hook, "policy:starter/git-overwrite-remote");
      const unreasoned = await place.swarm("policy", "allow", refused.id);
      assert.deepEqual([unreasoned.status, /--reason is missing/.test(unreasoned.stderr)], [64, true]);
      const unasked = await place.swarm("policy", "allow", refused.id, "--reason", "my own branch");
      assert.equal(unasked.status, 64);
      assert.match(unasked.stderr, /there is nobody to ask: add --yes/);
      assert.equal(readFileSync(join(place.home, "config.yaml"), "utf8"), "policy: starter\n");

      const { exceptions } = await place.json<{ exceptions: Record<string, string>[] }>(
        ...["policy", "allow", refused.id, "--reason", "my own branch", "--days", "2", "--yes"],
      );
      const [{ until = "", ...exact } = {}] = exceptions;
      const rule = "starter/git-overwrite-remote";
      assert.deepEqual(exact, {
        rule,
        tool: "Bash",
        line: force,
        folder: place.project,
        reason: "my own branch",
      });
      const days = (Date.parse(until) - Date.now()) / 86_400_000;
      assert.ok(days > 1.9 && days <= 2, until);
      assert.equal((await verdictOf(place, force)).decision.verdict, "none");
      assert.equal((await verdictOf(place, `${force}; ${force}`)).decision.verdict, "deny");
      assert.equal((await verdictOf(place, force, "--cwd", place.home)).decision.verdict, "deny");
      const log = await place.swarm("audit", "log", "--json");
      assert.match(log.stdout, /"policy\.excepted"/);
      assert.match((await place.swarm("policy", "check")).stdout, /git-overwrite-remote .*, 1 exception$/m);

      const again = await place.swarm("policy", "allow", refused.id, "--reason", "again", "--yes");
      assert.match(again.stderr, /no exception was made: no rule denies it or asks about it here/);
      const other = await place.swarm("policy", "allow", "npm publish", "--reason", "release day", "--yes");
      assert.match(other.stdout, /config\.yaml: an exception from starter\/publish until /);
      assert.equal((await verdictOf(place, "npm publish")).decision.verdict, "none");
      assert.equal((await verdictOf(place, force)).decision.verdict, "none");
    });

    test("writes every exception when several are made at the same moment", async (t) => {
      const place = new Place(t);
      await place.swarm("policy", "init");
      const file = join(place.home, "config.yaml");
      // A long file takes a while to be read and written: the moment in which another one would be lost.
      writeFileSync(file, `${"# a line of a comment\n".repeat(20_000)}policy: starter\n`);
      if (how === "through the daemon") await place.up();
      const branches = ["one", "two", "three", "four"];
      const ended = await Promise.all(
        branches.map((branch) =>
          place.swarm("policy", "allow", `git push --force origin ${branch}`, "--reason", branch, "--yes"),
        ),
      );
      assert.deepEqual(
        ended.map(({ status, stderr }) => [status, stderr]),
        branches.map(() => [0, ""]),
      );
      const text = readFileSync(file, "utf8");
      for (const branch of branches)
        assert.ok(text.includes(`line: "git push --force origin ${branch}"`), branch);
      for (const branch of branches)
        assert.equal((await verdictOf(place, `git push --force origin ${branch}`)).decision.verdict, "none");
    });

    test("does not take out what protects the policy, nor go around a person's key", async (t) => {
      const place = new Place(t);
      await place.swarm("policy", "init");
      const own = await place.swarm(
        "policy",
        "allow",
        "swarm approvals approve apr_1",
        "--reason",
        "x",
        "--yes",
      );
      assert.match(own.stderr, /self\/decisions protects the policy itself/);
      const file = join(place.home, "config.yaml");
      writeFileSync(file, "policy: starter\napprovals: { require: person }\n");
      if (how === "through the daemon") await place.up();
      const signed = await place.swarm("policy", "allow", force, "--reason", "x", "--yes");
      assert.match(signed.stderr, /approvals take a person's key here/);
      assert.doesNotMatch(readFileSync(file, "utf8"), /policy_exceptions/);
    });
  });
}

test("what a rule in mode shadow or warn would have said is in the record, and the verdict is as without it", async (t) => {
  const place = new Place(t);
  const rules = ["shadow", "warn"].map(
    (mode) =>
      `  - { id: ${mode}, behaviour: deny, mode: ${mode}, when: { command: make ${mode} }, reason: no }\n`,
  );
  place.write("swarm.yaml", `policy:\n  rules:\n  ${rules.join("  ")}`);
  for (const [mode, context] of [
    ["shadow", []],
    ["warn", ["would deny, in mode warn: no (make warn) [warn]"]],
  ] as const) {
    const data = JSON.stringify({ tool_name: "Bash", tool_input: { command: `make ${mode}` } });
    const { decision } = await place.json<{ decision: { verdict: string; context: string[] } }>(
      ...["emit", "tool.before", "--data", data],
    );
    assert.deepEqual([decision.verdict, decision.context], ["none", context]);
    assert.match((await place.swarm("logs")).stdout, new RegExp(`would deny, in mode ${mode}: no`));
  }
  assert.match((await place.swarm("policy", "check")).stdout, /^shadow +deny \(shadow\) /m);
  assert.match((await place.swarm("policy", "check", "swarm.yaml")).stdout, /^warn +deny \(warn\) /m);
});
