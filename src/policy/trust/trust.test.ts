import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { call, hook, project } from "./project.cases.ts";

const script = (said: string): string => `#!/bin/sh\necho ${said}\n`;
const guard = (what: string): string => hook(what, "mode: guard, on_failure: deny");

suite("hooks of a project nobody has approved", () => {
  test("are not run, and each event's record says so", async (t) => {
    const { runtime, emit, cwd } = await project(t, { "swarm.yaml": hook("command: touch ran") });
    const { decision, handlers, id } = await emit();
    assert.equal(decision.verdict, "none");
    assert.deepEqual(
      handlers.map(({ name, status, reason }) => [name, status, reason]),
      [["it", "skipped", "untrusted: look at it and approve it with swarm trust"]],
    );
    const row = await runtime.store.findRunEvent(id);
    assert.equal(row?.handlers[0]?.reason, handlers[0]?.reason);
    assert.ok(!existsSync(join(cwd, "ran")));
  });

  test("are not run as observers either, and that is recorded too", async (t) => {
    const config = hook("command: touch ran").replace("type: command", "type: script");
    const { runtime, emit, cwd } = await project(t, { "swarm.yaml": config });
    const { handlers } = await emit();
    await runtime.projects.at(cwd).close();
    assert.deepEqual(
      handlers.map(({ status, reason }) => [status, reason?.split(":")[0]]),
      [["skipped", "untrusted"]],
    );
    assert.ok(!existsSync(join(cwd, "ran")));
  });

  test("if they are guards, have every tool in the project denied, whatever the guard is for", async (t) => {
    const config = hook("command: exit 0", "match: Write, on_failure: deny").replace(
      "tool.before",
      "task.created",
    );
    const { emit, cwd } = await project(t, {
      "swarm.yaml": config.replace("match: Write, ", ""),
      "deep/x": "",
    });
    for (const from of [cwd, join(cwd, "deep")]) {
      const { decision, result } = await emit(call, from);
      assert.deepEqual(
        [decision.verdict, decision.hook, result?.status],
        ["deny", "swarm/trust", "skipped_by_hook"],
      );
      assert.equal(
        decision.reason,
        `guards of ${cwd}/swarm.yaml are not approved: it. Have a person run \`swarm trust\` in ${cwd} to look at them, or \`swarm trust --ignore\` to go on without them`,
      );
    }
  });

  test("deny nothing that is no tool call, and nothing outside of the project", async (t) => {
    const { runtime, emit, cwd, folder } = await project(t, { "swarm.yaml": guard("command: exit 2") });
    const { decision } = await runtime.events.emit({
      event: "notification",
      data: { message: "hi" },
      origin: { cwd },
    });
    assert.equal(decision.verdict, "none");
    assert.equal((await emit(call, folder)).decision.verdict, "none");
  });

  test("deny for as long as the guard is enabled, and no longer", async (t) => {
    const { runtime, emit, cwd } = await project(t, { "swarm.yaml": guard("command: exit 2") });
    const { id, name } = runtime.projects.at(cwd).config.hooks[0] ?? assert.fail();
    await runtime.switches.set(id, false, name, "human:ada");
    assert.equal((await emit()).decision.verdict, "none");
    await runtime.switches.set(id, true, name, "human:ada");
    assert.equal((await emit()).decision.hook, "swarm/trust");
  });

  test("deny although one of them has the name of that denial", async (t) => {
    const config = guard("command: exit 2").replace("name: it", "name: swarm/trust");
    const { emit } = await project(t, { "swarm.yaml": config });
    assert.deepEqual(
      [(await emit()).decision.verdict, (await emit()).decision.hook],
      ["deny", "swarm/trust'"],
    );
  });

  test("are no concern of the user's own, which run as ever", async (t) => {
    const { emit, home } = await project(t, { "swarm.yaml": hook("command: touch ran") });
    writeFileSync(join(home, "config.yaml"), hook("command: echo mine").replace("name: it", "name: mine"));
    assert.deepEqual((await emit()).decision.context, ["mine"]);
  });
});

