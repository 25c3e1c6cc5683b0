import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, suite, type TestContext, test } from "node:test";
import { isAlive } from "../../src/handlers/process/harness.cases.ts";
import { openRuntime } from "../../src/daemon/runtime/runtime.ts";

const bin = join(import.meta.dirname, "../../bin/swarm");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-doctor-")));
after(() => rmSync(folder, { recursive: true }));

const home = join(folder, "home");

/** What doctor finds with this text in the user's file; run by way of `wrapper`. */
function doctor(config: string, flags: readonly string[] = [], wrapper: readonly string[] = []) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "config.yaml"), config);
  const [program = "", ...args] = [...wrapper, process.execPath, bin, "doctor", ...flags, "--json"];
  const env = { ...process.env, SWARM_HOME: home };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8", env });
  const findings = JSON.parse(stdout) as { level: string; about: string; finding: string }[];
  const isFaulty = findings.some(({ level }) => level === "broken" || level === "inert");
  assert.deepEqual([status, stderr], [isFaulty ? 1 : 0, ""]);
  return findings;
}

function sandbox(line: string, wrapper: readonly string[] = []) {
  return doctor(line, [], wrapper).find(({ about }) => about === "sandbox");
}

/** Nobody in here sees a bwrap. */
const hiding = ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", "/dev/null", "/usr/bin/bwrap", "--"];
const canHide =
  existsSync("/usr/bin/bwrap") && spawnSync(hiding[0] ?? "", [...hiding.slice(1), "true"]).status === 0;
const skip = canHide && !existsSync("/usr/local/bin/bwrap") ? false : "needs bubblewrap in /usr/bin";

test("doctor tells what the sandbox is made of", { skip }, () => {
  const finding = "resource limits and a process namespace";
  assert.deepEqual(sandbox("sandbox: strict\n"), {
    level: "ok",
    about: "sandbox",
    finding: `strict: ${finding}`,
  });
  assert.deepEqual(sandbox(""), {
    level: "ok",
    about: "sandbox",
    finding: `off; strict would be ${finding}`,
  });
});

test("doctor notes what a strict sandbox lacks, and that is no failure", { skip }, () => {
  const lacks = "resource limits alone, there is no /usr/bin/bwrap or /usr/local/bin/bwrap";
  const strict = { level: "note", about: "sandbox", finding: `strict: ${lacks}` };
  assert.deepEqual(sandbox("sandbox: strict\n", hiding), strict);
  const off = { level: "ok", about: "sandbox", finding: `off; strict would be ${lacks}` };
  assert.deepEqual(sandbox("", hiding), off);
});

/** A user's home with agents, and what doctor says of each. */
function agentsOf(t: TestContext, config: string, files: Readonly<Record<string, string>> = {}) {
  const place = realpathSync(mkdtempSync(join(folder, "agents-")));
  const [user, swarm, project] = [join(place, "user"), join(place, "swarm"), join(place, "project")];
  t.after(() => rmSync(place, { recursive: true }));
  for (const made of [join(user, ".claude"), swarm, project]) mkdirSync(made, { recursive: true });
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  };
  write("project/swarm.yaml", config);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const shell: Record<string, string> = {};
  const start = (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: user, SWARM_HOME: swarm, ...shell };
    const options = { cwd: project, env, encoding: "utf8", input: "" } as const;
    return spawnSync(process.execPath, [bin, ...args], options);
  };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = start(...args);
    assert.deepEqual([status, stderr], [0, ""], args.join(" "));
    return stdout;
  };
  /** Level and text of what is told of an agent. */
  const told = (agent: string): string[] => {
    const { status, stdout } = start("doctor", "--json");
    const findings = JSON.parse(stdout) as Record<"level" | "about" | "finding", string>[];
    const isFaulty = findings.some(({ level }) => level === "broken" || level === "inert");
    assert.equal(status, isFaulty ? 1 : 0);
    return findings
      .filter(({ about }) => about === agent)
      .map(({ level, finding }) => `${level}: ${finding}`);
  };
  const read = (name: string) => readFileSync(join(place, name), "utf8");
  const edit = (name: string, change: (text: string) => string) => write(name, change(read(name)));
  return { place, run, start, told, write, read, edit, shell };
}

const guarded = 'hooks: [{ event: tool.before, type: blocking_script, name: guard, command: "exit 0" }]\n';
const unguarded = "hooks: []\n";
const claude = "user/.claude/settings.json";

