import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { readArguments, readCommandLine, showCommandLine } from "../../config/command-line.ts";
import { manifest, write } from "./harness.cases.ts";
import { type Bait, type HostileCommand, hostileCommands } from "./hostile-commands.cases.ts";
import { handlerOf, note, place } from "./service-plugins.cases.ts";

const own = `\${CLAUDE_PLUGIN_ROOT}`;
const mine = `\${acme}`;
const yaml = (lines: readonly string[]) => `plugin_shell_hooks_enabled: true
plugin_shell_allowlist: ${JSON.stringify(lines)}
`;
const hook = (args: readonly string[], more: object = {}) => ({
  event: "notification",
  type: "command",
  args,
  ...more,
});

suite("a program of a plugin", () => {
  test("runs when both lists have its very line, and leaves a row with how it ended", async (t) => {
    const { add, emit, runs, runtime } = await place(t, yaml([`${mine}/say.sh loud`]));
    const say = '#!/bin/sh\nread -r line\necho "{\\"context\\": \\"$1\\"}"\necho oh >&2\n';
    const { digest } = await add({
      "swarm-plugin.json": manifest({
        hooks: [hook([`${own}/say.sh`, "loud"], { name: "say" })],
        allowed_shell_commands: [`${own}/say.sh loud`],
      }),
      "say.sh": say,
    });
    const outcome = await emit("notification", note);
    assert.deepEqual(outcome.decision.context, ["loud"]);
    const [run, more] = await runs();
    assert.equal(more, undefined);
    assert.ok(run !== undefined && run.ms > 0);
    assert.deepEqual(
      { ...run, time: "", ms: 0 },
      {
        seq: 1,
        time: "",
        plugin: "acme",
        hook: "acme/say",
        event: "notification",
        event_id: outcome.id,
        argv: [join(runtime.home, "plugins/acme", digest, "say.sh"), "loud"],
        digest,
        denied_why: null,
        ending: "exited",
        exit_code: 0,
        ms: 0,
        bytes: 23,
      },
    );
  });

  for (const behaviour of ["deny", "ask"]) {
    test(`that a permission rule says ${behaviour} of does not run, and its row says which`, async (t) => {
      const rule = `{ id: none, behaviour: ${behaviour}, when: { event: plugin.command, name: acme }, reason: not here }`;
      const rules = `${yaml([`${mine}/say.sh`])}policy: { rules: [${rule}] }\n`;
      const { add, emit, runs } = await place(t, rules);
      await add({
        "swarm-plugin.json": manifest({
          hooks: [hook([`${own}/say.sh`])],
          allowed_shell_commands: [`${own}/say.sh`],
        }),
        "say.sh": "#!/bin/sh\ntouch ran\n",
      });
      await emit("notification", note);
      const [run] = await runs();
      assert.deepEqual([run?.denied_why, run?.ending], ["not here [none]", "refused"]);
    });
  }

  test("of Claude Code's shape runs as it stands, without the shell its line was written for", async (t) => {
    const { add, emit, cwd } = await place(t, yaml([`${mine}/hooks/redact_pan.sh`]));
    await add({
      ".claude-plugin/plugin.json": { name: "acme", allowed_shell_commands: [`${own}/hooks/redact_pan.sh`] },
      "hooks/hooks.json": {
        hooks: {
          PostTool: [{ hooks: [{ type: "command", command: `"${own}/hooks/redact_pan.sh"`, timeout: 5 }] }],
        },
      },
      "hooks/redact_pan.sh": `#!/bin/sh\ncat > ${cwd}/stdin\npwd > ${cwd}/pwd\n`,
    });
    const data = { tool_name: "Read", tool_input: {}, tool_output: { content: "x" } };
    const outcome = await emit("tool.after", data);
    assert.equal(handlerOf(outcome, "acme/tool.after#1").status, "completed");
    const stdin = JSON.parse(readFileSync(join(cwd, "stdin"), "utf8"));
    assert.equal(stdin.hook_event_name, "PostToolUse");
    assert.deepEqual(stdin.tool_response, { content: "x" });
    assert.equal(readFileSync(join(cwd, "pwd"), "utf8").trim(), cwd);
  });

  test("sees the plugin's folder, the event's and a fixed PATH of the environment, and nothing else", async (t) => {
    const { add, emit, cwd, home } = await place(t, yaml([`${mine}/env.sh`]));
    const { digest } = await add({
      "swarm-plugin.json": manifest({
        hooks: [hook([`${own}/env.sh`])],
        allowed_shell_commands: [`${own}/env.sh`],
      }),
      "env.sh": `#!/bin/sh\ntr '\\0' '\\n' < /proc/self/environ > ${cwd}/env\nulimit -n >> ${cwd}/env\n`,
    });
    await emit("notification", note);
    const lines = readFileSync(join(cwd, "env"), "utf8").trim().split("\n").sort();
    assert.deepEqual(
      lines.filter((line) => !/^(SWARM_RUN|_|PWD)=/.test(line)),
      [
        "1024",
        `CLAUDE_PLUGIN_ROOT=${join(home, "plugins/acme", digest)}`,
        `CLAUDE_PROJECT_DIR=${cwd}`,
        "LANG=C.UTF-8",
        `PATH=/usr/local/bin:/usr/bin:/bin${process.platform === "darwin" ? ":/opt/homebrew/bin" : ""}`,
      ],
    );
  });

  test("of the system runs, but not where a repository's settings would have it run more", async (t) => {
    const { add, emit, cwd, root, runs } = await place(t, yaml(["git status", "cat"]));
    const { mark } = bait(root, cwd);
    // It is there to be run: in the repository itself git does.
    spawnSync("git", ["status"], { cwd });
    assert.ok(existsSync(mark));
    rmSync(mark);
    await add({
      "swarm-plugin.json": manifest({
        hooks: [hook(["git", "status"], { name: "status" }), hook(["cat"], { name: "cat" })],
        allowed_shell_commands: ["git status", "cat"],
      }),
    });
    const outcome = await emit("notification", note);
    assert.equal(handlerOf(outcome, "acme/cat").status, "failed"); // the envelope is no answer
    assert.deepEqual(
      (await runs()).map(({ argv, ending }) => [argv, ending]),
      [
        [["/usr/bin/git", "status"], "exited"],
        [["/usr/bin/cat"], "exited"],
      ],
    );
    assert.ok(!existsSync(mark));
  });

  test("that is an interpreter runs a file of the plugin", async (t) => {
    const { add, emit } = await place(t, yaml([`sh ${mine}/say.sh`]));
    await add({
      "swarm-plugin.json": manifest({
        hooks: [{ event: "notification", type: "command", command: `sh "${own}/say.sh"` }],
        allowed_shell_commands: [`sh ${own}/say.sh`],
      }),
      "say.sh": "echo hello\n",
    });
    assert.deepEqual((await emit("notification", note)).decision.context, ["hello"]);
  });

  test("that hangs is ended at its deadline, and the row says so", async (t) => {
    const { add, emit, runs } = await place(t, yaml([`${mine}/hang.sh`]));
    await add({
      "swarm-plugin.json": manifest({
        hooks: [hook([`${own}/hang.sh`], { timeout_s: 0.2 })],
        allowed_shell_commands: [`${own}/hang.sh`],
      }),
      "hang.sh": "#!/bin/sh\nsleep 60\n",
    });
    const outcome = await emit("notification", note);
    assert.equal(outcome.handlers[0]?.status, "timed_out");
    let [run] = await runs();
    while (run?.ending === "started") {
      await new Promise((resolve) => setImmediate(resolve)); // it is given a moment to leave
      [run] = await runs();
    }
    assert.deepEqual([run?.ending, run?.exit_code], ["cancelled", null]);
  });

  test("does not start when it cannot be recorded first", async (t) => {
    const { add, emit, runtime, cwd } = await place(t, yaml([`${mine}/mark.sh`]));
    await add({
      "swarm-plugin.json": manifest({
        hooks: [hook([`${own}/mark.sh`], { on_failure: "deny" })],
        allowed_shell_commands: [`${own}/mark.sh`],
      }),
      "mark.sh": `#!/bin/sh\ntouch ${cwd}/mark\n`,
    });
    t.mock.method(runtime.store.plugins, "beginRun", async () => {
      throw new Error("disk full");
    });
    const { decision } = await emit("notification", note);
    assert.equal(decision.verdict, "deny");
    assert.ok(!existsSync(join(cwd, "mark")));
  });
});

