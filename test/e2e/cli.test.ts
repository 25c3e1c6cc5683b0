import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { parseCommand } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/main.ts";
import { Place, trustedPlace, until } from "./harness.ts";

const config = `hooks:
  - event: PreToolUse
    type: command
    name: no-force-push
    match: Bash
    mode: guard
    on_failure: deny
    command: 'grep -q -- "--force" && { echo "never force-push" >&2; exit 2; } || exit 0'
  - { event: tool.before, type: command, command: echo mind the gap }
  - { event: tool.before, type: script, name: watch, command: "true" }
`;
const push = JSON.stringify({ tool_name: "Bash", tool_input: { command: "git push --force" } });
const list = JSON.stringify({ tool_name: "Bash", tool_input: { command: "ls" } });

interface Emitted {
  readonly id: string;
  readonly handlers: readonly { readonly ms: number }[];
}

/** What differs from call to call: its id and how long things took. */
function timeless({ id, handlers, ...rest }: Emitted): object {
  return { ...rest, handlers: handlers.map(({ ms, ...handler }) => handler) };
}

suite("with a daemon and without, a command prints the same", () => {
  test("when it reads", async (t) => {
    const place = await trustedPlace(t, config);
    const { id } = await place.json<Emitted>("emit", "tool.before", "--data", push, "--session", "s1");
    await place.json("emit", "tool.before", "--data", list);
    await place.json("hooks", "disable", "watch");
    const reads = [
      ["hooks", "list"],
      ["hooks", "show", "no-force-push"],
      ["hooks", "show", "swarm.yaml/tool.before#1"],
      ["hooks", "runs", "no-force-push"],
      ["hooks", "runs", "no-force-push", "--limit", "1"],
      ["hooks", "explain", id],
      ["audit", "log"],
      ["audit", "log", "--verdict", "deny", "--session", "s1", "--limit", "1"],
      ["audit", "head"],
      ["audit", "verify"],
    ];
    const readAll = async () => {
      const found = await Promise.all(reads.map((args) => place.json(...args)));
      const [logs, status] = [await place.swarm("logs", "--json"), await place.json("status")];
      return { found, logs, status };
    };
    const alone = await readAll();
    const { port, pid } = await place.up();
    const served = await readAll();
    for (const [at, args] of reads.entries())
      assert.deepEqual(served.found[at], alone.found[at], args.join(" "));
    assert.deepEqual(served.logs, alone.logs);
    assert.deepEqual(alone.status, { ...served.status, running: false, address: null, pid: null });
    const { running, address } = served.status;
    assert.deepEqual([running, address, served.status.pid], [true, `http://127.0.0.1:${port}`, pid]);
  });

  test("when it writes", async (t) => {
    const place = await trustedPlace(t, config);
    const writeAll = async () => {
      const emitted = [
        await place.json<Emitted>("emit", "tool.before", "--data", push),
        await place.json<Emitted>("emit", "PreToolUse", "--data", list, "--agent", "a1", "--task", "t1"),
      ].map(timeless);
      const switched = [];
      for (const args of [
        ["disable", "no-force-push"],
        ["enable", "no-force-push"],
      ]) {
        const { calls, denials, last_at, ...hook } = await place.json("hooks", ...args);
        switched.push(hook);
      }
      return { emitted, switched };
    };
    const alone = await writeAll();
    await place.up();
    assert.deepEqual(await writeAll(), alone);
    const rows = (
      await place.json<{ items: { source: string; actor: string; event: string }[] }>("audit", "log")
    ).items;
    const said = rows
      .filter(({ event }) => event !== "config.changed" && event !== "trust.approved")
      .map(({ source, actor }) => `${source} ${actor}`);
    assert.deepEqual(said.slice(said.length / 2), said.slice(0, said.length / 2), "and records the same");
  });

  test("when it fails: one line with the code, and the same exit code", async (t) => {
    const place = await trustedPlace(t, config);
    const mistakes: readonly (readonly [args: string[], status: number, says: RegExp])[] = [
      [["emit"], 64, /^swarm: an event is missing; see swarm emit --help \[SWARM_USAGE\]\n$/],
      [
        ["emit", "tool.befor"],
        64,
        /^swarm: unknown event "tool\.befor", did you mean .* \[SWARM_EVENT_UNKNOWN\]\n$/,
      ],
      [["emit", "cron.fired"], 64, /^swarm: cron\.fired cannot be sent, .* \[SWARM_EVENT_NOT_POSTABLE\]\n$/],
      [["emit", "tool.before"], 65, /^swarm: tool\.before: \w+ is missing, .* \[SWARM_PAYLOAD_INVALID\]\n$/],
      [["emit", "tool.before", "--data", "{"], 64, /^swarm: --data cannot be read: .* \[SWARM_USAGE\]\n$/],
      [
        ["emit", "tool.before", "--data", push, "--cwd", "x"],
        64,
        /^swarm: body: cwd is "x", .* \[SWARM_OPTION_INVALID\]\n$/,
      ],
      [
        ["hooks", "show"],
        64,
        /^swarm: an id or a name is missing; see swarm hooks show --help \[SWARM_USAGE\]\n$/,
      ],
      [
        ["hooks", "show", "no-force-pus"],
        64,
        /^swarm: no hook .*, did you mean "no-force-push"\? \[SWARM_HOOK_UNKNOWN\]\n$/,
      ],
      [["hooks", "enable", "a b"], 64, /^swarm: no hook "a b" is in force here \[SWARM_HOOK_UNKNOWN\]\n$/],
      [
        ["hooks", "explain", "evt_no"],
        64,
        /^swarm: the record has no event "evt_no" \[SWARM_RUN_UNKNOWN\]\n$/,
      ],
      [["audit", "log", "--limit", "0"], 64, /^swarm: query: limit is 0, .* \[SWARM_OPTION_INVALID\]\n$/],
      [
        ["audit", "log", "--limit", "many"],
        64,
        /^swarm: query: limit is "many", .* \[SWARM_OPTION_INVALID\]\n$/,
      ],
      [
        ["audit", "log", "--since", "then"],
        64,
        /^swarm: query: since is "then", .* \[SWARM_OPTION_INVALID\]\n$/,
      ],
      [["logs", "--limit", "x"], 64, /^swarm: --limit is "x", .* \[SWARM_USAGE\]\n$/],
      [["up", "--port", "65536"], 64, /^swarm: --port is "65536", .* \[SWARM_USAGE\]\n$/],
      [["completion", "tcsh"], 64, /^swarm: "tcsh" is no shell .* \[SWARM_USAGE\]\n$/],
    ];
    const alone = await Promise.all(mistakes.map(([args]) => place.swarm(...args)));
    for (const [at, [args, status, says]] of mistakes.entries()) {
      const ended = alone[at] ?? assert.fail();
      assert.deepEqual([ended.status, ended.stdout], [status, ""], args.join(" "));
      assert.match(ended.stderr, says);
    }
    await place.up();
    // How a command line is read does not depend on a daemon.
    const asked = [...mistakes.entries()].filter(([at]) => !alone[at]?.stderr.includes("SWARM_USAGE"));
    const served = await Promise.all(asked.map(([, [args]]) => place.swarm(...args)));
    assert.deepEqual(
      served,
      asked.map(([at]) => alone[at]),
    );
  });
});

