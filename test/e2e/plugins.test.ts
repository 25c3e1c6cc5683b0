import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { bin, endOf, Place, until } from "./harness.ts";

const example = join(import.meta.dirname, "../../examples/plugins/acme-bfsi");
const mask = "XXXX-XXXX-XXXX-XXXX";
const read = { tool_name: "Read", tool_output: { content: "card 4111 1111 1111 1111", lines: 1 } };
const masked = { content: `card ${mask}`, lines: 1 };

interface Outcome {
  readonly id: string;
  readonly data: { readonly tool_output: unknown };
  readonly decision: { readonly verdict: string; readonly reason: string | null };
  readonly handlers: readonly { readonly name: string; readonly kind: string; readonly status: string }[];
}

function place(t: TestContext): Place {
  const made = new Place(t);
  mkdirSync(made.home, { mode: 0o700 });
  return made;
}

const emitRead = (at: Place) => at.json<Outcome>("emit", "tool.after", "--data", JSON.stringify(read));

for (const how of ["without a daemon", "through the daemon"]) {
  suite(`the example plugin, ${how}`, () => {
    test("masks card numbers from the next event on, and everything about it can be seen", async (t) => {
      const at = place(t);
      if (how === "through the daemon") await at.up();
      assert.deepEqual((await emitRead(at)).data.tool_output, read.tool_output);

      const added = await at.json("plugins", "add", example, "--yes");
      assert.deepEqual(
        [added.name, added.version, added.enabled, added.hooks],
        ["acme-bfsi", "1.0.0", true, 1],
      );
      const { data, id, handlers } = await emitRead(at);
      assert.deepEqual(data.tool_output, masked);
      assert.deepEqual(
        handlers.map(({ name, kind, status }) => [name, kind, status]),
        [["acme-bfsi/mask-cards", "function", "completed"]],
      );

      const { plugins } = await at.json<{ plugins: { name: string; problem: null }[] }>("plugins", "list");
      assert.deepEqual(
        plugins.map(({ name, problem }) => [name, problem]),
        [["acme-bfsi", null]],
      );
      const { hooks } = await at.json<{ hooks: Record<string, unknown>[] }>("hooks", "list");
      assert.deepEqual(
        hooks.map(({ name, plugin, trust, kind, priority }) => [name, plugin, trust, kind, priority]),
        [["acme-bfsi/mask-cards", "acme-bfsi", "own", "function", 10]],
      );
      assert.match(
        String(hooks[0]?.source),
        new RegExp(`^${at.home}/plugins/acme-bfsi/[0-9a-f]{64}/hooks.mjs:1:1$`),
      );
      const shown = await at.json("hooks", "show", "acme-bfsi/mask-cards");
      assert.deepEqual([shown.plugin, shown.last_result], ["acme-bfsi", "completed"]);
      const explained = await at.swarm("hooks", "explain", id);
      assert.match(explained.stdout, /acme-bfsi\/mask-cards/);
      assert.match(explained.stdout, new RegExp(`rewritten: .*${mask}`));
      const payload = JSON.stringify(read);
      at.write("payload.json", payload);
      const tried = await at.json<Outcome>(
        "hooks",
        "test",
        "tool.after",
        "--tool",
        "Read",
        "--file",
        "payload.json",
      );
      assert.deepEqual(tried.data.tool_output, masked);

      await at.json("hooks", "disable", "acme-bfsi/mask-cards");
      assert.deepEqual((await emitRead(at)).data.tool_output, read.tool_output);
      await at.json("hooks", "enable", "acme-bfsi/mask-cards");
      await at.json("plugins", "disable", "acme-bfsi");
      assert.deepEqual((await emitRead(at)).data.tool_output, read.tool_output);
      await at.json("plugins", "enable", "acme-bfsi");
      assert.deepEqual((await emitRead(at)).data.tool_output, masked);
      await at.json("plugins", "remove", "acme-bfsi", "--yes");
      assert.deepEqual((await emitRead(at)).data.tool_output, read.tool_output);

      const { stdout } = await at.swarm("audit", "log", "--kind", "change");
      for (const change of ["plugin.added", "plugin.disabled", "plugin.enabled", "plugin.removed"])
        assert.match(
          stdout,
          new RegExp(`${change.replace(".", "\\.")} .*acme-bfsi 1\\.0\\.0, digest [0-9a-f]{64}`),
        );
      assert.equal((await at.json("audit", "verify")).is_intact, true);
    });
  });
}

