import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { EventName } from "../../engine/events/names.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import { namespaceOnly } from "../../handlers/process/harness.cases.ts";
import { approveProject } from "../../policy/approvals/approve.cases.ts";
import { openRuntime } from "./runtime.ts";

const call = { tool_name: "Bash", tool_input: { command: "ls" } };

/** A folder with this swarm.yaml and these files, opened as a hook would be run there. */
async function project(t: TestContext, config: string, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "swarm-runtime-"));
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(cwd);
  mkdirSync(home);
  for (const [name, content] of Object.entries({ "swarm.yaml": config, ...files })) {
    writeFileSync(join(cwd, name), content);
    if (content.startsWith("#!")) chmodSync(join(cwd, name), 0o755);
  }
  const env = { ...process.env, SECRET: "s3cret" };
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const runtime = await openRuntime({ home, cwd, env, log });
  await approveProject(runtime, cwd);
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  const emit = (event: EventName, data: object): Promise<Outcome> =>
    runtime.events.emit({ event, data, origin: { cwd, session: "s1" } });
  const write = (text: string) => writeFileSync(join(cwd, "swarm.yaml"), text);
  const approve = () => approveProject(runtime, cwd);
  return { runtime, cwd, home, emit, write, approve, warnings };
}

/** One guard that denies when it fails, with this command. */
const guard = (command: string, more = "") => `
hooks:
  - event: tool.before
    type: command
    name: guard
    mode: guard
    on_failure: deny
    ${command}
    ${more}
`;

suite("a guard that cannot judge denies, and says why", () => {
  const failures: readonly (readonly [
    what: string,
    config: string,
    reason: RegExp,
    files?: Record<string, string>,
  ])[] = [
    ["a missing script", guard("args: [./gone.sh]"), /could not be started: .*gone\.sh/],
    [
      "a missing interpreter",
      guard("args: [./script.sh]"),
      /could not be started|exit code 12[67]/,
      { "script.sh": "#!/no/such/interpreter\n" },
    ],
    ["exit code 1", guard("command: 'echo oops >&2; exit 1'"), /exit code 1, expected 0 or 2: oops/],
    ["exit code 127", guard("command: no-such-program-anywhere"), /exit code 127/],
    ["a signal", guard("command: 'kill -KILL $$'"), /(was ended by|the number for) SIGKILL/],
    ["a deadline", guard("command: sleep 60", "timeout_s: 0.2"), /did not answer within 200 ms/],
    ["bad JSON", guard("command: 'echo {verdict: deny'"), /answered what is not JSON/],
    ["a flood", guard("command: yes"), /wrote more than 1 MiB, expected an answer: see .*spill/],
    ["a folder where the program should be", guard("args: [/]"), /could not be started/],
  ];
  for (const [what, config, reason, files] of failures) {
    test(what, async (t) => {
      const { emit } = await project(t, config, files);
      const { decision, result } = await emit("tool.before", call);
      assert.equal(decision.verdict, "deny");
      assert.equal(decision.hook, "guard");
      assert.match(decision.reason ?? "", reason);
      assert.match(decision.reason ?? "", /; this hook denies when it fails$/);
      assert.equal(result?.status, "skipped_by_hook");
    });

    test(`${what}, in a strict sandbox`, { skip: namespaceOnly }, async (t) => {
      const { emit, home } = await project(t, config, files);
      writeFileSync(join(home, "config.yaml"), "sandbox: strict\n");
      const { decision } = await emit("tool.before", call);
      assert.equal(decision.verdict, "deny");
      assert.match(decision.reason ?? "", reason);
    });
  }

  test("the same failures of a hook that does not deny when it fails let the action pass", async (t) => {
    for (const [, config, , files] of failures.filter(([what]) => what !== "a flood")) {
      const { emit } = await project(t, config.replace("on_failure: deny", "on_failure: allow"), files);
      assert.equal((await emit("tool.before", call)).decision.verdict, "none");
    }
  });
});