suite("a program of a plugin is refused, and the refusal recorded, when", () => {
  const files = (allowed: readonly string[]) => ({
    "swarm-plugin.json": manifest({
      hooks: [hook([`${own}/mark.sh`], { name: "mark" })],
      allowed_shell_commands: allowed,
    }),
    "mark.sh": "#!/bin/sh\necho ran\n",
  });
  const line = `${mine}/mark.sh`;
  const cases: Readonly<Record<string, [config: string, allowed: readonly string[], why: RegExp]>> = {
    "programs of plugins are off, as they are by default": [
      "",
      [`${own}/mark.sh`],
      /the flag plugin_shell_hooks_enabled/,
    ],
    "they are off and it is listed": [
      yaml([line]).replace("true", "false"),
      [`${own}/mark.sh`],
      /the flag plugin_shell_hooks_enabled turns them on$/,
    ],
    "the user has not listed it": [
      yaml([]),
      [`${own}/mark.sh`],
      /plugin_shell_allowlist of the user does not have/,
    ],
    "the user has listed another plugin's": [
      yaml([`\${other}/mark.sh`]),
      [`${own}/mark.sh`],
      /plugin_shell_allowlist of the user does not have/,
    ],
    "the plugin has not declared it": [
      yaml([line]),
      [],
      /allowed_shell_commands of the plugin does not have/,
    ],
  };
  for (const [what, [config, allowed, why]] of Object.entries(cases)) {
    test(what, async (t) => {
      const { add, emit, runs } = await place(t, config);
      await add(files(allowed));
      const outcome = await emit("notification", note);
      const { status, reason } = handlerOf(outcome, "acme/mark");
      assert.equal(status, "failed");
      assert.match(reason ?? "", /may not run its program: /);
      const [run] = await runs();
      assert.match(run?.denied_why ?? "", why);
      assert.deepEqual([run?.ending, run?.argv], ["refused", [`${own}/mark.sh`]]);
    });
  }

  test("it guards, and then it denies", async (t) => {
    const { add, emit } = await place(t);
    await add({
      "swarm-plugin.json": manifest({
        hooks: [{ event: "tool.before", type: "blocking_script", args: [`${own}/ok.sh`] }],
      }),
      "ok.sh": "#!/bin/sh\n",
    });
    const { decision } = await emit("tool.before", { tool_name: "Bash", tool_input: {} });
    assert.equal(decision.verdict, "deny");
    assert.match(decision.reason ?? "", /may not run its program: programs of plugins are off/);
  });

  test("the setting takes effect on the next event, both ways", async (t) => {
    const { add, emit, config } = await place(t);
    await add(files([`${own}/mark.sh`]));
    const status = async () => handlerOf(await emit("notification", note), "acme/mark").status;
    assert.equal(await status(), "failed");
    config(yaml([line]));
    assert.equal(await status(), "completed");
    config("");
    assert.equal(await status(), "failed");
  });
});

