import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { approveProject } from "../../policy/approvals/approve.cases.ts";
import { NativeCalls, type NativeCallsOptions, type NativeRequest } from "./native-calls.ts";
import { openRuntime } from "../../daemon/runtime/runtime.ts";

/** A project with these hooks, and how an agent calls from it. */
async function project(t: TestContext, config: string, options?: NativeCallsOptions) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-native-")));
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  for (const made of [cwd, home]) mkdirSync(made);
  writeFileSync(join(cwd, "swarm.yaml"), config);
  const runtime = await openRuntime({ home, cwd, env: process.env, log: { warn: () => undefined } });
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  await approveProject(runtime, cwd);
  const calls = new NativeCalls(runtime, options);
  const payload = {
    session_id: "s1",
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "t1",
  };
  const ask = (more: object = {}, request: Partial<NativeRequest> = {}) =>
    calls.answer({
      agent: "claude-code",
      isGuard: true,
      timeoutMs: 0,
      env: { CLAUDECODE: "1" },
      input: JSON.stringify({ ...payload, ...more }),
      ...request,
    });
  return { runtime, cwd, ask };
}

const hook = (command: string) => `hooks:
  - event: tool.before
    type: command
    name: guard
    mode: guard
    on_failure: deny
    command: ${JSON.stringify(command)}
`;

const denial = (reason: string) => ({
  stdout: JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  }),
  exitCode: 0,
});

suite("an agent's hook call", () => {
  test("is decided by the configured hooks, answered in its own words, and recorded", async (t) => {
    const { ask, runtime, cwd } = await project(t, hook("echo no >&2; exit 2"));
    const { stdout, stderr, exitCode } = await ask();
    assert.deepEqual({ stdout: stdout.trim(), exitCode }, denial("no"));
    assert.equal(stderr, "");
    const [row] = await runtime.store.listRunEvents({ limit: 1 });
    assert.deepEqual(
      [row?.event, row?.verdict, row?.session, row?.source, row?.cwd],
      ["tool.before", "deny", "s1", "claude-code", cwd],
    );
  });

  test("about a task of the agent's own list is an event of ours, which hooks can deny", async (t) => {
    const config = `hooks:
  - {event: task.created, type: blocking_script, name: no-docs, command: '! grep -q "Write docs"'}
  - {event: task.completed, type: script, name: see, command: "true"}
`;
    const { ask, runtime } = await project(t, config);
    const task = { task_id: "1", task_subject: "Write docs", task_description: "All of them" };
    const created = await ask({ hook_event_name: "TaskCreated", ...task });
    assert.deepEqual([created.exitCode, created.stdout], [2, ""]);
    assert.match(created.stderr, /no-docs/);
    const other = await ask({ hook_event_name: "TaskCreated", ...task, task_subject: "Write tests" });
    assert.deepEqual([other.exitCode, other.stdout, other.stderr], [0, "", ""]);
    await ask({ hook_event_name: "TaskCompleted", ...task });
    const rows = (await runtime.store.listRunEvents({ limit: 10 })).filter(({ kind }) => kind === "emit");
    assert.deepEqual(rows.map(({ event, verdict, source }) => [event, verdict, source]).toReversed(), [
      ["task.created", "deny", "claude-code"],
      ["task.created", "none", "claude-code"],
      ["task.completed", "none", "claude-code"],
    ]);
    const payload = await runtime.store.findPayload(rows.at(-1)?.seq ?? 0);
    assert.match(payload?.before ?? "", /"title":"Write docs","goal":"All of them"/);
  });

  test("that nobody objects to is answered with silence", async (t) => {
    const { ask } = await project(t, hook("exit 0"));
    const { exitCode, stderr } = await ask();
    assert.deepEqual([exitCode, stderr], [0, ""]);
  });

  test("that cannot be judged denies at the entry of a guard, whichever entry it came in by first", async (t) => {
    const { ask } = await project(t, "hooks: [");
    assert.deepEqual(await ask({}, { isGuard: false }), { stdout: "", stderr: "", exitCode: 0 });
    assert.equal((await ask()).exitCode, 2);
  });

  test("that comes twice, through two files, is evaluated once and answered twice", async (t) => {
    const { ask, cwd, runtime } = await project(t, hook("echo x >> calls; echo no >&2; exit 2"));
    const [first, second] = await Promise.all([ask(), ask()]);
    const third = await ask();
    assert.deepEqual([second, third], [first, first]);
    assert.equal(readFileSync(join(cwd, "calls"), "utf8"), "x\n");
    assert.equal((await runtime.store.listRunEvents({ limit: 9, kind: "emit" })).length, 1);
    await ask({ tool_use_id: "t2" });
    assert.equal(readFileSync(join(cwd, "calls"), "utf8"), "x\nx\n");
  });

  test("is answered before the agent stops waiting, by the failure policy of whoever is at work", async (t) => {
    const { ask } = await project(t, hook("sleep 60"));
    const { stdout } = await ask({}, { timeoutMs: 800 });
    assert.match(stdout, /"deny".*did not answer within \d+ ms; this hook denies when it fails/);
  });

  for (const [what, request] of [
    ["no JSON", { input: "no json" }],
    ["no object", { input: "[1]" }],
    ["nobody's we know", { env: {}, agent: "unknown" }],
  ] as const) {
    test(`that is ${what} is refused where a guard is, and passed over in silence elsewhere`, async (t) => {
      const { ask } = await project(t, hook("exit 0"));
      const { exitCode, stderr, stdout } = await ask({}, request);
      assert.deepEqual([exitCode, stdout], [2, ""]);
      assert.match(stderr, /^swarm: denied, because this call could not be judged: /);
      const silent = await ask({}, { ...request, isGuard: false });
      assert.deepEqual(silent, { stdout: "", stderr: "", exitCode: 0 });
    });
  }

  test("under a configuration that cannot be read is refused where a guard is", async (t) => {
    const { ask } = await project(t, "hooks: 7\n");
    const { exitCode, stderr } = await ask();
    assert.equal(exitCode, 2);
    assert.match(stderr, /swarm\.yaml:1:8/);
    assert.equal((await ask({ tool_use_id: "t2" }, { isGuard: false })).exitCode, 0);
  });

  test("that nobody can judge is refused where a guard has come after its entry, and who asked hears of that", async (t) => {
    const { ask, runtime, cwd } = await project(t, hook("exit 0"), {
      onUnguarded: (from) => heard.push(from),
    });
    const heard: string[] = [];
    assert.equal((await ask({}, { isGuard: false })).exitCode, 0);
    assert.deepEqual(heard, [cwd]);
    runtime.abort();
    const { exitCode, stderr } = await ask({ tool_use_id: "t2" }, { isGuard: false });
    assert.equal(exitCode, 2);
    assert.match(stderr, /stopping/);
    const other = { hook_event_name: "PostToolUse", tool_use_id: "t3" };
    assert.equal((await ask(other, { isGuard: false })).exitCode, 0);
  });

  test("whose answer the agent could not understand is told another one, and the record says so", async (t) => {
    const config = hook(`echo '{"verdict": "ask"}'`);
    const { ask, runtime } = await project(t, config);
    const { stdout } = await ask({ turn_id: "x", model: "m" }, { agent: "codex", env: {} });
    assert.match(stdout, /"permissionDecision":"deny"/);
    const [row] = await runtime.store.listRunEvents({ limit: 1 });
    assert.equal(row?.verdict, "deny");
    assert.match(row?.reason ?? "", /ask/);
  });
});