suite("answers of a program", () => {
  test("exit code 2 denies with stderr as the reason", async (t) => {
    const { emit } = await project(t, guard("command: 'echo not here >&2; exit 2'"));
    const { decision } = await emit("tool.before", call);
    assert.deepEqual([decision.verdict, decision.reason], ["deny", "not here"]);
  });

  test("JSON on stdout is an answer, plain text is context", async (t) => {
    const { emit } = await project(
      t,
      `
hooks:
  - { event: tool.before, type: command, name: json, args: [echo, '{"rewrite": {"tool_input": {"command": "true"}}}'] }
  - { event: tool.before, type: command, name: text, command: echo mind the gap }
`,
    );
    const { decision, data } = await emit("tool.before", call);
    assert.deepEqual(decision.context, ["mind the gap"]);
    assert.deepEqual((data as typeof call).tool_input, { command: "true" });
  });

  test("what a hook in Claude Code's shape prints before compaction is what is to be kept", async (t) => {
    const { emit } = await project(
      t,
      "hooks: { PreCompact: [{ hooks: [{ type: command, command: echo the open tasks }] }] }\n",
    );
    const { data } = await emit("compaction.before", { trigger: "auto" });
    assert.deepEqual((data as { preserve?: string[] }).preserve, ["the open tasks"]);
  });

  test("a blocking script denies by any exit code but zero, and a script only watches", async (t) => {
    const { emit, runtime } = await project(
      t,
      `
hooks:
  task.created:
    - { type: blocking_script, command: "echo ERROR goal too short >&2; exit 1" }
    - { type: script, command: "exit 1" }
`,
    );
    const { decision, handlers } = await emit("task.created", { task_id: "t1" });
    assert.deepEqual([decision.verdict, decision.reason], ["deny", "ERROR goal too short"]);
    await runtime.close();
    assert.deepEqual(
      handlers.map(({ kind, mode }) => [kind, mode]),
      [
        ["blocking_script", "guard"],
        ["script", "observe"],
      ],
    );
  });
});

suite("what a program gets", () => {
  test("our own file: the envelope on stdin, an allow-listed environment, the session's folder", async (t) => {
    const { emit, cwd } = await project(t, guard("command: 'cat > seen.json; env > env.txt; pwd > pwd.txt'"));
    const { id } = await emit("tool.before", call);
    const { timestamp, ...seen } = JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8"));
    const none = { agent: null, task: null, source: null, native_event: null };
    const tool = { name: "shell", names: ["shell"], command: "ls", path: null, paths: [] };
    assert.deepEqual(seen, { event: "tool.before", id, session: "s1", cwd, ...none, tool, data: call });
    assert.equal(typeof timestamp, "number");
    const env = readFileSync(join(cwd, "env.txt"), "utf8");
    assert.match(env, new RegExp(`^CLAUDE_PROJECT_DIR=${cwd}$`, "m"));
    assert.doesNotMatch(env, /s3cret/);
    assert.equal(
      readFileSync(join(cwd, "pwd.txt"), "utf8").trim(),
      execFileSync("pwd", ["-P"], { cwd }).toString().trim(),
    );
  });

  test("a Claude-shaped file: a script written for Claude Code runs unchanged", async (t) => {
    const script = `#!/bin/sh
input=$(cat)
printf '%s' "$input" > seen.json
case "$input" in *'"hook_event_name":"PostToolUse"'*) ;; *) exit 9 ;; esac
echo '{"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": {"content": "masked"}}}'
`;
    const config = JSON.stringify({
      hooks: {
        PostTool: [
          {
            matcher: "Read|Bash",
            hooks: [{ type: "command", command: '"$CLAUDE_PROJECT_DIR"/mask.sh', timeout: 5 }],
          },
        ],
      },
    });
    const { emit, cwd } = await project(t, config, { "mask.sh": script });
    const { data } = await emit("tool.after", {
      tool_name: "Read",
      tool_output: { content: "4111", lines: 1 },
    });
    assert.deepEqual((data as { tool_output?: unknown }).tool_output, { content: "masked", lines: 1 });
    assert.deepEqual(JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8")), {
      session_id: "s1",
      transcript_path: "",
      cwd,
      hook_event_name: "PostToolUse",
      tool_name: "Read",
      tool_response: { content: "4111", lines: 1 },
    });
  });
});

