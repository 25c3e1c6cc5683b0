import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { EventName } from "./events/names.ts";
import type { Outcome } from "./events/outcome.ts";
import { Runtime } from "./runtime.ts";

const call = { tool_name: "Bash", tool_input: { command: "ls" } };

/** A folder with this swarm.yaml and these files, opened as a hook would be run there. */
function project(t: TestContext, config: string, files: Readonly<Record<string, string>> = {}) {
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
  const runtime = new Runtime({ home, cwd, env, log });
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  const emit = (event: EventName, data: object): Promise<Outcome> =>
    runtime.emit(event, data, { cwd, session: "s1" });
  const write = (text: string) => writeFileSync(join(cwd, "swarm.yaml"), text);
  return { runtime, cwd, home, emit, write, warnings };
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
    ["a signal", guard("command: 'kill -KILL $$'"), /was ended by SIGKILL/],
    ["a deadline", guard("command: sleep 60", "timeout_s: 0.2"), /did not answer within 200 ms/],
    ["bad JSON", guard("command: 'echo {verdict: deny'"), /answered what is not JSON/],
    ["a flood", guard("command: yes"), /wrote more than 1 MiB, expected an answer: see .*spill/],
    ["a folder where the program should be", guard("args: [/]"), /could not be started/],
  ];
  for (const [what, config, reason, files] of failures) {
    test(what, async (t) => {
      const { emit } = project(t, config, files);
      const { decision, result } = await emit("tool.before", call);
      assert.equal(decision.verdict, "deny");
      assert.equal(decision.hook, "guard");
      assert.match(decision.reason ?? "", reason);
      assert.match(decision.reason ?? "", /; this hook denies when it fails$/);
      assert.equal(result?.status, "skipped_by_hook");
    });
  }

  test("the same failures of a hook that does not deny when it fails let the action pass", async (t) => {
    for (const [, config, , files] of failures.filter(([what]) => what !== "a flood")) {
      const { emit } = project(t, config.replace("on_failure: deny", "on_failure: allow"), files);
      assert.equal((await emit("tool.before", call)).decision.verdict, "none");
    }
  });
});

suite("answers of a program", () => {
  test("exit code 2 denies with stderr as the reason", async (t) => {
    const { emit } = project(t, guard("command: 'echo not here >&2; exit 2'"));
    const { decision } = await emit("tool.before", call);
    assert.deepEqual([decision.verdict, decision.reason], ["deny", "not here"]);
  });

  test("JSON on stdout is an answer, plain text is context", async (t) => {
    const { emit } = project(
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

  test("a blocking script denies by any exit code but zero, and a script only watches", async (t) => {
    const { emit, runtime } = project(
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
    const { emit, cwd } = project(t, guard("command: 'cat > seen.json; env > env.txt; pwd > pwd.txt'"));
    const { id } = await emit("tool.before", call);
    const { timestamp, ...seen } = JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8"));
    const none = { agent: null, task: null, source: null, native_event: null };
    assert.deepEqual(seen, { event: "tool.before", id, session: "s1", cwd, ...none, data: call });
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
    const { emit, cwd } = project(t, config, { "mask.sh": script });
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

test("a hook of a kind that cannot run yet fails instead of looking as if it had nothing to say", async (t) => {
  const { emit } = project(
    t,
    `
hooks:
  - { event: tool.before, type: http, name: remote, url: "https://example.com", mode: guard, on_failure: deny }
`,
  );
  const { decision } = await emit("tool.before", call);
  assert.match(
    `${decision.verdict}: ${decision.reason}`,
    /^deny: hook remote is of type http, which this version cannot run yet/,
  );
});

suite("editing the file", () => {
  const deny = (reason: string) => guard(`command: 'echo ${reason} >&2; exit 2'`);

  test("takes effect on the next event", async (t) => {
    const { emit, write } = project(t, deny("first"));
    assert.equal((await emit("tool.before", call)).decision.reason, "first");
    write(deny("second edition"));
    assert.equal((await emit("tool.before", call)).decision.reason, "second edition");
    write("hooks: []");
    assert.equal((await emit("tool.before", call)).decision.verdict, "none");
  });

  test("so that it is broken keeps the last good hooks, and config.changed tells of the error", async (t) => {
    const watcher =
      "  - { event: config.changed, type: command, name: watcher, command: cat > changed.json }\n";
    const { emit, write, runtime, warnings, cwd } = project(t, deny("still here") + watcher);
    write(deny("gone").replace("tool.before", "tool.befor"));
    assert.equal((await emit("tool.before", call)).decision.reason, "still here");
    const problem = 'swarm.yaml:3:12: unknown event "tool.befor", did you mean "tool.before"?';
    assert.equal(runtime.problem?.message, `${cwd}/${problem}`);
    assert.deepEqual(warnings, [`${cwd}/${problem}`]);
    const { data } = JSON.parse(readFileSync(join(cwd, "changed.json"), "utf8"));
    assert.deepEqual(data, { name: `${cwd}/swarm.yaml`, error: `${cwd}/${problem}`, hook_count: 2 });
    write(deny("mended"));
    assert.equal((await emit("tool.before", call)).decision.reason, "mended");
    assert.equal(runtime.problem, null);
  });
});

test("every event is recorded with what each hook did, and nothing of its payload", async (t) => {
  const { emit, runtime, home, cwd } = project(t, guard("command: 'echo no >&2; exit 2'"));
  const { id } = await emit("tool.before", { ...call, tool_input: { command: "hunter2" } });
  const [recorded] = runtime.audit.newest();
  const { time, handlers, ...rest } = recorded ?? assert.fail("nothing was recorded");
  const origin = { session: "s1", agent: null, cwd, source: null };
  assert.deepEqual(rest, {
    id,
    event: "tool.before",
    ...origin,
    verdict: "deny",
    reason: "no",
    hook: "guard",
  });
  assert.match(time, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.deepEqual(
    handlers.map(({ name, status }) => [name, status]),
    [["guard", "denied"]],
  );
  assert.doesNotMatch(readFileSync(join(home, "audit/run-events.jsonl"), "utf8"), /hunter2/);
});

test("a script beside the file is found from any folder of the project", async (t) => {
  const script = '#!/bin/sh\necho "$CLAUDE_PROJECT_DIR"\n';
  const { runtime, cwd } = project(t, guard("args: [./where.sh]"), { "where.sh": script });
  mkdirSync(join(cwd, "deep/inside"), { recursive: true });
  const { decision } = await runtime.emit("tool.before", call, { cwd: join(cwd, "deep/inside") });
  assert.deepEqual([decision.verdict, decision.context], ["none", [cwd]]);
});