suite("an approval", () => {
  test("lets the hooks run, at once and in the next process", async (t) => {
    const { emit, approve, open, cwd } = await project(t, { "swarm.yaml": guard("command: echo ran") });
    assert.equal((await emit()).decision.verdict, "deny");
    assert.equal((await approve()).state, "trusted");
    assert.deepEqual((await emit()).decision.context, ["ran"]);
    const other = await open();
    assert.deepEqual(
      (await other.events.emit({ event: "tool.before", data: call, origin: { cwd } })).decision.context,
      ["ran"],
    );
    await other.close();
  });

  test("is by the file it is in: the same hooks elsewhere are asked about", async (t) => {
    const { emit, approve, folder } = await project(t, { "swarm.yaml": guard("command: echo ran") });
    await approve();
    const other = join(folder, "copy");
    mkdirSync(other);
    writeFileSync(join(other, "swarm.yaml"), guard("command: echo ran"));
    assert.equal((await emit(call, other)).decision.hook, "swarm/trust");
  });

  test("is of one version of a hook: an edit is asked about, the others of the file still run, the old one is trusted again", async (t) => {
    const two = (said: string) =>
      `${hook(`command: echo ${said}`)}  - { event: tool.before, type: command, name: other, command: echo other }\n`;
    const { emit, approve, show, write } = await project(t, { "swarm.yaml": two("first") });
    await approve();
    write("swarm.yaml", two("second"));
    const { decision, handlers } = await emit();
    assert.deepEqual(decision.context, ["other"]);
    assert.equal(handlers[0]?.reason, "changed since it was approved: look at it with swarm trust");
    const shown = await show();
    assert.deepEqual(
      shown.hooks.map(({ name, state, changes }) => [
        name,
        state,
        changes.filter((line) => !line.startsWith("  ")),
      ]),
      [
        ["it", "changed", ["-   echo first", "+   echo second"]],
        ["other", "trusted", []],
      ],
    );
    write("swarm.yaml", two("first"));
    assert.deepEqual((await emit()).decision.context, ["first", "other"]);
  });

  test("ends when a file of the hook changes, on the next event, with what changed to be seen", async (t) => {
    const { emit, approve, show, write, runtime } = await project(t, {
      "swarm.yaml": guard("args: [./a.sh]"),
      "a.sh": script("first"),
    });
    await approve();
    assert.deepEqual((await emit()).decision.context, ["first"]);
    write("a.sh", script("second"));
    const { decision } = await emit();
    assert.match(decision.reason ?? "", /^guards of .* have changed since they were approved: it\. /);
    const [file] = (await show()).hooks[0]?.files ?? [];
    assert.deepEqual(file?.changes, ["  #!/bin/sh", "- echo first", "+ echo second"]);
    const [row] = await runtime.store.listRunEvents({ limit: 1, event: "config.changed" });
    assert.ok(row, "and is recorded");
    await approve();
    assert.deepEqual((await emit()).decision.context, ["second"]);
  });

  test("notices a file that was not there, and one that may not be executed any more", async (t) => {
    const { approve, emit, show, write, cwd } = await project(t, { "swarm.yaml": hook("args: [./gone.sh]") });
    await approve();
    assert.equal((await emit()).handlers[0]?.status, "failed");
    write("gone.sh", script("there"));
    assert.equal((await emit()).handlers[0]?.status, "skipped");
    assert.equal((await show()).state, "changed");
    await approve();
    assert.deepEqual((await emit()).decision.context, ["there"]);
    chmodSync(join(cwd, "gone.sh"), 0o644);
    assert.equal((await emit()).handlers[0]?.status, "skipped");
    assert.match((await show()).hooks[0]?.notes.at(-1) ?? "", /which of its files may be executed$/);
  });

  test("tells of approved hooks that are gone from the file", async (t) => {
    const { approve, show, write } = await project(t, { "swarm.yaml": hook("command: echo a") });
    await approve();
    write("swarm.yaml", hook("command: echo a").replace("name: it", "name: new"));
    const { removed, state } = await show();
    assert.deepEqual([removed, state], [[{ name: "it", is_guard: false }], "untrusted"]);
  });

  test("is worth nothing once its copy is gone or another", async (t) => {
    const { approve, show, runtime, home, open, cwd } = await project(t, {
      "swarm.yaml": guard("args: [./a.sh]"),
      "a.sh": script("first"),
    });
    const { hooks } = await approve();
    const kept = join(home, "trust", hooks[0]?.digest ?? "", "project/a.sh");
    assert.equal(statSync(kept).mode & 0o777, 0o500);
    assert.equal(statSync(join(home, "trust")).mode & 0o777, 0o700);
    rmSync(kept);
    writeFileSync(kept, script("forged"), { mode: 0o700 });
    const other = await open();
    const { decision } = await other.events.emit({ event: "tool.before", data: call, origin: { cwd } });
    await other.close();
    assert.match(decision.reason ?? "", /have changed since they were approved/);
    assert.deepEqual((await show()).hooks[0]?.notes, [
      "the copy that was approved is gone or damaged: approve it again",
    ]);
    await runtime.close();
    const third = await open();
    const found = third.projects.at(cwd);
    await third.trust.approve(found, third.trust.show(found).digest, "human:ada");
    assert.deepEqual(
      (await third.events.emit({ event: "tool.before", data: call, origin: { cwd } })).decision.context,
      ["first"],
    );
    await third.close();
  });

  test("of a swapped file runs what was approved: 0 of 200 swaps succeed", async (t) => {
    const { emit, approve, cwd } = await project(t, {
      "swarm.yaml": `${hook("args: [./run/a.sh]")}  - { event: tool.before, type: command, name: line, command: '. "$CLAUDE_PROJECT_DIR"/run/b.sh' }\n`,
      "run/a.sh": script("approved"),
      "run/b.sh": "echo approved\n",
      "evil/a.sh": `#!/bin/sh\necho swapped\ntouch swapped\n`,
      "evil/b.sh": "echo swapped\ntouch swapped\n",
    });
    await approve();
    const swapper = await startSwapper(cwd);
    t.after(() => swapper.kill("SIGKILL"));
    let [ran, swapped] = [0, 0];
    while (ran < 200) {
      const { decision } = await emit();
      // Where the swap is seen in time nothing runs; where it is not, the copy does.
      ran += decision.context.length;
      swapped += decision.context.filter((said) => said !== "approved").length;
    }
    assert.deepEqual([swapped, existsSync(join(cwd, "swapped"))], [0, false]);
    const swaps = Number(readFileSync(join(cwd, "swaps"), "utf8"));
    assert.ok(swaps > 200, `${swaps} swaps`);
  });
});

