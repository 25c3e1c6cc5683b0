import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
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
import { suite, type TestContext, test } from "node:test";
import { until } from "./harness.ts";
import { endStartedDaemons } from "./started-daemons.ts";

const bin = join(import.meta.dirname, "../../bin/swarm");

const noHooks = "hooks: []\n";
const guard = (event = "tool.before") =>
  `hooks: [{ event: ${event}, type: blocking_script, name: guard, command: "exit 0" }]\n`;

/** A user with agents' settings, two projects, and maybe a daemon. */
class User {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  warnings = "";
  #daemon: ChildProcess | null = null;

  constructor(t: TestContext, files: Readonly<Record<string, string>> = {}) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-reinstall-")));
    this.env = { PATH: process.env.PATH, HOME: this.place("user"), SWARM_HOME: this.place("swarm") };
    for (const name of ["user/.claude", "swarm", "project", "other"]) {
      mkdirSync(this.place(name), { recursive: true });
    }
    this.write("project/swarm.yaml", noHooks);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    t.after(async () => {
      await this.down();
      await endStartedDaemons(this.place("swarm"));
      rmSync(this.folder, { recursive: true });
    });
  }

  place(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return readFileSync(this.place(name), "utf8");
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.place(name)), { recursive: true });
    writeFileSync(this.place(name), text);
  }

  run(args: readonly string[], cwd = "project") {
    const options = { cwd: this.place(cwd), env: this.env, encoding: "utf8", input: "" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], options);
    assert.deepEqual([status, stderr], [0, ""], args.join(" "));
    return stdout;
  }

  /** Approves the project's hooks; what is approved goes to stderr. */
  trust(): void {
    const options = { cwd: this.place("project"), env: this.env, encoding: "utf8" } as const;
    assert.equal(spawnSync(process.execPath, [bin, "trust", "--yes"], options).status, 0);
  }

  async up(): Promise<void> {
    const options = { cwd: this.place("other"), env: this.env };
    this.#daemon = spawn(process.execPath, [bin, "up", "--port", "0"], options);
    this.#daemon.stderr?.on("data", (chunk: Buffer) => {
      this.warnings += chunk.toString();
    });
    await once(this.#daemon.stdout as NodeJS.ReadableStream, "data");
  }

  async down(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = null;
    if (daemon === null) return;
    daemon.kill("SIGTERM");
    await once(daemon, "exit");
  }

  /** A tool call of Claude Code by the entry its settings have. */
  call(cwd = "project", settings = "user/.claude/settings.json", native = "PreToolUse") {
    const [command = "", ...args] = this.entry(settings, native);
    const payload = {
      session_id: "s1",
      cwd: this.place(cwd),
      hook_event_name: native,
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: `t${++calls}`,
    };
    const options = {
      cwd: this.place(cwd),
      env: { ...this.env, CLAUDECODE: "1" },
      encoding: "utf8",
      input: JSON.stringify(payload),
    } as const;
    const { status, stdout, stderr } = spawnSync(command, args, options);
    return { status, stdout, stderr };
  }

  /** Program and arguments of our entry for an event. */
  entry(settings = "user/.claude/settings.json", native = "PreToolUse"): string[] {
    const { hooks } = JSON.parse(this.read(settings));
    const all = (hooks[native] ?? []).flatMap((group: { hooks: object[] }) => group.hooks);
    const ours = all.find(({ command }: { command: string }) => command.includes("swarm-hook"));
    return ours === undefined ? [] : [...ours.command.split(" "), ...(ours.args ?? [])];
  }

  isGuarded(settings?: string, native?: string): boolean {
    return this.entry(settings, native).includes("--guard");
  }

  changes(): string[] {
    const { items } = JSON.parse(this.run(["audit", "log", "--event", "agent.reinstalled", "--json"]));
    return items.map(({ reason, actor, agent }: Record<string, string>) => `${actor} ${agent}: ${reason}`);
  }
}

let calls = 0;

const own = `{
  "model": "opus",
  "hooks": {
    "PreToolUse": [ { "matcher": "Edit", "hooks": [ { "type": "command", "command": "mine" } ] } ]
  }
}
`;