suite("doctor on agents", () => {
  test("tells of one that does not call us, and then that it does, and that nobody has proven it", (t) => {
    const { told, run, place } = agentsOf(t, guarded);
    assert.deepEqual(told("claude-code"), [
      "warning: it does not call our hooks: run swarm install claude-code",
    ]);
    run("install", "claude-code", "--yes");
    const { length } = Object.keys(JSON.parse(readFileSync(join(place, claude), "utf8")).hooks);
    assert.deepEqual(told("claude-code"), [
      "warning: never verified: run swarm verify claude-code",
      `ok: ${length} entries in ${join(place, claude)}`,
    ]);
    assert.deepEqual(told("codex"), []);
  });

  test("tells of a guard whose entry lets pass what cannot be judged", (t) => {
    const { told, run, write } = agentsOf(t, unguarded);
    run("install", "claude-code", "--yes");
    write("project/swarm.yaml", guarded);
    assert.equal(
      told("claude-code")[0],
      "inert: PreToolUse has a guard, and its entry no --guard: a call that cannot be judged passes; run swarm install claude-code",
    );
    run("install", "claude-code", "--yes");
    assert.equal(told("claude-code").filter((line) => /--guard/.test(line)).length, 0);
    write("project/swarm.yaml", unguarded);
    assert.match(
      told("claude-code").join("\n"),
      /^note: PreToolUse has no guard any more, and its entry --guard/m,
    );
  });

  test("tells of entries that are missing, and which of them matter", (t) => {
    const { told, run, edit } = agentsOf(t, guarded);
    run("install", "claude-code", "--yes");
    edit(claude, (text) => {
      const { hooks } = JSON.parse(text);
      const { PreToolUse: _, Stop: __, ...rest } = hooks;
      return JSON.stringify({ hooks: rest });
    });
    const lines = told("claude-code");
    assert.equal(
      lines[0],
      "inert: there is no entry for PreToolUse, so guards do not run: run swarm install claude-code",
    );
    assert.ok(lines.includes("note: there is no entry for Stop"));
    edit(claude, () => "{}");
    assert.match(
      told("claude-code")[0] ?? "",
      /^inert: its settings have no entry of ours any more: run swarm install/,
    );
  });

  test("tells of a client that is gone, a hook that takes longer, a file nobody can read", (t) => {
    const { told, run, write, place } = agentsOf(t, guarded);
    run("install", "claude-code", "--yes");
    rmSync(join(place, "swarm/bin/swarm-hook"));
    assert.match(
      told("claude-code")[0] ?? "",
      /^broken: its entries start .*\/bin\/swarm-hook, which is not there/,
    );
    run("install", "claude-code", "--yes");
    write("project/swarm.yaml", "hooks: [{ event: Stop, type: command, command: tests, timeout_s: 300 }]\n");
    assert.match(
      told("claude-code").join("\n"),
      /^note: Stop is waited for 60 s, and a hook may take 300: run/m,
    );
    write(claude, "{ mine");
    assert.match(told("claude-code")[0] ?? "", /^broken: .*settings\.json:1:\d+: /);
    write(claude, '{ "hooks": {}, } // mine');
    write("project/swarm.yaml", "hooks: 7\n");
    assert.match(told("configuration")[0] ?? "", /^broken: .*swarm\.yaml:1:8/);
    assert.match(told("claude-code")[0] ?? "", /^inert: its settings have no entry of ours/);
  });

  test("tells of settings the agent itself would not read", (t) => {
    const { told, run, edit } = agentsOf(t, guarded, { [claude]: '{"disableAllHooks": true}' });
    run("install", "claude-code", "--yes");
    assert.match(
      told("claude-code")[0] ?? "",
      /^inert: Claude Code runs none of our hooks: it has disableAllHooks/,
    );
    edit(claude, (text) => text.replace("{", "{ // mine\n").replace("true", "false"));
    assert.match(told("claude-code")[0] ?? "", /^inert: .*ignores a settings file with comments/);
  });

  /** Edits of the first entry of ours for the event before a tool. */
  const changes: readonly {
    readonly agent: string;
    readonly file: string;
    readonly native: string;
    readonly change: (group: Record<string, unknown>, hook: Record<string, unknown>) => void;
    readonly says: RegExp;
  }[] = [
    ...["Nope", "Bash", "Bash|Write|Edit|mcp__.*"].map((matcher) => ({
      agent: "claude-code",
      file: claude,
      native: "PreToolUse",
      change: (group: Record<string, unknown>) => void Object.assign(group, { matcher }),
      says: /^inert: our entry for PreToolUse was changed, its matcher is "(Nope|Bash.*)": calls that do not match/m,
    })),
    ...[{ if: "Bash(printf *)" }, { async: true }, { asyncRewake: true }].map((added) => ({
      agent: "claude-code",
      file: claude,
      native: "PreToolUse",
      change: (_: unknown, hook: Record<string, unknown>) => void Object.assign(hook, added),
      says: new RegExp(
        `^inert: our entry for PreToolUse was changed, it has ${Object.keys(added)[0]}: `,
        "m",
      ),
    })),
    {
      agent: "gemini-cli",
      file: "user/.gemini/settings.json",
      native: "BeforeTool",
      change: (group) => void Object.assign(group, { matcher: "run_shell_command" }),
      says: /^inert: our entry for BeforeTool was changed, its matcher is "run_shell_command"/m,
    },
    {
      agent: "qwen-code",
      file: "user/.qwen/settings.json",
      native: "PreToolUse",
      change: (_, hook) => void Object.assign(hook, { async: true }),
      says: /^inert: our entry for PreToolUse was changed, it has async: true/m,
    },
    {
      agent: "copilot",
      file: "user/.copilot/hooks/swarm-hooks.json",
      native: "preToolUse",
      change: (hook) => void Object.assign(hook, { matcher: "bash" }),
      says: /^inert: our entry for preToolUse was changed, its matcher is "bash"/m,
    },
    {
      agent: "copilot",
      file: "user/.copilot/hooks/swarm-hooks.json",
      native: "preToolUse",
      change: (hook) => void Object.assign(hook, { env: {} }),
      says: /^inert: our entry for preToolUse was changed, its env is \{\}/m,
    },
  ];

  test("tells of entries that somebody made do less", (t) => {
    const { told, run, edit } = agentsOf(t, guarded);
    run("install", ...new Set(changes.map(({ agent }) => agent)), "--yes");
    for (const { agent, file, native, change, says } of changes) {
      assert.deepEqual(
        told(agent).filter((line) => /was changed/.test(line)),
        [],
      );
      edit(file, (text) => {
        const settings = JSON.parse(text);
        const [group] = settings.hooks[native];
        change(group, group.hooks?.[0]);
        return JSON.stringify(settings);
      });
      assert.match(told(agent).join("\n"), says);
      run("install", agent, "--yes");
      assert.deepEqual(
        told(agent).filter((line) => /was changed/.test(line)),
        [],
        "installed again",
      );
    }
  });

  test("has nothing against entries with a longer time, a status line or a matcher for everything", (t) => {
    const { told, run, edit } = agentsOf(t, guarded);
    run("install", "claude-code", "--yes");
    edit(claude, (text) => {
      const settings = JSON.parse(text);
      const [group] = settings.hooks.PreToolUse;
      Object.assign(group, { matcher: ".*" });
      Object.assign(group.hooks[0], { timeout: 600, statusMessage: "judging", async: false });
      settings.hooks.PreToolUse.push({ ...group, matcher: "Bash" });
      return JSON.stringify(settings);
    });
    assert.deepEqual(
      told("claude-code").filter((line) => /was changed/.test(line)),
      [],
    );
    edit(claude, (text) => text.replace('"timeout":600', '"timeout":600,"flavour":"new"'));
    assert.match(
      told("claude-code").join("\n"),
      /^note: our entry for PreToolUse was changed, it has flavour: "new", which we did not write/m,
    );
  });

  test("tells of hooks that are switched off in any other file, and in this shell", (t) => {
    const off = '{"disableAllHooks": true}';
    const switches: readonly (readonly [string, string, string])[] = [
      ["claude-code", "project/.claude/settings.local.json", off],
      ["claude-code", "project/.claude/settings.json", off],
      ["claude-code", "project/.claude/settings.json", '{"env": {"CLAUDE_CODE_SIMPLE": "1"}}'],
      ["claude-code", "project/.claude/settings.local.json", '{"env": {"CLAUDE_CODE_SAFE_MODE": true}}'],
      ["gemini-cli", "project/.gemini/settings.json", '{"hooksConfig": {"enabled": false}}'],
      ["qwen-code", "project/.qwen/settings.json", off],
      ["qwen-code", "project/.qwen/settings.json", '{"env": {"QWEN_CODE_SIMPLE": 1}}'],
      ["qwen-code", "project/.env", "export QWEN_CODE_SAFE_MODE='1'\n"],
      ["qwen-code", "user/.qwen/.env", "QWEN_CODE_SIMPLE=1\n"],
      ["copilot", "project/.github/copilot/settings.json", off],
      ["copilot", "project/.claude/settings.local.json", off],
      ["codex", "project/.codex/config.toml", "[features]\nhooks = false\n"],
    ];
    const { told, run, write, place, shell } = agentsOf(t, guarded);
    run("install", ...new Set(switches.map(([agent]) => agent)), "--yes");
    for (const [agent, file, text] of switches) {
      write(file, text);
      const inert = told(agent).filter((line) => line.startsWith("inert: "));
      assert.ok(inert[0]?.includes(join(place, file)), `${file}: ${inert}`);
      write(
        file,
        /toml|env/.test(file) ? "" : '{"disableAllHooks": false, "env": {"CLAUDE_CODE_SIMPLE": "0"}}',
      );
      assert.equal(
        told(agent).some((line) => line.includes(join(place, file))),
        false,
      );
    }
    shell.CLAUDE_CODE_SIMPLE = "1";
    assert.match(told("claude-code")[0] ?? "", /^inert: CLAUDE_CODE_SIMPLE=1 is set in this shell/);
  });

  test("tells of running agents that were started without our hooks, as swarm status does", async (t) => {
    const { told, run, start, write, place } = agentsOf(t, guarded);
    run("install", "claude-code", "--yes");
    const program = join(place, "bin/claude");
    write("bin/claude", "#!/bin/sh\necho started\nread line\n");
    chmodSync(program, 0o700);
    const agent = spawn(program, ["--bare"], {
      cwd: place,
      env: { HOME: join(place, "user") },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const ended = once(agent, "exit");
    t.after(() => agent.kill());
    await once(agent.stdout, "data");
    const said = `process ${agent.pid} was started with --bare: no hook of any settings file runs`;
    assert.ok(told("claude-code").includes(`inert: ${said}; end it and start it without`));
    assert.ok(start("status").stdout.includes(`         claude-code, ${said.replace(" was", ", was")}`));
    const { unguarded_agents } = JSON.parse(start("status", "--json").stdout);
    const its = unguarded_agents.find(({ pid }: { pid: number }) => pid === agent.pid);
    assert.equal(its.agent, "claude-code");
    agent.stdin.end("\n");
    await ended;
    assert.ok(!told("claude-code").some((line) => line.includes(said)));
  });

  test("tells of a client that is another program than was installed, and of a plugin with other code", (t) => {
    const { told, run, place, write, edit } = agentsOf(t, guarded);
    run("install", "claude-code", "--yes");
    const client = join(place, "swarm/bin/swarm-hook");
    rmSync(client);
    writeFileSync(client, "#!/bin/sh\nexit 0\n", { mode: 0o700 });
    assert.match(
      told("claude-code")[0] ?? "",
      /^broken: .*swarm-hook is not the program that swarm install made/,
    );
    run("install", "claude-code", "--yes");
    assert.doesNotMatch(told("claude-code").join("\n"), /is not the program/);
    write("elsewhere/swarm-hook", "#!/bin/sh\nexit 0\n");
    chmodSync(join(place, "elsewhere/swarm-hook"), 0o700);
    edit(claude, (text) => text.replaceAll(client, join(place, "elsewhere/swarm-hook")));
    assert.match(told("claude-code")[0] ?? "", /^broken: .*elsewhere\/swarm-hook is not the program/);
    const plugin = "user/.config/opencode/plugin/swarm-hooks.js";
    run("install", "opencode", "--yes");
    assert.doesNotMatch(told("opencode").join("\n"), /inert/);
    edit(plugin, (text) => text.replace("throw", "return //"));
    assert.match(
      told("opencode").join("\n"),
      /^inert: .*the code of its plugin is not what swarm install writes/m,
    );
  });

  test("tells what Codex has been told to trust, as far as its settings say", (t) => {
    const { told, run, write, place } = agentsOf(t, guarded, { "user/.codex/config.toml": "" });
    run("install", "codex", "--yes");
    assert.match(
      told("codex")[0] ?? "",
      /^inert: Codex has not been told to trust our hooks for PreToolUse, PostToolUse, /,
    );
    const { hooks } = JSON.parse(readFileSync(join(place, "user/.codex/hooks.json"), "utf8"));
    const snake = (name: string) =>
      name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
    const file = join(place, "user/.codex/hooks.json");
    const state = Object.keys(hooks).map(
      (native) => `[hooks.state."${file}:${snake(native)}:0:0"]\ntrusted_hash = "sha256:x"\n`,
    );
    write("user/.codex/config.toml", state.join("\n"));
    assert.deepEqual(told("codex"), [
      "warning: never verified: run swarm verify codex",
      `ok: 11 entries in ${file}`,
    ]);
    write("user/.codex/config.toml", `${state.join("\n")}enabled = false\n[features]\nhooks = false\n`);
    assert.match(told("codex")[0] ?? "", /^inert: hooks are off in .*config\.toml/);
    write("user/.codex/config.toml", `${state.join("\n")}enabled = false\n`);
    assert.match(told("codex")[0] ?? "", /^inert: our hooks for PostCompact are off in Codex/);
    run("install", "codex", "--scope", "project", "--yes");
    assert.match(told("codex (project)")[0] ?? "", /^inert: Codex does not trust this project/);
  });

  test("tells when it was last proven, and whether the entries have changed since", async (t) => {
    const { told, run, place, write } = agentsOf(t, guarded);
    run("install", "claude-code", "--yes");
    const verified = async (verdict: string, minutesAgo: number) => {
      const time = new Date(Date.now() - minutesAgo * 60_000).toISOString();
      const reason = `${verdict}: claude-code 2.1.325, do this`;
      const runtime = await openRuntime({
        home: join(place, "swarm"),
        cwd: place,
        env: {},
        log: { warn: () => undefined },
      });
      const what = { kind: "change", event: "guard.verified", agent: "claude-code" } as const;
      await runtime.audit.record({ ...what, actor: "human:me", time, reason });
      await runtime.close();
    };
    await verified("INERT", 2 * 1_440 + 5);
    assert.match(told("claude-code")[0] ?? "", /^inert: INERT 2 days ago: claude-code 2\.1\.325, do this$/);
    await verified("not provable", 61);
    assert.match(told("claude-code").join("\n"), /^warning: not provable 1 hour ago: /m);
    await verified("enforced", 3.5);
    assert.ok(told("claude-code").includes("ok: enforced 3 minutes ago"));
    write("project/swarm.yaml", unguarded);
    run("install", "claude-code", "--yes");
    assert.ok(
      told("claude-code").includes(
        "warning: enforced 3 minutes ago, and its entries have changed since: run swarm verify claude-code",
      ),
    );
  });

  test("says all of it on lines of its own for people", (t) => {
    const { run, start } = agentsOf(t, guarded);
    run("install", "claude-code", "--yes");
    assert.match(
      start("doctor").stdout,
      /^warning {2}claude-code: never verified: run swarm verify claude-code$/m,
    );
  });
});

test("doctor tells of every MCP server, and starts one only when it is asked to and the server is the user's", () => {
  const program = join(import.meta.dirname, "../../src/handlers/mcp-tool/server-program.cases.ts");
  const starts = join(folder, "starts");
  const command = JSON.stringify([process.execPath, program, "stdio", "new"]);
  const config = `hooks:
  - { event: Stop, type: mcp_tool, server: works, tool: echo, name: a-tool }
mcp_servers:
  works: { command: ${command}, env: { STARTS: ${starts} } }
  missing: { command: ./nowhere }
  inside: { url: "http://127.0.0.1:9/mcp" }
  ends: { command: ["${process.execPath}", -e, "process.exit(3)"] }
`;
  writeFileSync(
    join(folder, "swarm.yaml"),
    `mcp_servers:\n  theirs: { command: ${command}, env: { STARTS: ${starts} } }\n`,
  );
  const servers = (...flags: string[]) =>
    Object.fromEntries(
      doctor(config, flags)
        .filter(({ about }) => about.startsWith("MCP server") || about === "a-tool")
        .map(({ about, level, finding }) => [about, `${level}: ${finding.replaceAll(folder, "")}`]),
    );
  const silent = {
    "a-tool": "note: never fired, as far as the record goes",
    "MCP server missing": "broken: no program ./nowhere",
    "MCP server inside": "broken: 127.0.0.1 is refused (loopback): list it under allow_private of the server",
    "MCP server theirs": "note: declared at /swarm.yaml:2:3, by this project: not tried",
  };
  assert.deepEqual(servers(), {
    ...silent,
    "MCP server works": "note: declared at /home/config.yaml:4:3: swarm doctor --servers tries it",
    "MCP server ends": "note: declared at /home/config.yaml:7:3: swarm doctor --servers tries it",
  });
  assert.equal(existsSync(starts), false);
  const { "MCP server works": works, ...rest } = servers("--servers");
  assert.match(works ?? "", /^ok: \d\d tools: echo, silent, say, allow, /);
  assert.deepEqual(rest, {
    ...silent,
    "MCP server ends": 'broken: MCP server "ends" cannot be reached: it ended with exit code 3',
  });
  const pids = readFileSync(starts, "utf8").trim().split("\n").map(Number);
  assert.deepEqual([pids.length, pids.filter(isAlive)], [1, []]);
});
