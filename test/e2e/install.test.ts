import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
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
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { adapters } from "../../src/agents/adapters/index.ts";
import { type AgentName, agentNames } from "../../src/agents/port/agents.ts";

const bin = join(import.meta.dirname, "../../bin/swarm");

const guards = `hooks:
  - { event: tool.before, type: command, name: guard, mode: guard, on_failure: deny, command: exit 0 }
`;

/** The user's own settings, in a style nobody would print. */
const settings = `{
    // mine
    "model": "opus",   "hooks": {
        "PreToolUse": [ { "matcher": "Bash", "hooks": [ { "type": "command", "command": "my-own-hook" } ] } ]
    }
}`;

/** A user with Claude Code's settings and a project with a guard. */
function user(t: TestContext, text: string | null = settings) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-install-")));
  t.after(() => rmSync(folder, { recursive: true }));
  const [home, cwd, swarm] = [join(folder, "user"), join(folder, "project"), join(folder, "swarm")];
  for (const made of [join(home, ".claude"), cwd, swarm]) mkdirSync(made, { recursive: true });
  writeFileSync(join(cwd, "swarm.yaml"), guards);
  const file = join(home, ".claude/settings.json");
  if (text !== null) writeFileSync(file, text, { mode: 0o640 });
  const run = (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: home, SWARM_HOME: swarm };
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
      cwd,
      env,
      encoding: "utf8",
      input: "",
    });
    return { status, stdout, stderr };
  };
  const read = (path = file) => readFileSync(path, "utf8");
  return { home, cwd, swarm, file, run, read };
}

function settingsFile(agent: AgentName, folder: string, isProject: boolean): string {
  const folders = { home: folder, project: folder, env: {} };
  return adapters[agent].settings.file(isProject ? "project" : "user", folders);
}