test("a home whose path is too long for a socket is no reason for a command to fail", async (t) => {
  const long = new Place(t);
  const place = new Place(t, config, join(long.folder, "x".repeat(120)));
  assert.equal((await place.json<{ running: boolean }>("status")).running, false);
});

test("a home that cannot be one is one line, whatever the command", async (t) => {
  const place = new Place(t, config, "/dev/null/home");
  for (const args of [["status"], ["emit", "tool.before", "--data", push], ["up"], ["audit", "verify"]]) {
    const { status, stdout, stderr } = await place.swarm(...args);
    assert.deepEqual([status, stdout], [70, ""], args.join(" "));
    assert.match(stderr, /^swarm: \/dev\/null\/home.* \[SWARM_STORE_FAILED\]\n$/);
  }
});

test("emit ends with 2 when it is denied, if that is asked for", async (t) => {
  const place = await trustedPlace(t, config);
  const denied = await place.swarm("emit", "tool.before", "--data", push, "--fail-on-deny");
  assert.deepEqual([denied.status, denied.stderr], [2, ""]);
  assert.match(
    denied.stdout,
    /^tool\.before: deny by no-force-push\nreason: never force-push\ncontext: mind the gap\nrun: evt_\w+\n$/,
  );
  assert.equal((await place.swarm("emit", "tool.before", "--data", push)).status, 0);
  assert.equal((await place.swarm("emit", "tool.before", "--data", list, "--fail-on-deny")).status, 0);
});

