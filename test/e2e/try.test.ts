import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { Place } from "./harness.ts";

/** Does what a model said once: each line of `model.txt` is a command, and the hooks of its settings are asked first. */
const fakeClaude = `#!${process.execPath}
const { spawnSync } = require("node:child_process");
const { appendFileSync, existsSync, readFileSync } = require("node:fs");
const args = process.argv.slice(2);
const at = args.indexOf("--settings");
const file = args[at + 1];
const { hooks } = JSON.parse(readFileSync(file, "utf8"));
appendFileSync("started.txt", JSON.stringify({ file, args: args.toSpliced(at, 2), home: process.env.SWARM_HOME }) + "\\n");
if (existsSync("model.txt"))
  for (const command of readFileSync("model.txt", "utf8").trim().split("\\n")) {
    const [{ hooks: [hook] }] = hooks.PreToolUse;
    const input = JSON.stringify({
      session_id: "s1", transcript_path: "/none", cwd: process.cwd(), permission_mode: "default",
      hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, tool_use_id: "t" + command,
    });
    const { stdout } = spawnSync(hook.command, hook.args, { input, encoding: "utf8", env: { ...process.env, CLAUDECODE: "1" } });
    const decision = stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput?.permissionDecision;
    console.log(command + ": " + (decision ?? "ran"));
  }
process.exit(Number(process.env.FAKE_EXIT ?? 0));
`;

/** A home with settings of its own, and a fake Claude Code alone on PATH. */
function userWithClaude(t: TestContext) {
  const place = new Place(t);
  const user = join(place.folder, "user");
  const [bin, temporary] = [join(user, "bin"), join(place.folder, "tmp")];
  for (const folder of [bin, temporary, join(user, ".claude")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(bin, "claude"), fakeClaude, { mode: 0o755 });
  const settings = join(user, ".claude/settings.json");
  writeFileSync(settings, '{ "model": "opus" }\n');
  Object.assign(place.env, {
    HOME: user,
    PATH: `${bin}:/usr/bin:/bin`,
    TMPDIR: temporary,
    SWARM_HOME: undefined,
    CLAUDE_CONFIG_DIR: undefined,
  });
  const started = () => JSON.parse(readFileSync(join(place.project, "started.txt"), "utf8"));
  const untouched = () => {
    assert.equal(readFileSync(settings, "utf8"), '{ "model": "opus" }\n');
    assert.equal(existsSync(join(user, ".swarm")), false);
  };
  return { place, temporary: realpathSync(temporary), started, untouched };
}

suite("swarm try", () => {
  test("guards one run by hooks of its own, says what they saw, and leaves nothing", async (t) => {
    const { place, temporary, started, untouched } = userWithClaude(t);
    place.write("model.txt", "ls\ngit push --force origin main\necho hello\n");
    const { status, stdout, stderr } = await place.swarm("try", "claude", "-p", "hello", "--json");
    assert.equal(status, 0, stderr);
    assert.equal(stdout, "ls: ran\ngit push --force origin main: deny\necho hello: ran\n");
    assert.match(stderr, /^trial {2}3 tool calls seen: 1 denied, 0 asked about, 2 let through$/m);
    assert.match(stderr, /^ +deny Bash: git push --force origin main: .*force/m);
    assert.match(stderr, /nothing was installed, and the record of the trial is gone/);
    // Options behind the agent's name are the agent's, and its environment is the user's.
    const { args, home, file } = started();
    assert.deepEqual([args, home], [["-p", "hello", "--json"], undefined]);
    assert.ok(file.startsWith(`${temporary}/swarm-try-`));
    assert.deepEqual(readdirSync(temporary), []);
    untouched();
  });

  test("--keep keeps the record, and says how to read it", async (t) => {
    const { place, temporary, untouched } = userWithClaude(t);
    place.write("model.txt", "git push -f\n");
    const { stderr } = await place.swarm("try", "--keep", "claude-code");
    const [, kept = ""] = /SWARM_HOME=(\S+) swarm logs/.exec(stderr) ?? [];
    assert.equal(join(temporary, readdirSync(temporary)[0] ?? ""), kept);
    place.env.SWARM_HOME = kept;
    const { stdout } = await place.swarm("logs", "--deny");
    assert.match(stdout, /git push -f/);
    const { running } = await place.json<{ running: boolean }>("status");
    assert.equal(running, false);
    untouched();
  });

  test("--json prints the summary to stdout, and the agent's output to stderr", async (t) => {
    const { place } = userWithClaude(t);
    place.write("model.txt", "git push -f\n");
    const { stdout, stderr } = await place.swarm("try", "--json", "claude");
    const { stopped, ...rest } = JSON.parse(stdout);
    assert.deepEqual(rest, { agent: "claude-code", seen: 1, tool_calls: 1, exit_code: 0, kept: null });
    assert.deepEqual([stopped[0].verdict, stopped[0].call], ["deny", "Bash: git push -f"]);
    assert.match(stderr, /^git push -f: deny$/m);
  });

  test("ends as the agent ends, and says when no hook was called", async (t) => {
    const { place, temporary } = userWithClaude(t);
    place.env.FAKE_EXIT = "3";
    const { status, stderr } = await place.swarm("try", "claude");
    assert.equal(status, 3);
    assert.match(stderr, /no hook was called/);
    assert.deepEqual(readdirSync(temporary), []);
  });

  test("an agent that takes no hooks for one run is not started, and it is said what to do", async (t) => {
    const { place, temporary } = userWithClaude(t);
    const { status, stderr } = await place.swarm("try", "gemini");
    assert.equal(status, 65);
    assert.match(
      stderr,
      /gemini-cli cannot be tried without installing: .*swarm install gemini-cli, then swarm uninstall/,
    );
    const { stderr: absent } = await place.swarm("try", "codex");
    assert.match(absent, /codex is not on PATH/);
    const { status: unknown, stderr: unknownText } = await place.swarm("try", "clade");
    assert.equal(unknown, 64);
    assert.match(unknownText, /unknown agent "clade"/);
    assert.deepEqual(readdirSync(temporary), []);
  });
});
