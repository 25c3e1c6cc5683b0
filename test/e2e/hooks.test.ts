import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const bin = join(import.meta.dirname, "../../bin/swarm");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-hooks-")));
after(() => rmSync(folder, { recursive: true }));

const config = `hooks:
  - event: PreToolUse
    type: command
    name: no-force-push
    match: Bash
    mode: guard
    on_failure: deny
    command: 'grep -q -- "--force" && { echo "not allowed" >&2; exit 2; } || exit 0'
  - { event: tool.after, type: script, name: watch, command: "true" }
`;
writeFileSync(join(folder, "swarm.yaml"), config);

function swarm(args: string[], cwd = folder, env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    encoding: "utf8",
    // The user's home is one without agents.
    env: { ...process.env, HOME: folder, SWARM_HOME: join(folder, "home"), ...env },
  });
  return { status, stdout, stderr };
}

test("hooks test runs nothing of a project nobody has approved: it says so, and what to do", () => {
  const other = mkdtempSync(join(folder, "untrusted-"));
  const hook = (event: string, type: string) =>
    `  - { event: ${event}, type: ${type}, name: ${event}, command: touch ran }\n`;
  writeFileSync(
    join(other, "swarm.yaml"),
    `hooks:\n${hook("tool.before", "blocking_script")}${hook("notification", "command")}`,
  );
  const before = swarm(["hooks", "test", "tool.before"], other);
  assert.match(
    before.stdout,
    /^tool\.before: deny by swarm\/trust\nreason: guards of .* are not approved: tool\.before\. /,
  );
  const plain = swarm(["hooks", "test", "notification", "--input", '{"message": "hi"}'], other);
  assert.match(
    plain.stdout,
    /^notification: none\n[\s\S]*skipped +none .* untrusted: look at it and approve it with swarm trust\n/,
  );
  for (const { status, stdout } of [before, plain]) {
    assert.equal(status, 0);
    assert.match(
      stdout,
      /\n2 of the hooks of .*swarm\.yaml did not run: they are not approved\. .* swarm trust\n$/,
    );
  }
  assert.ok(!existsSync(join(other, "ran")));
  const findings = JSON.parse(swarm(["doctor", "--json"], other).stdout) as Record<string, string>[];
  assert.deepEqual(
    findings.slice(0, 3).map(({ level, about }) => [level, about]),
    [
      ["broken", "trust"],
      ["inert", "tool.before"],
      ["inert", "notification"],
    ],
  );
  assert.match(
    swarm(["status"], other).stdout,
    /\nguards +3 hooks in force in this folder, 2 do not run: swarm trust\n/,
  );
  assert.match(swarm(["hooks", "list"], other).stdout, / deny +untrusted +never ran /);
  assert.match(swarm(["hooks", "show", "notification"], other).stdout, /\ntrust +untrusted\n/);
});

assert.equal(swarm(["trust", "--yes"]).status, 0);

test("hooks list shows what is in force and where it is declared", () => {
  const { status, stdout } = swarm(["hooks", "list"]);
  assert.equal(status, 0);
  assert.match(
    stdout,
    /^ID +NAME +EVENT +MATCH +KIND +MODE +PRIORITY +TIMEOUT +ON FAILURE +TRUST +LAST RESULT +SOURCE\n/,
  );
  assert.match(
    stdout,
    /no-force-push +tool\.before +Bash +command +guard +0 +30 s +deny +trusted +.* +.*swarm\.yaml:2:5\n/,
  );
});