suite("ways around the lists", () => {
  for (const isListed of [false, true]) {
    test(`none is started with ${isListed ? "the very lines" : "the programs' names"} in both lists`, async (t) => {
      const { add, emit, cwd, root, runs } = await bench(t);
      const found = bait(root, cwd);
      const commands = hostileCommands(found).filter(({ isOnlyUnlisted }) => !(isListed && isOnlyUnlisted));
      assert.ok(commands.length >= 100, `${commands.length} cases`);
      const lines = isListed
        ? commands.flatMap(wholeLine)
        : ["git diff --stat", ...commands.flatMap(firstWord)];
      if (isListed) assert.ok(lines.length >= 50, `${lines.length} lines that can be listed at all`);
      await add(lines, commands);
      await emit("notification", note);
      const recorded = await runs();
      assert.deepEqual(
        recorded.filter(({ ending }) => ending !== "refused").map(({ argv }) => argv),
        [],
      );
      assert.deepEqual(
        recorded.map(({ hook: name }) => name),
        commands.map((_, at) => `acme/h${at}`),
      );
      assert.ok(!existsSync(found.mark));
    });
  }

  test("are no straw men: started as they are, most of them leave their mark", (t) => {
    const root = execFileSync("mktemp", ["-d"], { encoding: "utf8" }).trim();
    t.after(() => rmSync(root, { recursive: true, force: true }));
    const cwd = join(root, "project");
    mkdirSync(cwd);
    const found = bait(root, cwd);
    const marked = hostileCommands(found).filter(({ argv, line }) => {
      rmSync(found.mark, { force: true });
      const [program = "", ...args] = argv ?? ["/bin/sh", "-c", line ?? ""];
      const env = { PATH: process.env.PATH, HOME: root, CLAUDE_PROJECT_DIR: cwd };
      spawnSync(program, args, { cwd, env, input: "{}\n", timeout: 5_000, killSignal: "SIGKILL" });
      return existsSync(found.mark);
    });
    t.diagnostic(`${marked.length} of ${hostileCommands(found).length} leave their mark here`);
    assert.ok(marked.length >= 40, `${marked.length} do`);
  });
});

