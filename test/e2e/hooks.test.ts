import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

function swarm(args: string[], cwd = folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, SWARM_HOME: join(folder, "home") },
  });
  return { status, stdout, stderr };
}

test("hooks list shows what is in force and where it is declared", () => {
  const { status, stdout } = swarm(["hooks", "list"]);
  assert.equal(status, 0);
  assert.match(
    stdout,
    /^NAME +EVENT +MATCH +KIND +MODE +PRIORITY +TIMEOUT +ON FAILURE +LAST RESULT +SOURCE\n/,
  );
  assert.match(
    stdout,
    /no-force-push +tool\.before +Bash +command +guard +0 +30 s +deny +.* +.*swarm\.yaml:2:5\n/,
  );
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
  assert.match(stdout, /^\d{4}-.*Z tool\.before: deny by no-force-push\nreason: not allowed\n/);
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
    [64, 'swarm: no recent run has the id "evt_nope"; see swarm hooks explain --help [SWARM_USAGE]\n'],
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
  assert.match(stderr, /^hooks: tool\.before none \{.*"command":"x","api_token":"\[redacted\]"/);
  assert.doesNotMatch(stderr, /hunter2/);
});

test("hooks new writes a hook that works and a test that passes, and overwrites nothing", () => {
  const fresh = mkdtempSync(join(folder, "fresh-"));
  assert.equal(swarm(["hooks", "new", "tool.before", "--name", "no-rm"], fresh).status, 0);
  const bins = mkdtempSync(join(folder, "bin-"));
  symlinkSync(bin, join(bins, "swarm"));
  const { status, stdout, stderr } = spawnSync(join(fresh, "hooks/no-rm.test.sh"), {
    cwd: fresh,
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: [bins, dirname(process.execPath), process.env.PATH].join(":"),
      SWARM_HOME: join(folder, "home"),
    },
  });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: "no-rm: ok\n", stderr: "" });
  const again = swarm(["hooks", "new", "tool.before", "--name", "no-rm"], fresh);
  assert.deepEqual([again.status, again.stdout], [64, ""]);
  assert.match(again.stderr, /hooks\/no-rm\.sh exists already/);
});

test("doctor puts what is broken first, then what never fired", () => {
  const sick = mkdtempSync(join(folder, "sick-"));
  writeFileSync(
    join(sick, "swarm.yaml"),
    "hooks:\n  - { event: tool.before, type: command, name: quiet, command: 'true' }\n  - { event: tool.before, type: command, name: gone, args: [./gone.sh] }\n",
  );
  const findings = JSON.parse(swarm(["doctor", "--json"], sick).stdout) as { level: string; about: string }[];
  assert.deepEqual(
    findings.slice(0, 2).map(({ level, about }) => [level, about]),
    [
      ["broken", "gone"],
      ["inert", "quiet"],
    ],
  );
  writeFileSync(join(sick, "swarm.yaml"), "hooks: [");
  const { status, stdout } = swarm(["doctor"], sick);
  assert.equal(status, 0);
  assert.match(stdout, /^broken {2}configuration: .*swarm\.yaml:1:/);
});