suite("entries follow the guards in force", () => {
  test("of a plugin too, while it is there, and a second look leaves them so", async (t) => {
    const user = new User(t);
    const hooks = [{ event: "tool.before", type: "blocking_script", command: "cat" }];
    user.write("plugin/swarm-plugin.json", JSON.stringify({ name: "p", version: "1.0.0", hooks }));
    user.run(["install", "claude-code", "--yes"]);
    assert.equal(user.isGuarded(), false);
    await user.up();
    user.run(["plugins", "add", user.place("plugin"), "--yes", "--json"]);
    user.call();
    await until(() => user.isGuarded());
    await user.down();
    await user.up();
    user.call("other");
    user.run(["install", "claude-code", "--yes"]);
    assert.equal(user.isGuarded(), true);
    user.run(["plugins", "remove", "p", "--yes"]);
    user.call();
    await until(() => !user.isGuarded());
  });

  test("when a guard comes while a daemon runs: changed, kept apart from the user's own, recorded, told", async (t) => {
    const user = new User(t, { "user/.claude/settings.json": own });
    user.run(["install", "claude-code", "--yes"]);
    assert.equal(user.isGuarded(), false);
    await user.up();
    user.write("project/swarm.yaml", guard());
    user.call();
    await until(() => user.isGuarded());
    const { hooks, model } = JSON.parse(user.read("user/.claude/settings.json"));
    assert.equal(model, "opus");
    assert.deepEqual(hooks.PreToolUse[0], JSON.parse(own).hooks.PreToolUse[0]);
    assert.equal(hooks.PreToolUse[1].hooks[0].onFailure, "block");
    assert.equal(user.isGuarded(undefined, "PostToolUse"), false);
    await until(() => user.warnings.includes("brought up"));
    assert.match(
      user.warnings,
      /claude-code: .*settings\.json has been brought up to the hooks in force: PreToolUse with --guard/,
    );
    const file = user.place("user/.claude/settings.json");
    assert.deepEqual(user.changes(), [
      `swarm claude-code: claude-code, user: ${file}: PreToolUse with --guard`,
    ]);
    await user.down();
    user.run(["uninstall", "claude-code", "--yes"]);
    assert.equal(user.read("user/.claude/settings.json"), own);
  });

  test("when it came while there was none: as soon as one starts", async (t) => {
    const user = new User(t);
    user.run(["install", "claude-code", "--yes"]);
    user.write("swarm/config.yaml", guard("prompt.submit"));
    await user.up();
    await until(() => user.isGuarded(undefined, "UserPromptSubmit"));
    assert.equal(user.isGuarded(), false);
  });

  test("when the last one goes, wherever it was", async (t) => {
    const user = new User(t, { "project/swarm.yaml": guard(), "other/swarm.yaml": guard() });
    user.run(["install", "claude-code", "--yes"]);
    await user.up();
    user.call("other");
    user.write("project/swarm.yaml", noHooks);
    user.call();
    await until(() => !JSON.stringify(notes(user)).includes("project/swarm.yaml"));
    assert.equal(user.isGuarded(), true, "the other project has one");
    rmSync(user.place("other/swarm.yaml"));
    user.call("other");
    await until(() => !user.isGuarded());
  });

  test("installing in another folder leaves the guards of this one on", (t) => {
    const user = new User(t, { "project/swarm.yaml": guard() });
    user.run(["install", "claude-code", "--yes"]);
    assert.match(user.run(["install", "claude-code", "--yes"], "other"), /is as it should be/);
    assert.equal(user.isGuarded(), true);
    user.write("project/swarm.yaml", noHooks);
    user.run(["install", "claude-code", "--yes"], "other");
    assert.equal(user.isGuarded(), false);
  });

  test("without a daemon the first call that comes by too weak an entry sees to it, and is judged as a guard's", async (t) => {
    const user = new User(t);
    user.run(["install", "claude-code", "--yes"]);
    user.write("project/swarm.yaml", guard());
    user.trust();
    assert.deepEqual(user.call(), { status: 0, stdout: "", stderr: "" });
    assert.equal(user.isGuarded(), true);
    assert.match(user.changes()[0] ?? "", /^swarm claude-code: .*PreToolUse with --guard$/);
    const once = user.read("user/.claude/settings.json");
    user.call();
    assert.equal(user.read("user/.claude/settings.json"), once);
  });

  test("calls at once do it once", async (t) => {
    const user = new User(t);
    user.run(["install", "claude-code", "--yes"]);
    const [command = "", ...args] = user.entry();
    user.write("project/swarm.yaml", guard());
    const started = Array.from({ length: 4 }, (_, at) => {
      const child = spawn(command, args, {
        cwd: user.place("project"),
        env: { ...user.env, CLAUDECODE: "1" },
      });
      const payload = { session_id: "s", cwd: user.place("project"), hook_event_name: "PreToolUse" };
      const tool = { tool_name: "Bash", tool_input: {}, tool_use_id: `at-once-${at}` };
      child.stdin.end(JSON.stringify({ ...payload, ...tool }));
      return once(child, "exit");
    });
    assert.deepEqual(
      (await Promise.all(started)).map(([code]) => code),
      [0, 0, 0, 0],
    );
    assert.equal(user.isGuarded(), true);
    assert.equal(user.changes().length, 1);
    assert.equal(notes(user).length, 1);
  });

  test("a project's settings follow that project alone", async (t) => {
    const user = new User(t);
    const settings = "project/.claude/settings.json";
    user.run(["install", "claude-code", "--scope", "project", "--yes"]);
    await user.up();
    user.write("other/swarm.yaml", guard());
    user.call("other", settings);
    user.write("project/swarm.yaml", guard("tool.after"));
    user.call("project", settings);
    await until(() => user.isGuarded(settings, "PostToolUse"));
    assert.equal(user.isGuarded(settings), false);
  });

  test("an entry that somebody has taken out, narrowed or given more time stays so", async (t) => {
    const user = new User(t);
    user.run(["install", "claude-code", "--yes"]);
    const file = JSON.parse(user.read("user/.claude/settings.json"));
    delete file.hooks.Stop;
    file.hooks.PreToolUse[0].matcher = "Bash";
    file.hooks.PreToolUse[0].hooks[0].timeout = 120;
    user.write("user/.claude/settings.json", JSON.stringify(file, null, 4));
    await user.up();
    user.write(
      "swarm/config.yaml",
      `${guard("turn.end").trim().slice(0, -1)}, { event: tool.before, type: blocking_script, command: "true" }]\n`,
    );
    user.call();
    await until(() => user.isGuarded());
    const { hooks } = JSON.parse(user.read("user/.claude/settings.json"));
    assert.equal(hooks.Stop, undefined);
    assert.deepEqual([hooks.PreToolUse[0].matcher, hooks.PreToolUse[0].hooks[0].timeout], ["Bash", 120]);
    await user.down();
    user.run(["uninstall", "claude-code", "--yes"]);
    assert.equal(existsSync(user.place("user/.claude/settings.json")), false, "nothing else was in it");
  });

  test("a file that cannot be read is left alone, and told of once", async (t) => {
    const user = new User(t);
    user.run(["install", "claude-code", "--yes"]);
    const [command = ""] = user.entry();
    const broken = "{ my new hooks";
    user.write("user/.claude/settings.json", broken);
    await user.up();
    user.write("project/swarm.yaml", guard());
    for (const id of ["a", "b"]) {
      const payload = { session_id: "s", cwd: user.place("project"), hook_event_name: "PreToolUse" };
      const input = JSON.stringify({ ...payload, tool_name: "Bash", tool_input: {}, tool_use_id: id });
      spawnSync(command, ["claude-code"], { env: { ...user.env, CLAUDECODE: "1" }, input });
      user.write("project/swarm.yaml", `# ${id}\n${guard("tool.after")}`);
    }
    await until(() => user.warnings.includes("left alone"));
    await user.down();
    assert.equal(user.warnings.match(/left alone: .*settings\.json:1:\d+/g)?.length, 1);
    assert.equal(user.read("user/.claude/settings.json"), broken);
    assert.deepEqual(user.changes(), []);
  });
});

suite("Codex, which skips a changed entry until its user trusts it again", () => {
  test("has --guard where a tool would run from the start, and keeps its entries byte for byte", async (t) => {
    const user = new User(t, { "user/.codex/config.toml": "" });
    user.run(["install", "codex", "--yes"]);
    const installed = user.read("user/.codex/hooks.json");
    assert.equal(user.isGuarded("user/.codex/hooks.json"), true);
    assert.equal(user.isGuarded("user/.codex/hooks.json", "Stop"), false);
    await user.up();
    user.write("project/swarm.yaml", guard());
    user.call("project", "user/.codex/hooks.json");
    user.write("project/swarm.yaml", guard("turn.end"));
    user.call("project", "user/.codex/hooks.json");
    await until(() => user.warnings.includes("left alone"));
    assert.match(
      user.warnings,
      /codex: .*hooks\.json is not up to the hooks in force, and was left alone: Stop with --guard: run swarm install codex, then have Codex trust the changed hooks/,
    );
    assert.equal(user.read("user/.codex/hooks.json"), installed);
    assert.deepEqual(user.changes(), []);
  });
});

function notes(user: User): unknown[] {
  return JSON.parse(user.read("swarm/installations.json"));
}
