import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { openRuntime } from "./runtime.ts";

const rule = (command: string) =>
  `policy: { rules: [{ id: no, behaviour: deny, when: { command: ${command} } }] }\n`;

/** So many projects, and one runtime for all of them. */
async function projects(t: TestContext, count: number, textOf: (n: number) => string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-many-")));
  const home = join(folder, "home");
  mkdirSync(home);
  const cwdOf = (n: number) => join(folder, `p${n}`);
  const write = (n: number, text: string) => writeFileSync(join(cwdOf(n), "swarm.yaml"), text);
  for (let n = 0; n < count; n++) {
    mkdirSync(cwdOf(n));
    write(n, textOf(n));
  }
  const logged: string[] = [];
  const note = (message: string) => void logged.push(message);
  const env = { ...process.env, SWARM_LOG_HOOKS: undefined };
  const runtime = await openRuntime({ home, cwd: folder, env, log: { warn: note, debug: note } });
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  const all = Array.from({ length: count }, (_, n) => n);
  const verdict = async (n: number, command: string) => {
    const data = { tool_name: "Bash", tool_input: { command } };
    return (await runtime.events.emit({ event: "tool.before", data, origin: { cwd: cwdOf(n) } })).decision
      .verdict;
  };
  /** Which projects deny this, asked all at once. */
  const denying = async (commandOf: (n: number) => string) => {
    const verdicts = await Promise.all(all.map((n) => verdict(n, commandOf(n))));
    return all.filter((n) => verdicts[n] === "deny");
  };
  const writeUser = (text: string) => writeFileSync(join(home, "config.yaml"), text);
  return { runtime, all, write, writeUser, denying, logged, cwdOf };
}

suite("of fifty projects under one daemon", () => {
  const count = 50;

  test("each edit counts for its own from the next event on, and is told of once", async (t) => {
    const { runtime, all, write, denying } = await projects(t, count, (n) => rule(`old${n}`));
    assert.deepEqual(await denying((n) => `old${n}`), all);
    assert.deepEqual(await denying((n) => `old${(n + 1) % count}`), [], "nobody else's");
    for (const n of all) write(n, rule(`new${n}`));
    assert.deepEqual(await denying((n) => `new${n}`), all);
    assert.deepEqual(await denying((n) => `old${n}`), []);
    const told = await runtime.store.listRunEvents({ limit: 1_000, event: "config.changed" });
    assert.deepEqual(new Set(told.map(({ cwd }) => cwd)).size, count);
    assert.equal(told.length, count);
  });

  test("one that is broken keeps its last good file, and the others theirs", async (t) => {
    const { all, write, denying, logged } = await projects(t, count, () => rule("rm"));
    assert.deepEqual(await denying(() => "rm x"), all);
    for (const n of all) write(n, n % 10 === 0 ? "policy: 7\n" : rule("mv"));
    const broken = all.filter((n) => n % 10 === 0);
    assert.deepEqual(await denying(() => "rm x"), broken);
    assert.deepEqual(
      await denying(() => "mv x y"),
      all.filter((n) => n % 10 !== 0),
    );
    assert.equal(logged.filter((line) => line.includes("swarm.yaml:1:9")).length, broken.length);
    for (const n of broken) write(n, rule("mv"));
    assert.deepEqual(await denying(() => "mv x y"), all);
  });

  test("an edit of the user's file counts for all of them, what is logged as well", async (t) => {
    const { all, writeUser, denying, logged } = await projects(t, count, () => "hooks: []\n");
    assert.deepEqual(await denying(() => "rm x"), []);
    assert.deepEqual(logged, []);
    writeUser(`logging: { hooks: debug }\n${rule("rm")}`);
    assert.deepEqual(await denying(() => "rm x"), all);
    assert.deepEqual(logged, Array(count).fill("hooks: tool.before deny"));
    writeUser("{}\n");
    assert.deepEqual(await denying(() => "rm x"), []);
    assert.equal(logged.length, count);
  });
});

test("more projects than are kept open are opened again as their files are then", async (t) => {
  const count = 300;
  const { all, write, denying } = await projects(t, count, (n) => rule(`old${n}`));
  assert.deepEqual(await denying((n) => `old${n}`), all);
  write(0, rule("new"));
  assert.deepEqual(await denying((n) => (n === 0 ? "new" : `old${n}`)), all);
});