/** Another process that puts other files in the place of the approved ones and back, as fast as it can. */
async function startSwapper(cwd: string): Promise<ChildProcess> {
  const program = `
    const { renameSync, writeFileSync } = require("node:fs");
    // Long enough for a look at the one and a start of the other.
    const rest = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    for (let swaps = 0; ; swaps++) {
      renameSync("run", "good"); renameSync("evil", "run");
      rest(swaps % 3);
      renameSync("run", "evil"); renameSync("good", "run");
      if (swaps % 50 === 0) { writeFileSync("swaps.new", String(swaps * 2)); renameSync("swaps.new", "swaps"); }
      if (swaps === 0) console.log("swapping");
      rest(swaps % 4);
    }`;
  const child = spawn(process.execPath, ["-e", program], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

suite("what an approval covers", () => {
  const contexts = async (files: Record<string, string>, t: Parameters<typeof project>[0]) => {
    const made = await project(t, files);
    await made.approve();
    return { ...made, context: (await made.emit()).decision.context };
  };

  test("a line's own words, also where Claude Code's variable is before them", async (t) => {
    const line = `command: 'sh hooks/a.sh; "$CLAUDE_PROJECT_DIR"/hooks/b.sh && echo $(node hooks/c.mjs)'`;
    const { context, show } = await contexts(
      {
        "swarm.yaml": hook(line),
        "hooks/a.sh": "echo $0",
        "hooks/b.sh": "#!/bin/sh\necho $0",
        "hooks/c.mjs": "console.log(process.argv[1])",
      },
      t,
    );
    const lines = context[0]?.split("\n") ?? [];
    assert.deepEqual(
      lines.map((path) => path.replace(/^.*\/trust\/[0-9a-f]{64}\//, "")),
      ["project/hooks/a.sh", "project/hooks/b.sh", "project/hooks/c.mjs"],
    );
    assert.deepEqual((await show()).hooks[0]?.notes, []);
  });

  test("a file shaped like Claude Code's, the same", async (t) => {
    const hooks = [{ type: "command", command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh' }];
    const config = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks }] } });
    const answer = JSON.stringify({
      hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "kept" },
    });
    const { context, show } = await contexts(
      { "swarm.yaml": config, ".claude/hooks/a.sh": `#!/bin/sh\necho '${answer}'\n` },
      t,
    );
    assert.deepEqual(context, ["kept"]);
    assert.equal((await show()).hooks[0]?.files[0]?.path, ".claude/hooks/a.sh");
  });

  test("declared files, in the layout they have: a script finds them beside itself", async (t) => {
    const { context, show, write } = await contexts(
      {
        "swarm.yaml": hook("args: [./hooks/a.sh], files: ['lib/**', hooks/more.sh]"),
        "hooks/a.sh": '#!/bin/sh\n. "$(dirname "$0")/../lib/deep/b.sh"\n. "$(dirname "$0")/more.sh"\n',
        "hooks/more.sh": "echo more\n",
        "lib/deep/b.sh": "echo lib\n",
        "other/c.sh": "echo other\n",
      },
      t,
    );
    assert.deepEqual(context, ["lib\nmore"]);
    const { hooks, notes } = await show();
    assert.deepEqual(
      hooks[0]?.files.map(({ path }) => path),
      ["hooks/a.sh", "lib/deep/b.sh", "hooks/more.sh"],
    );
    assert.match(notes[0] ?? "", /imports.*is not covered: list it under files$/);
    write("lib/deep/b.sh", "echo changed\n");
    assert.equal((await show()).state, "changed");
  });

  test("the program's folder and the project it reads are the project's own", async (t) => {
    const { context, cwd } = await contexts(
      {
        "swarm.yaml": hook("args: [./a.sh]"),
        "a.sh": '#!/bin/sh\npwd; cat data.txt; echo "$CLAUDE_PROJECT_DIR"\n',
        "data.txt": "data\n",
      },
      t,
    );
    assert.deepEqual(context, [`${cwd}\ndata\n${cwd}`]);
  });

  test("paths that are no program's place are left alone, and are told of", async (t) => {
    const { context, show } = await contexts(
      {
        "swarm.yaml": hook(`command: 'echo a.sh ./a.sh --x=./a.sh; mytool ./a.sh || true'`),
        "a.sh": script("never"),
      },
      t,
    );
    assert.deepEqual(context, ["a.sh ./a.sh --x=./a.sh"]);
    assert.deepEqual((await show()).hooks[0]?.notes, [
      "its command names a.sh, which is not covered: list it under files if it is code",
    ]);
  });

  test("a path to a declared file is led to its copy wherever it stands", async (t) => {
    const { context, home } = await contexts(
      { "swarm.yaml": hook("args: [echo, ./a.sh, a.sh, --x=./a.sh], files: [a.sh]"), "a.sh": "" },
      t,
    );
    const [first = "", second, third] = context[0]?.split(" ") ?? [];
    assert.ok(first.startsWith(join(home, "trust")));
    assert.deepEqual([second, third], ["a.sh", `--x=${first}`]);
  });

  test("a line that cannot be taken apart is run as it is, and whoever approves it is told", async (t) => {
    const { context, show } = await contexts(
      { "swarm.yaml": hook("command: 'case x in x) sh ./a.sh;; esac'"), "a.sh": "echo ran\n" },
      t,
    );
    assert.deepEqual(context, ["ran"]);
    assert.match((await show()).hooks[0]?.notes[0] ?? "", /^its command is more than can be taken apart/);
  });

  test("the target of a link, which is shown when it is not in the project; a swap of the link runs nothing new", async (t) => {
    const made = await project(t, {
      "swarm.yaml": hook("args: [./inner.sh], files: [outer.sh]"),
      "real.sh": script("inner"),
    });
    const { cwd, folder, approve, emit, show } = made;
    writeFileSync(join(folder, "elsewhere.sh"), script("outer"));
    symlinkSync("real.sh", join(cwd, "inner.sh"));
    symlinkSync("../elsewhere.sh", join(cwd, "outer.sh"));
    const { hooks } = await approve();
    assert.deepEqual(
      hooks[0]?.files.map(({ path, leads_to }) => [path, leads_to]),
      [
        ["inner.sh", null],
        ["outer.sh", join(folder, "elsewhere.sh")],
      ],
    );
    assert.deepEqual((await emit()).decision.context, ["inner"]);
    rmSync(join(cwd, "inner.sh"));
    symlinkSync("../elsewhere.sh", join(cwd, "inner.sh"));
    assert.deepEqual((await emit()).decision.context, []);
    assert.equal((await show()).state, "changed");
    renameSync(join(cwd, "outer.sh"), join(cwd, "inner.sh"));
  });

  test("what lies outside the project is covered, and nothing of it is shown: it may be a key", async (t) => {
    const made = await project(t, {
      "swarm.yaml": hook("args: [sh, ../key], files: [run.sh, sub/up/key, data]"),
      "data/x": "",
    });
    const { cwd, folder, show, home } = made;
    writeFileSync(join(folder, "key"), "hunter2\n");
    writeFileSync(join(home, "key"), "hunter2\n");
    symlinkSync("../key", join(cwd, "run.sh"));
    mkdirSync(join(cwd, "sub"));
    symlinkSync(folder, join(cwd, "sub", "up"));
    symlinkSync(join(home, "key"), join(cwd, "data", "link"));
    const shown = await show();
    assert.doesNotMatch(JSON.stringify(shown), /hunter2/);
    const outside = shown.hooks[0]?.files.filter(({ leads_to }) => leads_to !== null) ?? [];
    assert.deepEqual(outside.map(({ path }) => path).toSorted(), [
      "../key",
      "data/link",
      "run.sh",
      "sub/up/key",
    ]);
    for (const { bytes, sha256, changes } of outside) {
      assert.equal(bytes, 8);
      assert.equal(sha256?.length, 64);
      assert.deepEqual(changes, [
        "+ 8 bytes from outside the project, which are not shown: look at the file itself",
      ]);
    }
  });

  test("a file of the repository around the project is shown", async (t) => {
    const { folder, cwd, show } = await project(t, { "swarm.yaml": hook("args: [../shared.sh]") });
    writeFileSync(join(folder, "shared.sh"), "echo shared\n");
    mkdirSync(join(folder, ".git"));
    assert.deepEqual((await show()).hooks[0]?.files[0]?.changes, ["+ echo shared"]);
    assert.ok(existsSync(cwd));
  });

  test("the servers a project brings for its tools: how they are started, and their files", async (t) => {
    const config = (env: string) => `hooks:
  - { event: tool.before, type: mcp_tool, name: it, tool: judge, on_failure: deny }
mcp_servers:
  judges: { command: [node, ./server.mjs, ./data.json], env: { MODE: ${env} }, files: [lib.mjs] }
`;
    const made = await project(t, {
      "swarm.yaml": config("a"),
      "server.mjs": "import './lib.mjs'\n",
      "lib.mjs": "",
    });
    const { approve, show, write, runtime, cwd, home } = made;
    const argv = () => {
      const [server] = runtime.projects.at(cwd).inForce.judgement.servers;
      return server?.transport.kind === "stdio" ? server.transport.argv : [];
    };
    assert.deepEqual(argv(), ["node", "./server.mjs", "./data.json"]);
    const { hooks } = await approve();
    const kept = join(home, "trust", hooks[0]?.digest ?? "", "project");
    assert.deepEqual(argv(), ["node", join(kept, "server.mjs"), "./data.json"]);
    assert.ok(existsSync(join(kept, "lib.mjs")));
    assert.deepEqual(
      hooks[0]?.files.map(({ path }) => path),
      ["server.mjs", "lib.mjs"],
    );
    write("server.mjs", "process.exit(1)\n");
    assert.equal((await show()).state, "changed");
    write("server.mjs", "import './lib.mjs'\n");
    write("swarm.yaml", config("b"));
    assert.deepEqual(
      (await show()).hooks[0]?.changes.filter((line) => /^[-+]/.test(line)),
      ['-   env MODE: "a"', '+   env MODE: "b"'],
    );
  });

  test("bounded: more files than can be kept are refused, and nothing is approved", async (t) => {
    const { show, write, cwd } = await project(t, {
      "swarm.yaml": hook("command: 'true', files: ['many/**']"),
    });
    for (let n = 0; n <= 1_000; n++) write(`many/${n}`, "");
    await assert.rejects(show(), { code: "SWARM_TRUST_TOO_MUCH" });
    rmSync(join(cwd, "many"), { recursive: true });
    assert.equal((await show()).state, "untrusted");
  });
});

