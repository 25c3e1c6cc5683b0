import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { endStartedDaemons } from "./started-daemons.ts";

const bin = join(import.meta.dirname, "../../bin/swarm");

type Json = Record<string, unknown>;

/** A user with a home, a project and agents' settings. */
function user(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-migrate-")));
  t.after(async () => {
    await endStartedDaemons(join(folder, "swarm"));
    rmSync(folder, { recursive: true });
  });
  const place = (name: string) => join(folder, name);
  for (const made of ["user/.claude", "project", "swarm"]) mkdirSync(place(made), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(place(name)), { recursive: true });
    writeFileSync(place(name), text);
  }
  const env = { PATH: process.env.PATH, HOME: place("user"), SWARM_HOME: place("swarm"), SHELL: "/bin/bash" };
  const run = (args: readonly string[], cwd = place("project"), more: NodeJS.ProcessEnv = {}) => {
    const options = { cwd, env: { ...env, ...more }, encoding: "utf8", input: "" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], options);
    return { status, stdout, stderr };
  };
  /** What the installed client answers an agent. */
  const call = (agent: string, payload: Json, entryArgs: readonly string[] = ["--guard"]) => {
    const client = place("swarm/bin/swarm-hook");
    const identity = agent === "claude-code" ? { CLAUDECODE: "1" } : {};
    const input = JSON.stringify(payload);
    const options = { cwd: place("project"), env: { ...env, ...identity }, encoding: "utf8", input } as const;
    const { status, stdout, stderr } = spawnSync(client, [agent, ...entryArgs], options);
    return { status, stdout, stderr };
  };
  const read = (name: string) => readFileSync(place(name), "utf8");
  return { place, run, call, read };
}

const settings = (hooks: Json, more: Json = {}) =>
  `${JSON.stringify({ model: "opus", hooks, ...more }, null, 2)}\n`;
const command = (line: string, more: Json = {}) => ({ type: "command", command: line, ...more });

const payload = (cwd: string, line: string, id: string, more: Json = {}): Json => ({
  session_id: "s1",
  transcript_path: "/t.jsonl",
  cwd,
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: line },
  tool_use_id: id,
  ...more,
});

