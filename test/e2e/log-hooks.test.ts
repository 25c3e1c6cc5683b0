import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bin, endOf, Place, trustedPlace } from "./harness.ts";

const call = {
  event: "tool.before",
  data: { tool_name: "Bash", tool_input: { command: "echo sk-1234567890abcdefghij" } },
};

test("SWARM_LOG_HOOKS=debug has the daemon log every event with its payload, secrets replaced", async (t) => {
  const place = new Place(t);
  place.env.SWARM_LOG_HOOKS = "debug";
  const log = join(place.folder, "daemon.log");
  const { port, child, ended } = await place.up("--log-file", log);
  await place.call(port, "POST", "/api/v1/events", { ...call, cwd: place.project });
  child.kill("SIGTERM");
  assert.equal((await ended).status, 0);
  const lines = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes(" debug hooks: "));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", / debug hooks: tool\.before none .*"command":"echo \[redacted\]"/);
});

const observers = `hooks:
  - { event: tool.before, type: script, name: broken, command: "echo token=sk-1234567890abcdefghij is wrong >&2; exit 3" }
  - { event: tool.before, type: script, name: fine, command: "echo note >&2" }
`;

for (const how of ["in the daemon's log", "on stderr without a daemon"]) {
  test(`how observers' programs ended, and their error output, is logged ${how}`, async (t) => {
    const place = await trustedPlace(t, observers);
    place.env.SWARM_LOG_HOOKS = "debug";
    let logged: string;
    if (how.includes("stderr")) {
      const data = JSON.stringify(call.data);
      logged = (await place.swarm("emit", "tool.before", "--data", data)).stderr;
    } else {
      const log = join(place.folder, "daemon.log");
      const { port, child, ended } = await place.up("--log-file", log);
      await place.call(port, "POST", "/api/v1/events", { ...call, cwd: place.project });
      child.kill("SIGTERM");
      assert.equal((await ended).status, 0);
      logged = readFileSync(log, "utf8");
    }
    assert.match(
      logged,
      /hooks: tool\.before program of broken: exit code 3 .*"exit_code":3.*\[redacted\] is wrong/,
    );
    assert.match(logged, /hooks: tool\.before observed by broken: failed /);
    assert.match(logged, /hooks: tool\.before program of fine: exit code 0 .*"stderr":"note\\n"/);
    assert.match(logged, /hooks: tool\.before observed by fine: completed /);
    assert.doesNotMatch(logged, /sk-1234567890/);
  });
}

for (const isDebugging of [true, false]) {
  const what = isDebugging
    ? "goes to the log in SWARM_HOME, and to the agent the answer alone"
    : "is nothing";
  test(`without a daemon, what is logged of an agent's call that is denied ${what}`, async (t) => {
    const denying =
      "hooks:\n  - { event: tool.before, type: command, name: no, command: 'echo not here >&2; exit 2' }\n";
    const place = await trustedPlace(t, denying);
    const env = { SWARM_LOG_HOOKS: isDebugging ? "debug" : "off" };
    const payload = { session_id: "s", tool_use_id: "u", transcript_path: "" };
    // Gemini CLI's denials are read from stderr by its model.
    for (const [agent, hook_event_name] of [
      ["claude-code", "PreToolUse"],
      ["gemini-cli", "BeforeTool"],
    ] as const) {
      const hook = place.start(process.execPath, [bin, "hook", agent, "--guard"], env);
      hook.stdin?.end(JSON.stringify({ ...payload, hook_event_name, cwd: place.project, ...call.data }));
      const { stdout, stderr } = await endOf(hook);
      assert.match(stdout + stderr, /not here/);
      assert.doesNotMatch(stdout + stderr, /hooks: tool\.before|exit_code/);
    }
    const log = join(place.home, "daemon.log");
    assert.equal(existsSync(log), isDebugging);
    if (!isDebugging) return;
    const lines = readFileSync(log, "utf8");
    assert.match(lines, /^\S+Z debug hooks: tool\.before deny .*"command":"echo \[redacted\]"/m);
    assert.match(lines, /^\S+Z debug hooks: tool\.before program of no: exit code 2 /m);
    assert.doesNotMatch(lines, /sk-1234567890/);
  });
}

test("without it nothing of that is logged, and a word nobody knows is refused", async (t) => {
  const place = new Place(t);
  const { port, child, ended } = await place.up();
  await place.call(port, "POST", "/api/v1/events", { ...call, cwd: place.project });
  child.kill("SIGTERM");
  assert.equal((await ended).stderr, "");
  place.env.SWARM_LOG_HOOKS = "verbose";
  const { status, stderr } = await place.swarm("hooks", "list");
  assert.deepEqual(
    [status, /SWARM_LOG_HOOKS is "verbose", expected off or debug/.test(stderr)],
    [64, true],
    stderr,
  );
});