test("swarm hook without a daemon has the plugin's hooks too", async (t) => {
  const at = place(t);
  await at.json("plugins", "add", example, "--yes");
  const call = at.start(process.execPath, [bin, "hook", "claude-code"], {
    CLAUDECODE: "1",
  });
  const ended = endOf(call);
  const payload = {
    session_id: "s1",
    transcript_path: "",
    cwd: at.project,
    hook_event_name: "PostToolUse",
    tool_name: "mcp__bank__read",
    tool_input: {},
    tool_response: { content: "card 4111111111111111" },
    tool_use_id: "t1",
  };
  call.stdin?.end(JSON.stringify(payload));
  const { status, stderr } = await ended;
  assert.deepEqual([status, stderr], [0, ""]);
  const { items } = await at.json<{ items: { id: string; event: string; handlers: Outcome["handlers"] }[] }>(
    "audit",
    "log",
    "--event",
    "tool.after",
  );
  assert.deepEqual(
    items.map(({ handlers }) => handlers.map(({ name, status: how }) => [name, how])),
    [[["acme-bfsi/mask-cards", "completed"]]],
  );
});

suite("swarm plugins add", () => {
  const isThere = ["/usr/bin/script", "/bin/script"].some((file) => existsSync(file));
  const skip =
    isThere && process.platform === "linux" ? false : "needs script, of util-linux, for a terminal";

  test("asks on a terminal, and takes only a yes for one", { skip }, async (t) => {
    const at = place(t);
    for (const [answer, said, count] of [
      ["", /nothing was added/, 0],
      ["n", /nothing was added/, 0],
      ["y", /acme-bfsi: added, 1 hooks/, 1],
    ] as const) {
      const line = `exec '${process.execPath}' '${bin}' plugins add '${example}'`;
      const terminal = at.start("script", ["-qfec", line, "/dev/null"], { SHELL: "/bin/sh" });
      let printed = "";
      terminal.stdout?.on("data", (chunk) => {
        printed += chunk;
      });
      const ended = endOf(terminal);
      await until(() => printed.includes("Add it? [y/N]"));
      terminal.stdin?.write(`${answer}\n`);
      await ended;
      assert.match(
        printed,
        /functions: hooks\.mjs would be loaded into swarm itself\. It can do whatever you can/,
      );
      assert.match(printed, said);
      const { plugins } = await at.json<{ plugins: unknown[] }>("plugins", "list");
      assert.equal(plugins.length, count);
    }
  });

  test("shows what the plugin would run, and does nothing where nobody can be asked", async (t) => {
    const at = place(t);
    const folder = join(at.project, "p");
    mkdirSync(join(folder, "hooks"), { recursive: true });
    const own = `\${CLAUDE_PLUGIN_ROOT}`;
    writeFileSync(
      join(folder, "swarm-plugin.json"),
      JSON.stringify({
        name: "p",
        version: "0.1.0",
        description: "line\nbreak \u001b[31mred",
        hooks: [
          { event: "tool.before", type: "blocking_script", args: [`${own}/hooks/a.sh`, "x"], match: "Bash" },
          { event: "Stop", type: "http", url: "https://a.example/x" },
        ],
        allowed_shell_commands: [`${own}/hooks/a.sh x`],
      }),
    );
    writeFileSync(join(folder, "hooks/a.sh"), "#!/bin/sh\n", { mode: 0o755 });
    const { status, stdout, stderr } = await at.swarm("plugins", "add", "./p");
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(
      stderr,
      /^p 0\.1\.0\n {2}line break {2}\[31mred\n {2}from .*\/p\n {2}2 files, \d+ bytes, digest [0-9a-f]{64}\n/,
    );
    assert.match(
      stderr,
      /p\/tool\.before#1: guard on tool\.before of Bash, 5 s, on failure deny\n {4}runs \$\{p\}\/hooks\/a\.sh x\n/,
    );
    assert.match(stderr, /WOULD NOT RUN: programs of plugins are off.*\n {4}and would DENY every time/);
    assert.match(stderr, /p\/turn\.end#1: .*\n {4}sends events to https:\/\/a\.example\/x\n/);
    assert.match(stderr, /plugin_shell_allowlist:\n {4}- '\$\{p\}\/hooks\/a\.sh x'\n/);
    assert.match(stderr, /there is nobody to ask: add --yes .*\[SWARM_USAGE\]\n$/);
    assert.deepEqual(await at.json("plugins", "list"), { plugins: [] });
  });

  test("takes a package's name, and the line it suggests lets the program run", async (t) => {
    const at = place(t);
    const folder = join(at.project, "node_modules/@acme/swarm-plugin");
    mkdirSync(folder, { recursive: true });
    const own = `\${CLAUDE_PLUGIN_ROOT}`;
    const manifest = {
      name: "p",
      version: "0.1.0",
      hooks: [{ event: "notification", type: "command", command: `"${own}/say.sh"` }],
      allowed_shell_commands: [`${own}/say.sh`],
    };
    writeFileSync(join(folder, "swarm-plugin.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "say.sh"), "#!/bin/sh\necho hello\n", { mode: 0o755 });
    const { stderr } = await at.swarm("plugins", "add", "@acme/swarm-plugin", "--yes");
    const [, suggestion = ""] = /once you have read them, .*\n([\s\S]*)$/.exec(stderr) ?? [];
    writeFileSync(join(at.home, "config.yaml"), suggestion.replaceAll(/^ {2}/gm, ""));
    const note = ["emit", "notification", "--data", '{"message": "hi", "level": "info"}'];
    const said = await at.json<{ decision: { context: string[] } }>(...note);
    assert.deepEqual(said.decision.context, ["hello"]);
    writeFileSync(join(at.home, "config.yaml"), "");
    await at.json(...note);
    const { items } = await at.json<{ items: { ending: string; exit_code: number | null }[] }>(
      "plugins",
      "runs",
      "p",
    );
    assert.deepEqual(
      items.map(({ ending, exit_code }) => [ending, exit_code]),
      [
        ["refused", null],
        ["exited", 0],
      ],
    );
    const { stdout } = await at.swarm("plugins", "runs");
    assert.match(
      stdout,
      /refused +0\.0 ms +"\$\{CLAUDE_PLUGIN_ROOT\}\/say\.sh" \(programs of plugins are off/,
    );
    const doctor = await at.swarm("doctor");
    assert.match(doctor.stdout, /broken +p\/notification#1: programs of plugins are off/);
  });

  test("again shows what has changed", async (t) => {
    const at = place(t);
    const folder = join(at.project, "copy");
    cpSync(example, folder, { recursive: true });
    await at.json("plugins", "add", "./copy", "--yes");
    const file = join(folder, "mask-cards.mjs");
    writeFileSync(file, readFileSync(file, "utf8").replace(mask, "CARD"));
    assert.deepEqual((await emitRead(at)).data.tool_output, masked); // not approved
    const { stderr } = await at.swarm("plugins", "add", "./copy", "--yes");
    assert.match(
      stderr,
      /changes since 1\.0\.0, which is installed \(digest [0-9a-f]{64}\):\n {2}changed mask-cards\.mjs\n/,
    );
    assert.match(
      stderr,
      /\n {4}- export const mask = "XXXX-XXXX-XXXX-XXXX";\n {4}\+ export const mask = "CARD";\n/,
    );
    assert.deepEqual((await emitRead(at)).data.tool_output, { content: "card CARD", lines: 1 });
  });

  test("of what is none says what is missing", async (t) => {
    const at = place(t);
    for (const [written, problem] of [
      ["./gone", /neither a folder nor a package .*\[SWARM_PLUGIN_NOT_FOUND\]/],
      [".", /it has neither swarm-plugin\.json nor .*\[SWARM_PLUGIN_INVALID\]/],
    ] as const) {
      const { status, stderr } = await at.swarm("plugins", "add", written, "--yes");
      assert.notEqual(status, 0);
      assert.match(stderr, problem);
    }
    for (const verb of ["remove", "enable", "disable"]) {
      const { status, stderr } = await at.swarm(
        "plugins",
        verb,
        "nobody",
        ...(verb === "remove" ? ["--yes"] : []),
      );
      assert.deepEqual(
        [status, stderr],
        [64, 'swarm: no plugin "nobody" is installed [SWARM_PLUGIN_UNKNOWN]\n'],
      );
    }
  });
});

test("luhn: true in the user's file narrows what the example masks", async (t) => {
  const at = place(t);
  await at.json("plugins", "add", example, "--yes");
  writeFileSync(join(at.home, "config.yaml"), "plugin_options: { acme-bfsi: { luhn: true } }\n");
  const output = { content: "4111111111111111 4111111111111112" };
  const data = JSON.stringify({ tool_name: "Read", tool_output: output });
  const outcome = await at.json<Outcome>("emit", "tool.after", "--data", data);
  assert.deepEqual(outcome.data.tool_output, { content: `${mask} 4111111111111112` });
});