suite("editing the file", () => {
  const deny = (reason: string) => guard(`command: 'echo ${reason} >&2; exit 2'`);

  test("takes effect on the next event", async (t) => {
    const { emit, write, approve } = await project(t, deny("first"));
    assert.equal((await emit("tool.before", call)).decision.reason, "first");
    write(deny("second edition"));
    assert.match((await emit("tool.before", call)).decision.reason ?? "", /changed since they were approved/);
    await approve();
    assert.equal((await emit("tool.before", call)).decision.reason, "second edition");
    write("hooks: []");
    assert.match((await emit("tool.before", call)).decision.reason ?? "", /^the guard .* is gone/);
    await approve();
    assert.equal((await emit("tool.before", call)).decision.verdict, "none");
  });

  test("so that it is broken keeps the last good hooks, and config.changed tells of the error", async (t) => {
    const watcher =
      "  - { event: config.changed, type: command, name: watcher, command: cat > changed.json }\n";
    const { emit, write, approve, runtime, warnings, cwd } = await project(t, deny("still here") + watcher);
    write(deny("gone").replace("tool.before", "tool.befor"));
    assert.equal((await emit("tool.before", call)).decision.reason, "still here");
    const problem = 'swarm.yaml:3:12: unknown event "tool.befor", did you mean "tool.before"?';
    assert.equal(runtime.projects.at().problem?.message, `${cwd}/${problem}`);
    assert.deepEqual(warnings, [`${cwd}/${problem}`]);
    const { data } = JSON.parse(readFileSync(join(cwd, "changed.json"), "utf8"));
    assert.deepEqual(data, { name: `${cwd}/swarm.yaml`, error: `${cwd}/${problem}`, hook_count: 2 });
    write(deny("mended"));
    await approve();
    assert.equal((await emit("tool.before", call)).decision.reason, "mended");
    assert.equal(runtime.projects.at().problem, null);
  });
});

suite("a matcher with a name every agent's tools share", () => {
  test("is ours: in our own file it matches the tool", async (t) => {
    const { emit } = await project(t, guard("command: exit 2", "match: shell"));
    assert.equal((await emit("tool.before", call)).decision.verdict, "deny");
  });

  test("means nothing in a file shaped like Claude Code's, which compares with its own names", async (t) => {
    const file = (matcher: string) => `hooks:
  PreToolUse:
    - { matcher: ${matcher}, hooks: [{ type: command, command: exit 2 }] }
`;
    const { emit, write, approve } = await project(t, file("shell"));
    assert.equal((await emit("tool.before", call)).decision.verdict, "none");
    write(file("Bash"));
    await approve();
    assert.equal((await emit("tool.before", call)).decision.verdict, "deny");
  });
});

