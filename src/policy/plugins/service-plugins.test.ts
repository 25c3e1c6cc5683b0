import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite, test } from "node:test";
import { manifest, write } from "./harness.cases.ts";
import { handlerOf, note, place } from "./service-plugins.cases.ts";

const own = `\${CLAUDE_PLUGIN_ROOT}`;

/** A plugin whose only function says this. */
const saying = (context: string, more = "") => ({
  "swarm-plugin.json": manifest({ function_hooks: "hooks.mjs" }),
  "hooks.mjs": `export const hooks = ({ on }, options) => {
    on("notification", { name: "say" ${more} }, () => ({ context: ${JSON.stringify(context)} + (options.tail ?? "") }));
  };`,
});

const guarding = (
  code = 'on("tool.before", { name: "guard", mode: "guard", onFailure: "deny" }, () => {});',
) => ({
  "swarm-plugin.json": manifest({ function_hooks: "hooks.mjs" }),
  "hooks.mjs": `export const hooks = ({ on }, options) => { if (options.bad) throw new Error("bad"); ${code} };`,
});

const bash = { tool_name: "Bash", tool_input: {} };

suite("a plugin that is added", () => {
  test("holds from the next event on, here and in a process that was open already", async (t) => {
    const { add, emit, open } = await place(t);
    const other = await open();
    const said = async (by?: typeof other) => (await emit("notification", note, {}, by)).decision.context;
    assert.deepEqual([await said(), await said(other)], [[], []]);
    await add(saying("one"));
    assert.deepEqual([await said(), await said(other)], [["one"], ["one"]]);
    await add(saying("two"));
    assert.deepEqual([await said(other), await said()], [["two"], ["two"]]);
    assert.deepEqual(await said(await open()), ["two"]);
  });

  test("applies in every project, and tells of the change as of one of the files", async (t) => {
    const { add, emit, root, runtime } = await place(t);
    const other = write(join(root, "other"), { "swarm.yaml": "hooks: []\n" });
    const said = async () => (await emit("notification", note, { cwd: other })).decision.context;
    assert.deepEqual(await said(), []);
    await add(saying("hi"));
    assert.deepEqual(await said(), ["hi"]);
    const changes = await runtime.store.listRunEvents({ limit: 9, event: "config.changed" });
    assert.equal(changes.length, 1);
  });

  test("is disabled, enabled and removed, each on the next event and each with its row", async (t) => {
    const { add, emit, runtime, home } = await place(t);
    const { digest } = await add(saying("hi"));
    const said = async () => (await emit("notification", note)).decision.context;
    assert.equal((await runtime.plugins.setEnabled("acme", false, "human:bob")).enabled, false);
    assert.deepEqual(await said(), []);
    assert.equal((await runtime.plugins.setEnabled("acme", true, "human:bob")).enabled, true);
    assert.deepEqual(await said(), ["hi"]);
    await runtime.plugins.remove("acme", "human:eve");
    assert.deepEqual(await said(), []);
    assert.deepEqual(await runtime.plugins.list(), []);
    assert.deepEqual(readdirSync(join(home, "plugins")), ["changed"]);
    const rows = await runtime.store.listRunEvents({ limit: 9, kind: "change" });
    assert.deepEqual(
      rows.reverse().map(({ event, actor, hook_digest }) => [event, actor, hook_digest]),
      [
        ["plugin.added", "human:ada", digest],
        ["plugin.disabled", "human:bob", digest],
        ["plugin.enabled", "human:bob", digest],
        ["plugin.removed", "human:eve", digest],
      ],
    );
  });

  test("runs no code while it is disabled, not even when it is loaded", async (t) => {
    const { add, runtime, open, root } = await place(t);
    const mark = join(root, "mark");
    const files = saying("hi");
    const code = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "x"); ${files["hooks.mjs"]}`;
    await add({ ...files, "hooks.mjs": code });
    assert.ok(existsSync(mark));
    await runtime.plugins.setEnabled("acme", false, "human:ada");
    rmSync(mark);
    // Modules are loaded once per process, so another address stands for another process.
    renameSync(join(root, "home"), join(root, "home2"));
    symlinkSync(join(root, "home2"), join(root, "home"));
    await open();
    assert.ok(!existsSync(mark));
  });

  test("gets its options from the user's file, and new ones on the next event", async (t) => {
    const { add, emit, config } = await place(t);
    await add(saying("hi"));
    config("plugin_options: { acme: { tail: '!' }, other: { tail: '?' } }\n");
    assert.deepEqual((await emit("notification", note)).decision.context, ["hi!"]);
  });

  test("is asked about again when its folder changes: until then the approved copy runs", async (t) => {
    const { add, emit, source, runtime } = await place(t);
    const said = async () => (await emit("notification", note)).decision.context;
    const { digest } = await add(saying("one"));
    for (let swap = 0; swap < 200; swap++) {
      writeFileSync(join(source, "hooks.mjs"), String(saying(`swap ${swap}`)["hooks.mjs"]));
      assert.deepEqual(await said(), ["one"]);
    }
    write(source, {
      "new.txt": "a\nb\n",
      "swarm-plugin.json": manifest({ version: "1.1.0", function_hooks: "hooks.mjs" }),
    });
    const plan = await runtime.plugins.plan(source);
    assert.deepEqual(plan.installed, { version: "1.0.0", digest });
    assert.deepEqual(
      plan.changes.map(({ path, change }) => [path, change]),
      [
        ["hooks.mjs", "changed"],
        ["new.txt", "added"],
        ["swarm-plugin.json", "changed"],
      ],
    );
    assert.deepEqual(plan.changes[1]?.lines, ["+ a", "+ b"]);
    assert.match(plan.changes[0]?.lines.join("\n") ?? "", /^-.*"one".*\n\+.*"swap 199"/m);
    await runtime.plugins.add(source, plan.digest, "human:ada");
    assert.deepEqual(await said(), ["swap 199"]);
  });

  test("is exactly what was shown: one more change and it is not added", async (t) => {
    const { source, runtime, home } = await place(t);
    write(source, saying("one"));
    const { digest } = await runtime.plugins.plan(source);
    write(source, { "hooks.mjs": "export const hooks = () => {};" });
    await assert.rejects(runtime.plugins.add(source, digest, "human:ada"), { code: "SWARM_PLUGIN_CHANGED" });
    assert.deepEqual(await runtime.plugins.list(), []);
    assert.ok(!existsSync(join(home, "plugins")));
  });

  test("has the hooks that were shown, and no others", async (t) => {
    const { source, runtime, add } = await place(t);
    const files = {
      "swarm-plugin.json": manifest({
        hooks: {
          PreToolUse: [{ matcher: "Bash|Write", hooks: [{ type: "command", command: `${own}/a.sh x` }] }],
          Stop: [
            { type: "script", command: "git status" },
            { type: "webhook", url: "https://a.example/x" },
          ],
        },
        allowed_shell_commands: ["git status"],
      }),
      "a.sh": "#!/bin/sh\n",
    };
    write(source, files);
    const shown = (await runtime.plugins.plan(source)).hooks;
    await add(files);
    const inForce = runtime.projects.at().config.hooks;
    assert.deepEqual(
      shown.map(({ name, event, match, mode, kind, timeout_s }) => [
        name,
        event,
        match,
        mode,
        kind,
        timeout_s,
      ]),
      inForce.map(({ name, event, match, mode, action, timeoutMs }) => [
        name,
        event,
        match,
        mode,
        action.kind,
        timeoutMs / 1_000,
      ]),
    );
    assert.deepEqual(
      shown.map(({ does }) => does),
      [`runs \${acme}/a.sh x`, "runs git status", "sends events to https://a.example/x"],
    );
  });
});

test("a plan tells which programs would run under the settings of now, before there is a copy", async (t) => {
  const settings = `plugin_shell_hooks_enabled: true\nplugin_shell_allowlist: ['\${acme}/a.sh', '\${acme}/plain.txt']\n`;
  const { source, runtime } = await place(t, settings);
  const hook = (file: string) => ({ event: "Stop", type: "script", args: [`${own}/${file}`], name: file });
  write(source, {
    "swarm-plugin.json": manifest({
      hooks: ["a.sh", "plain.txt", "gone.sh"].map(hook),
      allowed_shell_commands: [`${own}/a.sh`, `${own}/plain.txt`],
    }),
    "a.sh": "#!/bin/sh\n",
    "plain.txt": "",
  });
  assert.deepEqual(
    (await runtime.plugins.plan(source)).hooks.map(({ refused_why }) => refused_why),
    [
      null,
      '"plain.txt" cannot be executed',
      `allowed_shell_commands of the plugin does not have this very line: "\${acme}/gone.sh"`,
    ],
  );
});

suite("a plugin is not added, and leaves nothing behind, when", () => {
  test("its module cannot be loaded", async (t) => {
    const { add, runtime, home } = await place(t);
    const files = { ...saying("x"), "hooks.mjs": "export const hooks = (" };
    await assert.rejects(add(files), {
      code: "SWARM_PLUGIN_INVALID",
      message: /cannot be loaded: SyntaxError/,
    });
    assert.deepEqual(await runtime.plugins.list(), []);
    assert.deepEqual(readdirSync(join(home, "plugins")), []);
    assert.equal((await runtime.store.head()).seq, 0);
  });

  test("a hook of the user's has a name of its", async (t) => {
    const taken = "hooks: [{ event: Stop, type: script, command: x, name: acme/say }]\n";
    const { add, runtime } = await place(t, taken);
    await assert.rejects(add(saying("x")), {
      message: /name "acme\/say" is already used at .*config\.yaml:1:9/,
    });
    assert.deepEqual(await runtime.plugins.list(), []);
  });

  test("a newer version cannot be loaded: the one before stays in force", async (t) => {
    const { add, emit } = await place(t);
    await add(saying("one"));
    await assert.rejects(add({ ...saying("x"), "hooks.mjs": "throw 1" }), { code: "SWARM_PLUGIN_INVALID" });
    assert.deepEqual((await emit("notification", note)).decision.context, ["one"]);
  });

  test("nobody has heard of it", async (t) => {
    const { runtime, add } = await place(t);
    await add(saying("x"));
    const unknown = { code: "SWARM_PLUGIN_UNKNOWN", message: /did you mean "acme"\?/ };
    await assert.rejects(runtime.plugins.remove("acne", "human:ada"), unknown);
    await assert.rejects(runtime.plugins.setEnabled("acne", true, "human:ada"), unknown);
  });
});

suite("a plugin whose copy is not what was approved", () => {
  const damages: Readonly<Record<string, (root: string) => void>> = {
    "because a byte was changed": (root) => {
      chmodSync(join(root, "hooks.mjs"), 0o600);
      writeFileSync(join(root, "hooks.mjs"), "export const hooks = () => {};");
    },
    "because it is gone": (root) => rmSync(root, { recursive: true }),
    "because it is a link": (root) => {
      renameSync(root, `${root}-moved`);
      symlinkSync(`${root}-moved`, root);
    },
  };
  for (const [why, damage] of Object.entries(damages)) {
    test(`${why} denies what it guards, runs nothing, and says so`, async (t) => {
      const { add, open, emit, home, warnings } = await place(t);
      const { digest } = await add(guarding());
      damage(join(home, "plugins/acme", digest));
      const runtime = await open();
      const { decision } = await emit("tool.before", bash, {}, runtime);
      assert.deepEqual([decision.verdict, decision.hook], ["deny", "acme/broken tool.before"]);
      assert.match(decision.reason ?? "", /plugin acme cannot be used: .*add it again/);
      assert.deepEqual((await emit("notification", note, {}, runtime)).handlers, []);
      const [listed] = await runtime.plugins.list();
      assert.match(listed?.problem ?? "", /add it again$/);
      assert.match(runtime.projects.at().config.skipped[0]?.reason ?? "", /add it again$/);
      assert.ok(warnings.some((warning) => /plugin acme cannot be used/.test(warning)));
    });
  }

  test("without guards is passed over, and says so", async (t) => {
    const { add, open, emit, home } = await place(t);
    const { digest } = await add(saying("hi"));
    rmSync(join(home, "plugins/acme", digest, "hooks.mjs"));
    const runtime = await open();
    assert.deepEqual((await emit("notification", note, {}, runtime)).handlers, []);
    assert.match((await runtime.plugins.list())[0]?.problem ?? "", /not the ones that were approved/);
  });

  test("is mended by being added again, and let go by being removed", async (t) => {
    const { add, open, emit, home } = await place(t);
    const { digest } = await add(guarding());
    rmSync(join(home, "plugins/acme", digest), { recursive: true });
    const runtime = await open();
    const verdict = async () => (await emit("tool.before", bash, {}, runtime)).decision.verdict;
    assert.equal(await verdict(), "deny");
    await add(guarding(), runtime);
    assert.equal(await verdict(), "none");
    rmSync(join(home, "plugins/acme", digest), { recursive: true });
    await runtime.plugins.remove("acme", "human:ada");
    assert.equal(await verdict(), "none");
  });

  const later: Readonly<Record<string, (file: string) => void>> = {
    "was changed": (file) => {
      chmodSync(file, 0o700);
      writeFileSync(file, "#!/bin/sh\necho evil\n");
    },
    "is a link, even to the same": (file) => {
      renameSync(file, `${file}.moved`);
      symlinkSync(`${file}.moved`, file);
    },
    "is below a link, even to the same": (file) => {
      renameSync(dirname(file), `${dirname(file)}-moved`);
      symlinkSync(`${dirname(file)}-moved`, dirname(file));
    },
    "is gone": (file) => rmSync(file),
  };
  for (const [what, damage] of Object.entries(later)) {
    test(`while it is loaded is not run: its program ${what}`, async (t) => {
      const lines = `plugin_shell_hooks_enabled: true\nplugin_shell_allowlist: ['\${acme}/say.sh']\n`;
      const { add, emit, home, runs } = await place(t, lines);
      const { digest } = await add({
        "swarm-plugin.json": manifest({
          hooks: [{ event: "notification", type: "command", args: [`${own}/say.sh`], name: "say" }],
          allowed_shell_commands: [`${own}/say.sh`],
        }),
        "say.sh": "#!/bin/sh\necho good\n",
      });
      assert.deepEqual((await emit("notification", note)).decision.context, ["good"]);
      damage(join(home, "plugins/acme", digest, "say.sh"));
      const outcome = await emit("notification", note);
      assert.deepEqual([handlerOf(outcome, "acme/say").status, outcome.decision.context], ["failed", []]);
      const why = (await runs()).at(-1)?.denied_why ?? "";
      assert.match(why, /"say.sh" (is not the file that was approved|cannot be run)/);
    });
  }
});

suite("a plugin whose options make no sense", () => {
  test("denies what it guards until they do", async (t) => {
    const { add, emit, config, runtime } = await place(t);
    await add(guarding());
    const verdict = async () => (await emit("tool.before", bash)).decision.verdict;
    config("plugin_options: { acme: { bad: true } }\n");
    assert.equal(await verdict(), "deny");
    assert.match((await runtime.plugins.list())[0]?.problem ?? "", /hooks.mjs threw: Error: bad$/);
    config("");
    assert.equal(await verdict(), "none");
  });
});