test("hooks list tells the user's own hooks from those nobody was asked about, and keeps every secret", () => {
  const home = mkdtempSync(join(folder, "own-"));
  const project = mkdtempSync(join(folder, "secrets-"));
  const env = { SWARM_HOME: home, CI_TOKEN: "hunter2token", CI_SECRET: "whsec_aHVudGVyMnNlY3JldA==" };
  const webhook = (name: string) => `  - event: task.failed
    type: webhook
    name: ${name}
    match: qa
    priority: 7
    timeout_s: 3
    url: "https://a.example/\${CI_TOKEN}?key=\${CI_TOKEN}"
    secret: "\${CI_SECRET}"
    headers: { Authorization: "Bearer \${CI_TOKEN}", X-Plain: hunter2plain }
`;
  writeFileSync(
    join(home, "config.yaml"),
    `env: { allow: [CI_TOKEN, CI_SECRET] }\nhooks:\n${webhook("mine")}`,
  );
  writeFileSync(join(project, "swarm.yaml"), `hooks:\n${webhook("theirs")}`);

  const table = swarm(["hooks", "list"], project, env);
  const json = swarm(["hooks", "list", "--json"], project, env);
  for (const { status, stdout, stderr } of [table, json]) {
    assert.deepEqual([status, stderr], [0, ""]);
    assert.doesNotMatch(stdout, /hunter2|aHVudGVyMnNlY3JldA|a\.example|Bearer/);
  }
  const common = { event: "task.failed", match: "qa", kind: "webhook", priority: 7, timeout_s: 3 };
  const expected = [
    { name: "mine", ...common, on_failure: "allow", trust: "own", source: join(home, "config.yaml:3:5") },
    {
      name: "theirs",
      ...common,
      on_failure: "allow",
      trust: "untrusted",
      source: join(project, "swarm.yaml:2:5"),
    },
  ];
  const hooks: Record<string, unknown>[] = JSON.parse(json.stdout).hooks;
  assert.deepEqual(
    hooks.map((hook) => Object.fromEntries(Object.keys(expected[0] ?? {}).map((key) => [key, hook[key]]))),
    expected,
  );
  const [, ...lines] = table.stdout.trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => line.split(/ {2,}/)),
    expected.map(({ name, trust, source }, index) => {
      const numbers = ["7", "3 s"];
      const id = hooks[index]?.id;
      const rest = ["allow", trust, "never ran", source];
      return [id, name, "task.failed", "qa", "webhook", "observe", ...numbers, ...rest];
    }),
  );
  for (const { id } of hooks) assert.match(String(id), /^task_failed-(mine|theirs)-[0-9a-f]{8}$/);
});

test("hooks list of a broken file says where it is broken, by file, line and column, and nothing else", () => {
  const broken = mkdtempSync(join(folder, "broken-"));
  const own = join(broken, "home");
  mkdirSync(own);
  const file = join(broken, "swarm.yaml");
  const refusals: [text: string, problem: RegExp][] = [
    ["hooks:\n  - event: [\n", /:3:1: .*\[SWARM_CONFIG_INVALID\]\n$/],
    [
      "hooks:\n  - { event: tool.before, type: comand }\n",
      /:2:33: type is "comand".*\[SWARM_CONFIG_INVALID\]\n$/,
    ],
    [
      `hooks:\n  - { event: tool.before, type: http, url: "http://a/\${CI_TOKEN}" }\n`,
      /:2:44: url uses the variable "CI_TOKEN".*\[SWARM_CONFIG_VARIABLE\]\n$/,
    ],
  ];
  for (const [text, problem] of refusals) {
    writeFileSync(file, text);
    for (const args of [
      ["hooks", "list"],
      ["hooks", "list", "--json"],
    ]) {
      const { status, stdout, stderr } = swarm(args, broken, { SWARM_HOME: own, CI_TOKEN: "hunter2" });
      assert.deepEqual([status, stdout], [65, ""]);
      assert.ok(stderr.startsWith(`swarm: ${file}:`), stderr);
      assert.match(stderr, problem);
      assert.doesNotMatch(stderr, /hunter2/);
    }
  }
});

test("hooks test runs the real plan, and exits 0 whatever the verdict", () => {
  const input = JSON.stringify({ command: "git push --force" });
  const { status, stdout } = swarm([
    "hooks",
    "test",
    "tool.before",
    "--tool",
    "Bash",
    "--input",
    input,
    "--json",
  ]);
  const { event, decision, result, handlers, data } = JSON.parse(stdout);
  assert.equal(status, 0);
  assert.deepEqual(
    { event, decision, result, data },
    {
      event: "tool.before",
      decision: { verdict: "deny", reason: "not allowed", hook: "no-force-push", context: [], stop: null },
      result: { status: "skipped_by_hook", hook: "no-force-push", reason: "not allowed" },
      data: { tool_name: "Bash", tool_input: { command: "git push --force" } },
    },
  );
  assert.deepEqual(
    handlers.map(({ name, kind, mode, status }: Record<string, unknown>) => ({ name, kind, mode, status })),
    [{ name: "no-force-push", kind: "command", mode: "guard", status: "denied" }],
  );
});

test("hooks test says why the other hooks were not called", () => {
  const { stdout } = swarm(["hooks", "test", "PreToolUse", "--tool", "Read"]);
  assert.match(stdout, /^tool\.before: none\n/);
  assert.match(stdout, /no-force-push: its matcher is Bash\n {2}watch: it is for tool\.after\n/);
});

test("hooks test can come from an agent, for hooks that are for it alone", () => {
  const project = mkdtempSync(join(folder, "agents-"));
  const hook =
    "{ event: tool.before, type: command, name: codex-only, when: { source: codex }, command: 'true' }";
  writeFileSync(join(project, "swarm.yaml"), `hooks: [${hook}]\n`);
  assert.equal(swarm(["trust", "--yes"], project).status, 0);
  const called = (...source: string[]) => swarm(["hooks", "test", "tool.before", ...source], project).stdout;
  assert.match(called(), /^codex-only +command +transform +skipped/m);
  assert.match(called("--source", "codex"), /^codex-only +command +transform +completed/m);
});