suite("logs", () => {
  test("prints the newest rows, the oldest of them first", async (t) => {
    const place = await trustedPlace(t, config);
    for (const session of ["s1", "s2", "s3"])
      await place.swarm("emit", "tool.before", "--data", list, "--session", session);
    const { stdout } = await place.swarm("logs", "--limit", "6");
    const sessions = [...stdout.matchAll(/tool\.before Bash: ls none .*, (s\d)\)\n/g)].map(
      ([, session]) => session,
    );
    assert.deepEqual(sessions, ["s1", "s2", "s3"]);
    assert.equal((await place.swarm("logs", "--limit", "0")).stdout, "");
  });

  test("has the date and what ran, and takes --since, --deny, --tool and --agent", async (t) => {
    const place = await trustedPlace(t, config);
    const read = JSON.stringify({ tool_name: "Read", tool_input: { file_path: "/etc/hosts" } });
    for (const data of [list, push, read]) await place.swarm("emit", "tool.before", "--data", data);
    await place.swarm("emit", "tool.before", "--data", read, "--source", "codex");
    const shown = async (...args: string[]) =>
      (await place.swarm("logs", ...args)).stdout
        .split("\n")
        .flatMap((line) => /tool\.before (\S+: .+?) (?:none|deny)/.exec(line)?.[1] ?? []);
    assert.deepEqual(await shown(), [
      "Bash: ls",
      "Bash: git push --force",
      "Read: /etc/hosts",
      "Read: /etc/hosts",
    ]);
    assert.deepEqual(await shown("--deny"), ["Bash: git push --force"]);
    assert.deepEqual(await shown("--tool", "Bash"), ["Bash: ls", "Bash: git push --force"]);
    assert.deepEqual(await shown("--agent", "codex"), ["Read: /etc/hosts"]);
    assert.deepEqual(await shown("--tool", "Bash", "--limit", "1"), ["Bash: git push --force"]);
    assert.equal((await shown("--since", "1h")).length, 4);
    assert.deepEqual(await shown("--since", "2999-01-01"), []);
    assert.match((await place.swarm("logs")).stdout, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /m);
    const { status, stderr } = await place.swarm("logs", "--since", "soon");
    assert.deepEqual([status, /--since is "soon"/.test(stderr)], [64, true]);
  });

  for (const isServed of [false, true]) {
    test(`-f goes on with rows that come later, ${isServed ? "with" : "without"} a daemon`, async (t) => {
      const place = await trustedPlace(t, config);
      if (isServed) await place.up();
      const before = await place.json<Emitted>("emit", "tool.before", "--data", list);
      const follower = place.start(process.execPath, [
        join(import.meta.dirname, "../../bin/swarm"),
        "logs",
        "-f",
        "--json",
      ]);
      let printed = "";
      follower.stdout?.on("data", (chunk) => {
        printed += chunk;
      });
      await until(() => printed.includes(before.id));
      const later = await place.json<Emitted>("emit", "tool.before", "--data", push);
      await until(() => printed.includes(later.id));
      const rows = printed
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { seq: number });
      assert.deepEqual(
        rows.map(({ seq }) => seq),
        rows.map((_, at) => at + 1),
        "each once, in order",
      );
    });
  }
});