suite("swarm install", () => {
  test("adds our hooks beside the user's own, with absolute paths, seconds and --guard where a guard is", (t) => {
    const { run, read, swarm, file } = user(t);
    const { status, stdout } = run("install", "claude-code", "--yes");
    assert.equal(status, 0);
    assert.match(stdout, /^claude-code: installed, .*settings\.json$/m);
    assert.match(stdout, /^claude-code: WILL NOT RUN our hooks: it ignores a settings file with comments/m);
    const text = read();
    assert.ok(text.includes("// mine") && text.includes('"command": "my-own-hook"'));
    const { hooks } = JSON.parse(text.replace("// mine", ""));
    const [own, ours] = hooks.PreToolUse;
    assert.equal(own.hooks[0].command, "my-own-hook");
    assert.deepEqual(ours.hooks, [
      {
        type: "command",
        command: join(swarm, "bin/swarm-hook"),
        args: ["claude-code", "--guard", "--timeout-ms", "59500"],
        timeout: 60,
        onFailure: "block",
      },
    ]);
    assert.equal(hooks.PostToolUse[0].hooks[0].args.includes("--guard"), false);
    assert.ok(statSync(join(swarm, "bin/swarm-hook")).mode & 0o100);
    assert.equal(statSync(file).mode & 0o777, 0o640);
    assert.doesNotMatch(text, /npx/);
  });

  test("changes nothing the second time", (t) => {
    const { run, read } = user(t);
    run("install", "claude-code", "--yes");
    const once = read();
    assert.match(run("install", "claude-code", "--yes").stdout, /is as it should be/);
    assert.equal(read(), once);
  });

  test("shows what would change, and without anybody to ask changes nothing", (t) => {
    const { run, read, swarm } = user(t);
    const { status, stderr } = run("install", "claude-code");
    assert.equal(status, 64);
    assert.match(stderr, /^\+ .*swarm-hook/m);
    assert.match(stderr, /there is nobody to ask: add --yes/);
    assert.equal(read(), settings);
    assert.equal(existsSync(join(swarm, "installations.json")), false);
  });

  test("takes every agent that is there when none is named", (t) => {
    const { run, home } = user(t);
    mkdirSync(join(home, ".codex"));
    const { files } = JSON.parse(run("install", "--yes", "--json").stdout);
    assert.deepEqual(
      files.map(({ agent }: { agent: string }) => agent),
      ["claude-code", "codex"],
    );
    const codex = JSON.parse(readFileSync(join(home, ".codex/hooks.json"), "utf8"));
    assert.deepEqual(Object.keys(codex), ["hooks"]);
    assert.match(codex.hooks.PreToolUse[0].hooks[0].command, /swarm-hook codex --guard --timeout-ms 59500$/);
  });

  test("--mcp gives the agents our MCP server, and uninstall takes it out to the byte", (t) => {
    const { run, read, home, swarm } = user(t);
    const [claude, codex] = [join(home, ".claude.json"), join(home, ".codex/config.toml")];
    mkdirSync(join(home, ".codex"));
    mkdirSync(join(home, ".gemini"));
    writeFileSync(claude, '{ "numStartups": 3 }');
    for (const undo of [
      ["uninstall", "--yes"],
      ["uninstall", "--all", "--yes"],
    ]) {
      const { status, stdout, stderr } = run("install", "--mcp", "--yes");
      assert.deepEqual([status, stderr], [0, ""]);
      assert.match(stdout, /^codex: has the swarm's tools, .*config\.toml$/m);
      assert.match(stdout, /^gemini-cli: add the MCP server yourself: .*swarm mcp$/m);
      assert.deepEqual(JSON.parse(read(claude)).mcpServers.swarm, {
        type: "stdio",
        command: process.execPath,
        args: [join(import.meta.dirname, "../../bin/swarm"), "mcp"],
        env: { SWARM_HOME: swarm },
      });
      const codexText = read(codex);
      run("install", "--mcp", "--yes");
      assert.equal(read(codex), codexText, "a second time changes nothing");
      assert.equal(run(...undo).status, 0);
      assert.equal(read(claude), '{ "numStartups": 3 }');
      assert.equal(existsSync(codex), false);
    }
    assert.match(
      run("install", "--mcp", "--scope", "project", "--yes").stderr,
      /--mcp is for the user's own settings/,
    );
  });

  test("goes into the project's settings when told to", (t) => {
    const { run, cwd, read } = user(t);
    run("install", "claude-code", "--scope", "project", "--yes");
    assert.match(read(join(cwd, ".claude/settings.json")), /swarm-hook/);
    assert.equal(read(), settings);
  });

  test("says what is wrong with a settings file it cannot read, and where, and leaves it alone", (t) => {
    const { run, read } = user(t, '{\n  "hooks": {,}\n}');
    const { status, stderr } = run("install", "claude-code", "--yes");
    assert.equal(status, 65);
    assert.match(stderr, /settings\.json:2:13: .*\[SWARM_SETTINGS_INVALID\]/);
    assert.equal(read(), '{\n  "hooks": {,}\n}');
  });

  test("tells an agent it does not know from one it does", (t) => {
    const { status, stderr } = user(t).run("install", "claude-cod");
    assert.equal(status, 64);
    assert.match(stderr, /unknown agent "claude-cod", did you mean claude-code\?/);
  });

  test("is recorded, and so is its end", (t) => {
    const { run } = user(t);
    run("install", "claude-code", "--yes");
    run("uninstall", "claude-code", "--yes");
    const { items } = JSON.parse(run("audit", "log", "--json").stdout);
    assert.deepEqual(
      items.map(({ event }: { event: string }) => event),
      ["agent.uninstalled", "agent.installed"],
    );
  });
});

suite("swarm uninstall", () => {
  test("puts the file back byte for byte", (t) => {
    const { run, read, swarm } = user(t);
    run("install", "claude-code", "--yes");
    run("install", "claude-code", "--yes");
    assert.equal(run("uninstall", "claude-code", "--yes").status, 0);
    assert.equal(read(), settings);
    assert.deepEqual(readdirSync(join(swarm, "backups")), []);
  });

  test("removes a file that was not there before", (t) => {
    const { run, file } = user(t, null);
    run("install", "claude-code", "--yes");
    run("uninstall", "claude-code", "--yes");
    assert.equal(existsSync(file), false);
  });

  test("takes every agent's hooks out again, in both scopes, and leaves no file behind", (t) => {
    const { run, home, cwd } = user(t, null);
    for (const [folder, options] of [
      [home, []],
      [cwd, ["--scope", "project"]],
    ] as const) {
      const files = () => agentNames.map((agent) => settingsFile(agent, folder, options.length > 0));
      assert.equal(run("install", ...agentNames, ...options, "--yes").status, 0);
      for (const file of files()) assert.match(readFileSync(file, "utf8"), /swarm-hook.*--guard/s, file);
      assert.equal(run("uninstall", ...agentNames, ...options, "--yes").status, 0);
      assert.deepEqual(files().filter(existsSync), []);
    }
  });

  test("of a file that was edited since takes out our hooks and keeps the edit", (t) => {
    const { run, read, file } = user(t);
    run("install", "claude-code", "--yes");
    writeFileSync(file, read().replace('"opus"', '"sonnet"'));
    run("uninstall", "claude-code", "--yes");
    assert.equal(read(), settings.replace('"opus"', '"sonnet"'));
  });
});