suite("swarm install --migrate", () => {
  test("each hook runs once, through us, with the same stdin, matcher and failure policy", (t) => {
    const seen = "cat >> seen.jsonl; echo >> seen.jsonl";
    const guard = 'if [[ "$(cat)" == *forbidden* ]]; then echo "not that" >&2; exit 2; fi';
    const { place, run, call, read } = user(t, {
      "user/.claude/settings.json": settings({
        PreToolUse: [
          { matcher: "Bash", hooks: [command(guard, { onFailure: "block", timeout: 7 }), command(seen)] },
          { matcher: "Write", hooks: [command("echo wrong matcher >&2; exit 2")] },
        ],
      }),
    });
    const { status, stdout } = run(["install", "claude-code", "--migrate", "--yes"]);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^claude-code: 3 hooks moved to .*\/swarm\/config\.yaml; as it was before: .*settings\.json\.bak_\w+$/m,
    );
    const { hooks } = JSON.parse(read("user/.claude/settings.json"));
    assert.equal(JSON.stringify(hooks).includes("seen.jsonl"), false);
    assert.deepEqual(hooks.PreToolUse.length, 1);
    // The guard that came along is one for the entry, and the second hook may take Claude Code's 600 seconds.
    assert.deepEqual(hooks.PreToolUse[0].hooks[0].args, ["claude-code", "--guard", "--timeout-ms", "600500"]);
    assert.equal(hooks.PreToolUse[0].hooks[0].timeout, 601);

    const allowed = payload(place("project"), "ls", "t1");
    assert.deepEqual(call("claude-code", allowed), { status: 0, stdout: "", stderr: "" });
    assert.deepEqual(
      read("project/seen.jsonl")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
      [allowed],
    );
    const denied = call("claude-code", payload(place("project"), "forbidden", "t2"));
    assert.match(denied.stdout, /"permissionDecision":"deny","permissionDecisionReason":"not that"/);
    const codex = { turn_id: "x", model: "m" };
    const other = call("codex", payload(place("project"), "forbidden", "t3", codex));
    assert.deepEqual(other, { status: 0, stdout: "", stderr: "" });
  });

  test("an endpoint on this machine is asked as it was, and may take as long", async (t) => {
    const asked: Json[] = [];
    const server = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => {
        asked.push(JSON.parse(text));
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ decision: "block", reason: "says the endpoint" }));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const { run, place, read } = user(t, {
      "user/.claude/settings.json": settings({
        PreToolUse: [{ matcher: "Bash", hooks: [{ type: "http", url }] }],
      }),
    });
    run(["install", "claude-code", "--migrate", "--yes"]);
    assert.match(read("swarm/config.yaml"), /timeout: 600\n +allowPrivate:\n +- loopback\n/);
    const client = spawn(place("swarm/bin/swarm-hook"), ["claude-code"], {
      env: { PATH: process.env.PATH, HOME: place("user"), SWARM_HOME: place("swarm"), CLAUDECODE: "1" },
    });
    let stdout = "";
    client.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    const call = payload(place("project"), "ls", "t1");
    client.stdin.end(JSON.stringify(call));
    await once(client, "close");
    assert.match(stdout, /"permissionDecisionReason":"says the endpoint"/);
    assert.deepEqual(asked, [call]);
  });

  test("comments and formatting of the configuration survive, and the settings keep what else they have", (t) => {
    const config = `# what I want
sandbox:   off      # for now
hooks:
- event: Stop            # mine
  type: script
  command: "true"

# the end
`;
    const { run, read } = user(t, {
      "swarm/config.yaml": config,
      "user/.claude/settings.json": settings(
        { Stop: [{ hooks: [command("notify-me")] }] },
        { env: { A: "1" }, permissions: { allow: ["Bash(ls)"] } },
      ),
    });
    run(["install", "claude-code", "--migrate", "--yes"]);
    const after = read("swarm/config.yaml");
    const added = `# moved here by swarm install --migrate
- event: Stop
  when:
    source: claude-code
  hooks:
    - type: command
      command: notify-me
`;
    assert.equal(after, config.replace('command: "true"\n', `command: "true"\n${added}`));
    const { hooks: _, ...rest } = JSON.parse(read("user/.claude/settings.json"));
    assert.deepEqual(rest, { model: "opus", env: { A: "1" }, permissions: { allow: ["Bash(ls)"] } });
  });

  test("what has no counterpart stays in the agent's file, and is named with the reason", (t) => {
    const kept = {
      PreToolUse: [
        { matcher: "Bash", hooks: [{ type: "prompt", prompt: "Is this safe?" }] },
        { matcher: "Edit", hooks: [command("lint", { if: "Edit(*.ts)" })] },
        { matcher: "(?<!x)Bash", hooks: [command("behind")] },
      ],
      PostToolUse: [{ matcher: "Bash", hooks: [command("upload --token $CI_TOKEN")] }],
      Stop: [
        { hooks: [command("odd", { colour: "red" })] },
        { hooks: [command('"$CLAUDE_PROJECT_DIR"/check.sh')] },
        { hooks: [{ type: "command", command: "./check.sh", args: ["--all"] }] },
        { hooks: [{ type: "http", url: "https://hooks.example/x" }] },
        { hooks: [{ type: "mcp_tool", server: "s", tool: "look" }] },
      ],
      WorktreeCreate: [{ hooks: [command("tree")] }],
      Notification: [{ matcher: "idle_prompt", hooks: [command("beep")] }],
      SubagentStop: [
        { matcher: "a", hooks: [command("twice")] },
        { matcher: "b", hooks: [command("twice")] },
      ],
    };
    const { run, read } = user(t, { "user/.claude/settings.json": settings(kept) });
    const { stdout } = run(["install", "claude-code", "--migrate", "--yes", "--json"]);
    const { migration } = JSON.parse(stdout);
    assert.deepEqual(migration.moved, []);
    assert.deepEqual(
      migration.kept.map(({ event, hook, reason }: Record<string, string>) => [event, hook, reason]),
      [
        ["PreToolUse", "Is this safe?", "hooks of type prompt are not supported"],
        ["PreToolUse", "lint", 'the filter if: "Edit(*.ts)" is not supported'],
        ["PreToolUse", "behind", migration.kept[2].reason],
        [
          "PostToolUse",
          "upload --token $CI_TOKEN",
          "it uses $CI_TOKEN, which programs started by us do not get",
        ],
        ["Stop", "odd", 'key "colour" is unknown and was ignored'],
        [
          "Stop",
          '"$CLAUDE_PROJECT_DIR"/check.sh',
          "it uses $CLAUDE_PROJECT_DIR, which for a user's hook is the folder of the call here",
        ],
        ["Stop", "./check.sh", 'it starts "./check.sh", wherever the agent is just then'],
        [
          "Stop",
          "https://hooks.example/x",
          "where it may connect to is up to other rules here: move it by hand",
        ],
        ["Stop", "look", "its tool belongs to a server of the agent's: move it by hand"],
        ["WorktreeCreate", "tree", "there is no event for WorktreeCreate"],
        ["Notification", "beep", 'its matcher "idle_prompt" chooses by the type of a notification'],
        ["SubagentStop", "twice", migration.kept[11].reason],
        ["SubagentStop", "twice", migration.kept[11].reason],
      ],
    );
    assert.match(migration.kept[2].reason, /^matcher: matcher ".*" is invalid/);
    assert.match(migration.kept[11].reason, /several matchers/);
    const { hooks } = JSON.parse(read("user/.claude/settings.json"));
    for (const [event, groups] of Object.entries(kept)) {
      assert.deepEqual(hooks[event].slice(0, groups.length), groups, event);
    }
    assert.equal(existsSync(join(migration.file)), false);
  });

  test("shows both files, and what stays, and without anybody to ask changes nothing", (t) => {
    const before = settings({
      Stop: [{ hooks: [command("notify-me"), { type: "agent", prompt: "Check it" }] }],
    });
    const { run, read, place } = user(t, { "user/.claude/settings.json": before });
    const { status, stderr } = run(["install", "claude-code", "--migrate"]);
    assert.equal(status, 64);
    assert.match(stderr, /swarm\/config\.yaml\n\+ hooks:\n(\+ .*\n)+\+ {11}command: notify-me\n/);
    assert.match(stderr, /settings\.json\n(.*\n)*- {2,}"command": "notify-me"/);
    assert.match(
      stderr,
      /^claude-code: stays in its settings: Stop \*, Check it: hooks of type agent are not/m,
    );
    assert.equal(read("user/.claude/settings.json"), before);
    assert.deepEqual(
      readdirSync(place("swarm")).filter((name) => /config|backups|installations/.test(name)),
      [],
    );
  });

  test("the second time there is nothing left to do", (t) => {
    const { run, read } = user(t, {
      "user/.claude/settings.json": settings({
        Stop: [{ hooks: [command("a"), { type: "prompt", prompt: "b" }] }],
      }),
    });
    run(["install", "claude-code", "--migrate", "--yes"]);
    const once = [read("user/.claude/settings.json"), read("swarm/config.yaml")];
    const { stdout } = run(["install", "claude-code", "--migrate", "--yes"]);
    assert.match(stdout, /is as it should be\nclaude-code: no hook to move\n/);
    assert.deepEqual([read("user/.claude/settings.json"), read("swarm/config.yaml")], once);
  });

  test("a hook that is in both files, because a crash came between them, is in one of them afterwards", (t) => {
    const before = settings({ Stop: [{ hooks: [command("a")] }] });
    const { run, read, place } = user(t, { "user/.claude/settings.json": before });
    run(["install", "claude-code", "--migrate", "--yes"]);
    const config = read("swarm/config.yaml");
    writeFileSync(place("user/.claude/settings.json"), before);
    const { stdout } = run(["install", "claude-code", "--migrate", "--yes"]);
    assert.match(stdout, /1 hook moved/);
    assert.equal(read("swarm/config.yaml"), config);
    assert.doesNotMatch(read("user/.claude/settings.json"), /"command": "a"/);
  });

  test("two agents' hooks stay apart, each with its own rules", (t) => {
    const same = { matcher: "Write", hooks: [command("echo x >> calls")] };
    const { run, call, read, place } = user(t, {
      "user/.claude/settings.json": settings({ PreToolUse: [same] }),
      "user/.codex/hooks.json": `${JSON.stringify({ hooks: { PreToolUse: [same] } })}\n`,
    });
    const { stdout } = run(["install", "--migrate", "--yes"]);
    assert.match(stdout, /^claude-code: 1 hook moved.*^codex: 1 hook moved/ms);
    assert.deepEqual(Object.keys(JSON.parse(read("user/.codex/hooks.json"))), ["hooks"]);
    const claude = { tool_name: "Write", tool_input: { file_path: "/a", content: "b" } };
    call("claude-code", payload(place("project"), "", "t1", claude));
    assert.equal(read("project/calls"), "x\n");
    // Codex has Write for another name of its patches.
    const patch = { turn_id: "x", model: "m", tool_name: "apply_patch" };
    call("codex", payload(place("project"), "*** Begin Patch", "t2", patch));
    assert.equal(read("project/calls"), "x\nx\n");
  });

  test("Codex's shell, with the profile it reads, is the one its lines are for", (t) => {
    const { run, read } = user(t, {
      "user/.codex/hooks.json": JSON.stringify({
        hooks: { Stop: [{ hooks: [command("echo done | tee -a log")] }] },
      }),
    });
    run(["install", "codex", "--migrate", "--yes"]);
    assert.match(read("swarm/config.yaml"), /command: bash\n +args:\n +- -lc\n +- echo done \| tee -a log\n/);
  });

  test("uninstalling puts nothing back by itself, and says where everything is as it was", (t) => {
    const before = settings({ Stop: [{ hooks: [command("a")] }] });
    const { run, read } = user(t, { "user/.claude/settings.json": before, "swarm/config.yaml": "# mine\n" });
    run(["install", "claude-code", "--yes"]);
    run(["install", "claude-code", "--migrate", "--yes"]);
    const { stdout } = run(["uninstall", "claude-code", "--yes"]);
    const told =
      /its own hooks are still in (.*config\.yaml), .*; its settings as they were before: (.*)$/m.exec(
        stdout,
      );
    const [, config = "", backup = ""] = told ?? assert.fail(stdout);
    assert.match(readFileSync(config, "utf8"), /command: a\n/);
    assert.match(readFileSync(backup, "utf8"), /"command": "a"/);
    assert.deepEqual(JSON.parse(read("user/.claude/settings.json")), { model: "opus" });
  });

  test("a project's hooks go into the project's own file", (t) => {
    const { run, call, read, place } = user(t, {
      "project/.claude/settings.json": settings({
        PreToolUse: [{ matcher: "Bash", hooks: [command('"$CLAUDE_PROJECT_DIR"/check.sh')] }],
      }),
      "project/check.sh": '#!/bin/sh\necho ran > "$CLAUDE_PROJECT_DIR/ran"\n',
    });
    spawnSync("chmod", ["+x", place("project/check.sh")]);
    const { stdout } = run(["install", "claude-code", "--migrate", "--scope", "project", "--yes"]);
    assert.match(stdout, /1 hook moved to .*\/project\/swarm\.yaml/);
    assert.match(stdout, /approve them: swarm trust/);
    assert.equal(statSync(place("project/swarm.yaml")).mode & 0o777, 0o644);
    assert.equal(run(["trust", "--yes"]).status, 0);
    mkdirSync(place("project/sub"));
    call("claude-code", payload(place("project/sub"), "ls", "t1"));
    assert.equal(read("project/ran"), "ran\n");
  });

  test("a folder whose configuration is further up is not given one of its own", (t) => {
    const { run, read, place } = user(t, {
      "project/swarm.yaml": "hooks: []\n",
      "project/sub/.claude/settings.json": settings({ Stop: [{ hooks: [command("a")] }] }),
    });
    const args = ["install", "claude-code", "--migrate", "--scope", "project", "--yes"];
    const { status, stderr } = run(args, place("project/sub"));
    assert.equal(status, 64);
    assert.match(stderr, /the configuration of this folder is .*project\/swarm\.yaml, which holds for more/);
    assert.equal(read("project/swarm.yaml"), "hooks: []\n");
  });

  test("when the settings cannot be written the configuration is as it was, and nothing is noted", (t) => {
    const before = settings({ Stop: [{ hooks: [command("a")] }] });
    const { run, read, place } = user(t, { "swarm/config.yaml": "# mine\n" });
    // So deep that the file can be there, but nothing with a longer name beside it.
    let deep = place("d");
    while (deep.length + 200 < 4_070) deep = join(deep, "d".repeat(199));
    deep = join(deep, "d".repeat(4_075 - deep.length - 1));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, "settings.json"), before);
    const { status, stderr } = run(["install", "claude-code", "--migrate", "--yes"], undefined, {
      CLAUDE_CONFIG_DIR: deep,
    });
    assert.equal(status, 75);
    assert.match(stderr, / cannot be used: ENAMETOOLONG.*\[SWARM_SETTINGS_UNUSABLE\]/);
    assert.equal(read("swarm/config.yaml"), "# mine\n");
    assert.equal(readFileSync(join(deep, "settings.json"), "utf8"), before);
    assert.equal(existsSync(place("swarm/installations.json")), false);
    assert.deepEqual(readdirSync(place("swarm/backups")), []);
    const { items } = JSON.parse(run(["audit", "log", "--json"]).stdout);
    assert.deepEqual(
      items.map(({ event, kind, outcome }: Record<string, string>) => [event, kind, outcome]),
      [
        ["agent.migrated", "outcome", "failed"],
        ["agent.migrated", "intent", "open"],
      ],
    );
  });

  test("is recorded: announced, done, installed", (t) => {
    const { run } = user(t, {
      "user/.claude/settings.json": settings({ Stop: [{ hooks: [command("a")] }] }),
    });
    run(["install", "claude-code", "--migrate", "--yes"]);
    const { items } = JSON.parse(run(["audit", "log", "--json"]).stdout);
    assert.deepEqual(
      items.map(({ event, kind, agent }: Json) => [event, kind, agent]),
      [
        ["agent.installed", "change", "claude-code"],
        ["agent.migrated", "outcome", null],
        ["agent.migrated", "intent", null],
      ],
    );
  });
});