suite("a decision", () => {
  test("to ignore leaves all of a project's hooks out, denies nothing, and holds for those to come", async (t) => {
    const { approve, ignore, emit, write, show } = await project(t, {
      "swarm.yaml": guard("command: echo ran"),
    });
    await approve();
    await ignore();
    write("swarm.yaml", guard("command: echo new"));
    const { decision, handlers } = await emit();
    assert.deepEqual([decision.verdict, decision.context], ["none", []]);
    assert.match(handlers[0]?.reason ?? "", /^ignored: /);
    assert.equal((await show()).state, "ignored");
    await approve();
    assert.deepEqual((await emit()).decision.context, ["new"]);
  });

  test("that is revoked has guards deny again", async (t) => {
    const { approve, revoke, emit, open, cwd } = await project(t, {
      "swarm.yaml": guard("command: echo ran"),
    });
    await approve();
    await revoke();
    assert.equal((await emit()).decision.hook, "swarm/trust");
    const other = await open();
    assert.equal(
      (await other.events.emit({ event: "tool.before", data: call, origin: { cwd } })).decision.hook,
      "swarm/trust",
    );
    await other.close();
  });

  test("to approve is not made when the files cannot be kept", async (t) => {
    const { approve, show, home, emit } = await project(t, {
      "swarm.yaml": guard("args: [./a.sh]"),
      "a.sh": script("ran"),
    });
    writeFileSync(join(home, "trust"), "");
    await assert.rejects(approve(), { code: "SWARM_TRUST_UNKEPT" });
    assert.deepEqual([(await show()).state, (await emit()).decision.hook], ["untrusted", "swarm/trust"]);
  });

  test("is not made when it cannot be recorded", async (t) => {
    const { runtime, approve, show } = await project(t, { "swarm.yaml": guard("command: echo ran") });
    await runtime.audit.close();
    await assert.rejects(approve(), { code: "SWARM_ENGINE_CLOSED" });
    assert.equal((await show()).state, "untrusted");
  });
});

