import assert from "node:assert/strict";
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
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { isAlive } from "../../handlers/process/harness.cases.ts";
import { approveProject } from "../../policy/approvals/approve.cases.ts";
import { openRuntime } from "./runtime.ts";

const call = { tool_name: "Bash", tool_input: {} };

/** A project with this configuration, and ways to wait for what its hooks write. */
async function project(t: TestContext, config: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-calls-")));
  const [home, cwd] = [join(folder, "home"), join(folder, "project")];
  mkdirSync(home);
  mkdirSync(cwd);
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  write("swarm.yaml", config);
  const runtime = await openRuntime({ home, cwd, env: process.env, log: { warn: () => undefined } });
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  await approveProject(runtime, cwd);
  const written = async (name: string): Promise<string> => {
    while (!existsSync(join(cwd, name)) || readFileSync(join(cwd, name), "utf8") === "")
      await new Promise((resolve) => setImmediate(resolve));
    return readFileSync(join(cwd, name), "utf8").trim();
  };
  const isWritten = (name: string) => existsSync(join(cwd, name));
  const emit = (data: object = call, session = "s1") =>
    runtime.events.emit({ event: "tool.before", data, origin: { cwd, session } });
  return { runtime, cwd, emit, write, written, isWritten };
}

/** A line that tells its pid and that of its child, and ends long after any test. */
const endless = (file: string) => `"sleep 600 & echo $! > ${file}; wait"`;

suite("cutting off", () => {
  for (const onFailure of ["allow", "deny"]) {
    test(`ends a hook under way and its children; the caller hears of no decision, though it would ${onFailure} when it fails`, async (t) => {
      const { runtime, emit, written } = await project(
        t,
        `hooks:\n  - { event: tool.before, type: command, name: slow, on_failure: ${onFailure}, command: ${endless("pid")} }\n`,
      );
      const decided = emit();
      const refused = assert.rejects(decided, { code: "SWARM_NOT_SERVING" });
      const pid = await written("pid");
      assert.ok(isAlive(Number(pid)));
      runtime.abort();
      await refused;
      assert.ok(!isAlive(Number(pid)));
      const [row] = await runtime.store.listRunEvents({ limit: 1, event: "tool.before" });
      assert.deepEqual([row?.outcome, row?.session], ["failed", "s1"]);
      assert.match(row?.reason ?? "", /the daemon is stopping/);
    });
  }

  test("starts none of the hooks that would have come after", async (t) => {
    const { runtime, emit, written, isWritten } = await project(
      t,
      `hooks:
  - { event: tool.before, type: command, name: slow, command: ${endless("pid")} }
  - { event: tool.before, type: command, name: next, command: touch next }
  - { event: tool.before, type: script, name: watcher, command: touch watched }
`,
    );
    const refused = assert.rejects(emit(), { code: "SWARM_NOT_SERVING" });
    await written("pid");
    runtime.abort();
    await refused;
    await assert.rejects(emit(), { code: "SWARM_NOT_SERVING" });
    await runtime.close();
    assert.deepEqual([isWritten("next"), isWritten("watched")], [false, false]);
  });

  test("ends observers too, so that closing does not wait for them", async (t) => {
    const { runtime, emit, written } = await project(
      t,
      `hooks:\n  - { event: tool.before, type: script, name: watcher, command: ${endless("pid")} }\n`,
    );
    await emit();
    const pid = await written("pid");
    runtime.abort();
    await runtime.close();
    assert.ok(!isAlive(Number(pid)));
  });
});

suite("editing the file while an event is under way", () => {
  const patient = (word: string) => `hooks:
  - event: tool.before
    type: command
    name: guard
    match: Bash
    command: 'touch called; while [ ! -e go ]; do sleep 0.02; done; echo ${word} >&2; exit 2'
  - { event: tool.before, type: script, name: watcher, on_denied: true, command: 'echo ${word} >> watched' }
`;

  test("lets it end with the hooks it began with, and that is what is recorded", async (t) => {
    const { runtime, cwd, emit, write, written } = await project(t, patient("old"));
    const digests = () =>
      runtime.projects
        .at(cwd)
        .config.hooks.map(({ name }) => runtime.projects.at(cwd).inForce.hookOf(name)?.digest);
    const before = digests();
    const decided = emit();
    while (!existsSync(join(cwd, "called"))) await new Promise((resolve) => setImmediate(resolve));
    write("swarm.yaml", patient("new"));
    await emit({ ...call, tool_name: "Read" });
    assert.notDeepEqual(digests(), before);
    write("go", "");
    const { decision, id } = await decided;
    assert.equal(decision.reason, "old");
    await written("watched");
    await runtime.close();
    const reopened = await openRuntime({
      home: runtime.home,
      cwd,
      env: process.env,
      log: { warn: () => undefined },
    });
    const rows = await reopened.store.listRunEvents({ limit: 10 });
    await reopened.close();
    const digestOf = (kind: string) =>
      rows.find((row) => row.kind === kind && [row.id, row.ref].includes(id))?.hook_digest;
    assert.deepEqual([digestOf("emit"), digestOf("observed")], before);
  });

  test("is waited for at the end, with its observers", async (t) => {
    const { runtime, cwd, emit, write } = await project(t, patient("old"));
    const decided = emit();
    while (!existsSync(join(cwd, "called"))) await new Promise((resolve) => setImmediate(resolve));
    write("swarm.yaml", "hooks: []\n");
    await emit();
    const closed = runtime.close();
    write("go", "");
    assert.equal((await decided).decision.reason, "old");
    await closed;
    assert.equal(readFileSync(join(cwd, "watched"), "utf8"), "old\n");
  });
});

test("more projects than are kept open at once are all served, those under way included", async (t) => {
  const { runtime, cwd, emit, write } = await project(
    t,
    "hooks:\n  - { event: tool.before, type: command, name: guard, match: Wait, command: 'touch called; while [ ! -e go ]; do sleep 0.02; done; exit 2' }\n",
  );
  const first = emit({ ...call, tool_name: "Wait" });
  while (!existsSync(join(cwd, "called"))) await new Promise((resolve) => setImmediate(resolve));
  const folders = Array.from({ length: 300 }, (_, n) => join(cwd, String(n)));
  for (const folder of folders) mkdirSync(folder);
  const outcomes = await Promise.all(
    folders.map((folder) =>
      runtime.events.emit({ event: "tool.before", data: call, origin: { cwd: folder } }),
    ),
  );
  assert.ok(outcomes.every(({ decision }) => decision.verdict === "none"));
  write("go", "");
  assert.equal((await first).decision.verdict, "deny");
  await runtime.close();
});