suite("every command", () => {
  const words = (example: string) =>
    [...(example.split(/ [|<>&]/)[0] ?? "").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, plain]) => single ?? double ?? plain ?? "",
    );

  for (const [name, command] of Object.entries(commands)) {
    test(`${name} has help with examples, which it takes itself`, async () => {
      const help = await parseCommand(name, command, ["--help"]);
      assert.match(String(help), new RegExp(`\\n\\nUsage: swarm ${name}( \\[\\S+\\])* \\[options\\]\\n`));
      assert.match(String(help), /\n {2}--json .*\n.*--help .*\n(\n(\S.*\n)+)*\nExamples:\n( {2}\S.*\n)+$/);
      // Two spaces end the placeholder: without them the text is taken for part of it.
      for (const text of Object.values(command.options ?? {})) assert.match(text, /^\S+ {2}\S/);
      const own = command.examples.map(words).filter(([program]) => program === "swarm");
      assert.ok(own.length > 0 || name === "completion", "an example that runs it");
      for (const [, ...args] of own) {
        const read = { ...command, run: () => "understood" };
        assert.equal(await parseCommand(name, read, args.slice(name.split(" ").length)), "understood");
      }
    });

    test(`${name} takes --json`, async () => {
      const read = { ...command, run: ({ isJson }: { isJson: boolean }) => String(isJson) };
      assert.equal(await parseCommand(name, read, ["--json"]), "true");
    });
  }

  test("prints JSON with --json, and nothing else", async (t) => {
    const place = await trustedPlace(t, config);
    const { id } = await place.json<Emitted>("emit", "tool.before", "--data", push);
    const job = ["--name", "j", "--schedule", "1h", "--task", "retention"];
    await place.json("cron", "create", ...job);
    const runs: Readonly<Record<string, readonly string[]>> = {
      status: [],
      doctor: [],
      events: [],
      emit: ["tool.before", "--data", list],
      trust: [],
      "hooks list": [],
      "hooks show": ["watch"],
      "hooks test": ["tool.before"],
      "hooks enable": ["watch"],
      "hooks disable": ["watch"],
      "hooks runs": ["watch"],
      "hooks explain": [id],
      "cron list": [],
      "cron show": ["j"],
      "cron runs": ["j"],
      "cron run": ["j", "--wait"],
      "cron preview": ["@daily"],
      "cron export": [],
      "drift list": [],
      "baselines list": [],
      "audit log": [],
      "audit verify": [],
      "audit export": ["--output", "audit.jsonl"],
      "audit head": [],
      completion: ["bash"],
    };
    await Promise.all(Object.entries(runs).map(([name, args]) => place.json(...name.split(" "), ...args)));
    const lines = (await place.swarm("logs", "--json")).stdout.trimEnd().split("\n");
    for (const line of lines) assert.ok(JSON.parse(line));
  });
});

suite("completion", () => {
  const scriptFor = (shell: string) =>
    String(commands.completion?.run({ positionals: [shell], options: {}, flags: new Set(), isJson: false }));
  const isInstalled = (shell: string) =>
    (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, shell)));

  for (const [shell, check] of [
    ["bash", ["bash", "-n"]],
    ["zsh", ["zsh", "-n"]],
    ["fish", ["fish", "--no-execute"]],
  ] as const) {
    test(`for ${shell} is a script it understands`, {
      skip: isInstalled(shell) ? false : `${shell} is not installed`,
    }, (t) => {
      const place = new Place(t);
      place.write("script", scriptFor(shell));
      const { status, stderr } = spawnSync(check[0], [...check.slice(1), join(place.project, "script")], {
        encoding: "utf8",
      });
      assert.deepEqual([status, stderr], [0, ""]);
    });
  }

  test("in bash proposes commands, the words after them, and their options", (t) => {
    const place = new Place(t);
    place.write("script", scriptFor("bash"));
    const proposed = (...line: string[]) => {
      const quoted = line.map((word) => `'${word}'`).join(" ");
      const program = `source ./script; COMP_WORDS=(swarm ${quoted}); COMP_CWORD=${line.length}; _swarm; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync("bash", ["-c", program], { cwd: place.project, encoding: "utf8" });
      assert.equal(stderr, "");
      return stdout.trim().split("\n");
    };
    const names = Object.keys(commands).map((name) => name.split(" "));
    assert.deepEqual(
      new Set(proposed("")),
      new Set([...names.map(([first]) => first), "--help", "--version"]),
    );
    assert.deepEqual(proposed("comp"), ["completion"]);
    assert.deepEqual(
      proposed("hooks", ""),
      names.filter(([first]) => first === "hooks").map(([, second]) => second),
    );
    assert.deepEqual(proposed("audit", "exp"), ["export"]);
    assert.deepEqual(proposed("audit", "export", ""), ["--output", "--json", "--help"]);
    assert.deepEqual(proposed("emit", "--f"), ["--fail-on-deny"]);
    assert.deepEqual(proposed("emit", "tool.before", "--se"), ["--session"]);
    assert.deepEqual(proposed("nonsense", "--"), [""]);
  });

  test("has every option of every command, in bash and in fish", () => {
    const [bash, fish] = [scriptFor("bash"), scriptFor("fish")];
    for (const [name, { options = {}, flags = {} }] of Object.entries(commands)) {
      const line = bash.split("\n").find((text) => text.includes(`"${name}")`)) ?? assert.fail(name);
      for (const option of [...Object.keys(options), ...Object.keys(flags), "json", "help"]) {
        assert.match(line, new RegExp(`[" ]--${option}[" ]`), `${name} --${option}`);
        assert.match(fish, new RegExp(` -l ${option}$`, "m"));
      }
    }
  });
});

test("docs/cli.md names every command", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8");
  const missing = Object.keys(commands).filter((name) => !page.includes(`swarm ${name}`));
  assert.deepEqual(missing, []);
});