test("mistakes are one line with the place and the next step", () => {
  assert.deepEqual(swarm(["hooks", "test"]), {
    status: 64,
    stdout: "",
    stderr: "swarm: an event is missing; see swarm hooks test --help [SWARM_USAGE]\n",
  });
  const notJson = swarm(["hooks", "test", "tool.before", "--input", "{"]);
  assert.deepEqual([notJson.status, notJson.stdout], [64, ""]);
  assert.match(notJson.stderr, /^swarm: --input is not JSON: .*\[SWARM_USAGE\]\n$/);
  const broken = mkdtempSync(join(folder, "broken-"));
  writeFileSync(join(broken, "swarm.yaml"), config.replace("PreToolUse", "PreTolUse"));
  const { status, stderr } = swarm(["hooks", "list"], broken);
  assert.notEqual(status, 0);
  assert.match(
    stderr,
    /^swarm: .*swarm\.yaml:2:12: unknown event "PreTolUse", did you mean "PreToolUse"\? \[SWARM_CONFIG_INVALID\]\n$/,
  );
});

test("a recorded run can be explained, and the list shows how each hook ended last", () => {
  const input = JSON.stringify({ command: "git push --force", api_token: "hunter2" });
  const { id } = JSON.parse(swarm(["hooks", "test", "tool.before", "--input", input, "--json"]).stdout);
  const { status, stdout } = swarm(["hooks", "explain", id]);
  assert.equal(status, 0);
  assert.match(stdout, /^\d{4}-.*Z tool\.before: deny by no-force-push, for human:.+\nreason: not allowed\n/);
  const { hooks } = JSON.parse(swarm(["hooks", "list", "--json"]).stdout);
  assert.deepEqual(
    hooks.map(({ name, last_result }: Record<string, unknown>) => [name, last_result]),
    [
      ["no-force-push", "denied"],
      ["watch", null],
    ],
  );
  const unknown = swarm(["hooks", "explain", "evt_nope"]);
  assert.deepEqual(
    [unknown.status, unknown.stderr],
    [64, 'swarm: the record has no event "evt_nope" [SWARM_RUN_UNKNOWN]\n'],
  );
});

test("debug logging shows payloads with their secrets replaced", () => {
  const { stderr } = spawnSync(
    process.execPath,
    [bin, "hooks", "test", "tool.before", "--input", JSON.stringify({ command: "x", api_token: "hunter2" })],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, SWARM_HOME: join(folder, "home"), SWARM_LOG_HOOKS: "debug" },
    },
  );
  assert.match(stderr, /^hooks: tool\.before none \{.*"command":"x","api_token":"\[redacted\]"/m);
  assert.doesNotMatch(stderr, /hunter2/);
});

test("doctor puts what is broken first, then what never fired", () => {
  const sick = mkdtempSync(join(folder, "sick-"));
  writeFileSync(
    join(sick, "swarm.yaml"),
    "hooks:\n  - { event: tool.before, type: command, name: quiet, command: 'true' }\n  - { event: tool.before, type: command, name: gone, args: [./gone.sh] }\n",
  );
  assert.equal(swarm(["trust", "--yes"], sick).status, 0);
  const findings = JSON.parse(swarm(["doctor", "--json"], sick).stdout) as { level: string; about: string }[];
  assert.deepEqual(
    findings.slice(0, 2).map(({ level, about }) => [level, about]),
    [
      ["broken", "gone"],
      ["note", "quiet"],
    ],
  );
  writeFileSync(join(sick, "swarm.yaml"), "hooks: [");
  const { status, stdout } = swarm(["doctor"], sick);
  assert.equal(status, 1);
  assert.match(stdout, /^broken +configuration: .*swarm\.yaml:1:/);
});

test("hooks test takes what a tool gave, as JSON or as a text, for tool.after alone", () => {
  const outputOf = (text: string) =>
    JSON.parse(swarm(["hooks", "test", "tool.after", "--output", text, "--json"]).stdout).data.tool_output;
  assert.deepEqual(outputOf('{"stdout": "x"}'), { stdout: "x" });
  assert.equal(outputOf("total 3"), "total 3");
  const { status, stderr } = swarm(["hooks", "test", "tool.before", "--output", "x"]);
  assert.equal(status, 64);
  assert.match(stderr, /--output is for tool\.after, and tool\.before has none/);
});