suite("the record", () => {
  test("has every event with what each hook did and the digest it had, and none of its secrets", async (t) => {
    const { emit, runtime, cwd, home } = await project(
      t,
      guard("command: 'echo no sk-abcdefghijklmnop1234 >&2; exit 2'"),
    );
    const { id } = await emit("tool.before", { ...call, tool_input: { command: "ls", api_key: "hunter2" } });
    const row = (await runtime.store.findRunEvent(id)) ?? assert.fail("nothing was recorded");
    const { time, seq, hash, prev_hash, handlers, ms, before_hash, hook_digest, ...rest } = row;
    assert.deepEqual(rest, {
      id,
      kind: "emit",
      event: "tool.before",
      ref: null,
      actor: "swarm",
      session: "s1",
      agent: null,
      task: null,
      cwd,
      source: null,
      verdict: "deny",
      reason: "no [redacted]",
      hook: "guard",
      after_hash: null,
      outcome: "denied",
    });
    assert.equal(seq, 2); // the first tells of the approval
    assert.match(time, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.match([hash, prev_hash, before_hash, hook_digest].join(" "), /^([0-9a-f]{64} ?){4}$/);
    assert.ok(ms > 0);
    const [handler] = handlers;
    assert.deepEqual(
      [handlers.length, handler?.name, handler?.status, handler?.digest, handler?.reason],
      [1, "guard", "denied", hook_digest, "no [redacted]"],
    );
    assert.equal(handler?.hook_id, runtime.projects.at(cwd).config.hooks[0]?.id);
    const payload = await runtime.store.findPayload(seq);
    assert.deepEqual(JSON.parse(payload?.before ?? ""), {
      tool_name: "Bash",
      tool_input: { command: "ls", api_key: "[redacted]" },
    });
    await runtime.close();
    assert.doesNotMatch(readFileSync(join(home, "swarm.db"), "latin1"), /hunter2|abcdefghijklmnop/);
  });

  test("has what an observer did, in a row of its own after the decision's", async (t) => {
    const config = "hooks:\n  - { event: tool.before, type: script, name: watcher, command: exit 3 }\n";
    const { emit, runtime } = await project(t, config);
    const { id } = await emit("tool.before", call);
    const [decided] = await runtime.store.listRunEvents({ limit: 1 });
    assert.deepEqual([decided?.id, decided?.handlers[0]?.status], [id, "scheduled"]);
    let observed = decided;
    while (observed?.kind !== "observed") {
      await new Promise((resolve) => setImmediate(resolve));
      [observed] = await runtime.store.listRunEvents({ limit: 1 });
    }
    assert.deepEqual([observed.ref, observed.outcome, observed.hook], [id, "failed", "watcher"]);
    assert.match(observed.reason ?? "", /exit code 3/);
    const hookId = observed.handlers[0]?.hook_id ?? "";
    const { calls, failures } = await runtime.store.hookTotals(hookId);
    assert.deepEqual([calls, failures], [1, 1]);
  });

  test("has hook.failed, which the engine itself emits", async (t) => {
    const config = `hooks:
  - { event: tool.before, type: command, name: broken, command: exit 3 }
  - { event: hook.failed, type: command, name: told, mode: guard, command: exit 0 }
`;
    const { emit, runtime } = await project(t, config);
    await emit("tool.before", call);
    let [last] = await runtime.store.listRunEvents({ limit: 1, event: "hook.failed" });
    while (last === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      [last] = await runtime.store.listRunEvents({ limit: 1, event: "hook.failed" });
    }
    assert.deepEqual([last.kind, last.actor, last.handlers[0]?.name], ["emit", "swarm", "told"]);
  });

  test("has an event that could not be decided, and why", async (t) => {
    const { emit, runtime } = await project(t, "hooks: []");
    await assert.rejects(emit("tool.before", { ...call, tool_name: 7 }), { code: "SWARM_PAYLOAD_INVALID" });
    const [row] = await runtime.store.listRunEvents({ limit: 1 });
    assert.deepEqual([row?.outcome, row?.event], ["failed", "tool.before"]);
    assert.match(row?.reason ?? "", /tool_name is 7/);
  });
});

suite("a hook that is disabled", () => {
  test("is not called until it is enabled again, and both are recorded", async (t) => {
    const { emit, runtime, cwd } = await project(t, guard("command: 'echo no >&2; exit 2'"));
    await emit("tool.before", call);
    const hook = runtime.projects.at(cwd).config.hooks[0] ?? assert.fail("no hook");
    await runtime.switches.set(hook.id, false, hook.name, "human:ann");
    assert.equal((await emit("tool.before", call)).decision.verdict, "none");
    await runtime.switches.set(hook.id, true, hook.name, "human:ann");
    assert.equal((await emit("tool.before", call)).decision.verdict, "deny");
    const changes = await runtime.store.listRunEvents({ limit: 5, kind: "change" });
    assert.deepEqual(
      changes.slice(0, 2).map(({ event, actor, hook: name }) => [event, actor, name]),
      [
        ["hook.enabled", "human:ann", "guard"],
        ["hook.disabled", "human:ann", "guard"],
      ],
    );
  });

  test("stays so in the next process", async (t) => {
    const { runtime, cwd, home } = await project(t, guard("command: 'echo no >&2; exit 2'"));
    const hook = runtime.projects.at(cwd).config.hooks[0] ?? assert.fail("no hook");
    await runtime.switches.set(hook.id, false, hook.name, "human:ann");
    const other = await openRuntime({ home, cwd, env: process.env, log: { warn: () => undefined } });
    assert.equal((await other.events.emit({ event: "tool.before", data: call })).decision.verdict, "none");
    await other.close();
  });
});

test("the user's sandbox holds the programs of a project", { skip: namespaceOnly }, async (t) => {
  const script = "#!/bin/sh\necho $$ $(ulimit -c) $(ulimit -n)\n";
  const { emit, home } = await project(t, guard("args: [./look.sh]"), { "look.sh": script });
  writeFileSync(join(home, "config.yaml"), "sandbox: strict\n");
  // The first process of its namespace is bwrap's.
  assert.deepEqual((await emit("tool.before", call)).decision.context, ["2 0 1024"]);
});

test("a variable in an argument is one of ours or a text, whatever every object has", async (t) => {
  const { emit } = await project(t, guard(`args: [echo, '\${constructor} \${HOME}']`));
  assert.deepEqual((await emit("tool.before", call)).decision.context, [`\${constructor} \${HOME}`]);
});

test("a script beside the file is found from any folder of the project", async (t) => {
  const script = '#!/bin/sh\necho "$CLAUDE_PROJECT_DIR"\n';
  const { runtime, cwd } = await project(t, guard("args: [./where.sh]"), { "where.sh": script });
  mkdirSync(join(cwd, "deep/inside"), { recursive: true });
  const { decision } = await runtime.events.emit({
    event: "tool.before",
    data: call,
    origin: { cwd: join(cwd, "deep/inside") },
  });
  assert.deepEqual([decision.verdict, decision.context], ["none", [cwd]]);
});