test("a secret is neither shown nor kept, but another one in its place is noticed", async (t) => {
  const config = (secret: string) => `hooks:
  - { event: task.failed, type: webhook, name: it, url: "https://a.example", secret: ${secret}, headers: { X-A: ${secret} } }
`;
  const { approve, show, write, home, runtime } = await project(t, { "swarm.yaml": config("hunter2") });
  await approve();
  assert.doesNotMatch(JSON.stringify(await show()), /hunter2/);
  write("swarm.yaml", config("hunter3"));
  const { hooks } = await show();
  assert.equal(hooks[0]?.state, "changed");
  assert.match(hooks[0]?.changes.join("\n") ?? "", /^\+ secret: hidden \(fingerprint [0-9a-f]{16}\)$/m);
  await runtime.close();
  for (const file of ["swarm.db", "trust/key"])
    assert.doesNotMatch(readFileSync(join(home, file), "latin1"), /hunter[23]/);
  assert.equal(statSync(join(home, "trust/key")).mode & 0o077, 0);
});

suite("an approved guard that disappears", () => {
  const gone = /^the guard it is gone: approved in .*swarm\.yaml, and no longer there\. .*`swarm trust`/;
  const ways: Record<string, (cwd: string) => void> = {
    "is in a file that was removed": (cwd) => rmSync(join(cwd, "swarm.yaml")),
    "is in a file that was renamed": (cwd) => renameSync(join(cwd, "swarm.yaml"), join(cwd, "x.yaml")),
    "is in a file that was emptied": (cwd) => writeFileSync(join(cwd, "swarm.yaml"), ""),
    "is in a file without hooks": (cwd) => writeFileSync(join(cwd, "swarm.yaml"), "hooks: []\n"),
    "has made room for another hook": (cwd) =>
      writeFileSync(join(cwd, "swarm.yaml"), hook("command: exit 0").replace("name: it", "name: other")),
  };
  for (const [way, remove] of Object.entries(ways))
    test(`denies every tool, at once and in the next process, when it ${way}`, async (t) => {
      const { emit, approve, open, cwd } = await project(t, { "swarm.yaml": guard("command: exit 0") });
      await approve();
      assert.equal((await emit()).decision.verdict, "none");
      remove(cwd);
      const { decision } = await emit();
      assert.deepEqual([decision.verdict, decision.hook], ["deny", "swarm/trust"]);
      assert.match(decision.reason ?? "", gone);
      const other = await open();
      assert.match(
        (await other.events.emit({ event: "tool.before", data: call, origin: { cwd } })).decision.reason ??
          "",
        gone,
      );
      await other.close();
    });

  test("stays a guard although its file no longer calls it one", async (t) => {
    const { emit, approve, write } = await project(t, { "swarm.yaml": guard("command: exit 2") });
    await approve();
    write("swarm.yaml", hook("command: exit 2", "on_failure: allow"));
    assert.match((await emit()).decision.reason ?? "", /have changed since they were approved: it\./);
  });

  test("is missed no more once a person has accepted that it is gone", async (t) => {
    const { emit, approve, show, open, cwd } = await project(t, { "swarm.yaml": guard("command: exit 2") });
    await approve();
    rmSync(join(cwd, "swarm.yaml"));
    const { state, hooks, removed } = await show();
    assert.deepEqual(
      { state, hooks, removed },
      { state: "changed", hooks: [], removed: [{ name: "it", is_guard: true }] },
    );
    await approve();
    assert.equal((await emit()).decision.verdict, "none");
    const other = await open();
    assert.equal(
      (await other.events.emit({ event: "tool.before", data: call, origin: { cwd } })).decision.verdict,
      "none",
    );
    await other.close();
  });

  test("is missed neither when it was switched off nor when its project is ignored", async (t) => {
    const made = await project(t, { "swarm.yaml": guard("command: exit 2") });
    const { runtime, emit, approve, ignore, cwd } = made;
    await approve();
    const { id, name } = runtime.projects.at(cwd).config.hooks[0] ?? assert.fail();
    rmSync(join(cwd, "swarm.yaml"));
    await runtime.switches.set(id, false, name, "human:ada");
    assert.equal((await emit()).decision.verdict, "none");
    await runtime.switches.set(id, true, name, "human:ada");
    assert.equal((await emit()).decision.verdict, "deny");
    await ignore();
    assert.equal((await emit()).decision.verdict, "none");
  });

  test("that was no guard is not missed", async (t) => {
    const { emit, approve, cwd } = await project(t, { "swarm.yaml": hook("command: exit 0") });
    await approve();
    rmSync(join(cwd, "swarm.yaml"));
    assert.equal((await emit()).decision.verdict, "none");
  });
});