/** A place whose plugin has these hooks, and both lists these lines. */
async function bench(t: TestContext) {
  const found = await place(t);
  const add = async (lines: readonly string[], commands: readonly HostileCommand[]) => {
    found.config(yaml(lines.map((line) => line.replaceAll(own, mine))));
    const hooks = commands.map(({ argv, line }, at) => ({
      event: "notification",
      type: "command",
      name: `h${at}`,
      ...(argv === undefined ? { command: line } : { args: argv }),
    }));
    await found.add({
      "swarm-plugin.json": manifest({ hooks, allowed_shell_commands: lines }),
      "ok.sh": "#!/bin/sh\n",
      "unlisted.sh": "#!/bin/sh\n",
      "plain.txt": "touch x\n",
    });
  };
  return { ...found, add };
}

/** The whole line as the lists take it, where they do. */
function wholeLine({ argv, line }: HostileCommand): string[] {
  const folderOf = (variable: string) => (variable === "CLAUDE_PLUGIN_ROOT" ? "CLAUDE_PLUGIN_ROOT" : null);
  const read = argv === undefined ? readCommandLine(line ?? "", folderOf) : readArguments(argv, folderOf);
  return typeof read === "string" ? [] : [showCommandLine(read)];
}

/** What somebody would list who goes by names. */
function firstWord({ argv, line }: HostileCommand): string[] {
  const word = argv?.[0] ?? line?.split(/\s/)[0] ?? "";
  return /^[A-Za-z0-9][\w.+-]*$/.test(word) ? [word] : [];
}

/** Makes the project a repository whose own settings run a program, and what else the hostile commands are given. */
function bait(root: string, project: string): Bait {
  const [mark, evil, programs] = [join(root, "mark"), join(project, "evil.sh"), join(root, "programs")];
  const script = `#!/bin/sh\ntouch ${mark}\n`;
  write(project, { "evil.sh": script, "evil.tar": "" });
  write(programs, { "git-x": script });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, stdio: "ignore" });
  git("init");
  git("config", "core.fsmonitor", evil);
  const archive = join(project, "evil.tar");
  execFileSync("tar", ["-cf", archive, "evil.sh"], { cwd: project });
  return { mark, evil, project, archive, programs };
}