suite("an approved guard of a folder above", () => {
  test("holds below a nearer file, whatever that one says, and even under the same name", async (t) => {
    for (const nearer of ["", "hooks: []\n", hook("command: echo nearer")]) {
      const { emit, approve, write, cwd } = await project(t, { "swarm.yaml": guard("command: exit 2") });
      await approve();
      write("sub/swarm.yaml", nearer);
      const { decision, handlers } = await emit(call, join(cwd, "sub"));
      assert.equal(decision.verdict, "deny", nearer);
      assert.ok(handlers.some(({ status, verdict }) => status === "denied" || verdict === "deny"));
    }
  });

  test("is denied for when it changes or goes, and heard again when it is approved", async (t) => {
    const { emit, approve, write, cwd } = await project(t, {
      "swarm.yaml": guard("command: exit 0"),
      "sub/swarm.yaml": "hooks: []\n",
    });
    await approve();
    const below = () => emit(call, join(cwd, "sub"));
    assert.equal((await below()).decision.verdict, "none");
    write("swarm.yaml", guard("command: exit 2"));
    assert.match((await below()).decision.reason ?? "", /have changed since they were approved: it\./);
    await approve();
    assert.notEqual((await below()).decision.hook, "swarm/trust");
    assert.equal((await below()).decision.verdict, "deny");
    rmSync(join(cwd, "swarm.yaml"));
    assert.match((await below()).decision.reason ?? "", /^the guard it is gone/);
  });

  test("is decided about from below, too: the folder above is the one that is shown", async (t) => {
    const { emit, approve, write, cwd, runtime } = await project(t, {
      "swarm.yaml": guard("command: exit 0"),
      "sub/swarm.yaml": "",
    });
    await approve();
    const below = () => runtime.projects.refresh(join(cwd, "sub"));
    assert.equal(runtime.trust.folderAbove(await below()), null);
    write("swarm.yaml", guard("command: exit 2"));
    assert.equal(runtime.trust.folderAbove(await below()), cwd);
    write("sub/swarm.yaml", hook("command: echo nearer"));
    // There is something to decide about the nearest file first.
    assert.equal(runtime.trust.folderAbove(await below()), null);
    write("sub/swarm.yaml", "hooks: []\n");
    rmSync(join(cwd, "swarm.yaml"));
    assert.equal(runtime.trust.folderAbove(await below()), cwd);
    await approve();
    assert.equal(runtime.trust.folderAbove(await below()), null);
    assert.equal((await emit(call, join(cwd, "sub"))).decision.verdict, "none");
  });

  test("is all that holds of it: its other hooks, and guards nobody approved, do not", async (t) => {
    const { emit, approve, write, cwd } = await project(t, {
      "swarm.yaml": hook("command: echo above"),
      "sub/swarm.yaml": "hooks: []\n",
    });
    await approve();
    assert.deepEqual((await emit(call, join(cwd, "sub"))).decision.context, []);
    write("swarm.yaml", guard("command: exit 2").replace("name: it", "name: new"));
    assert.equal((await emit(call, join(cwd, "sub"))).decision.verdict, "none");
  });
});
