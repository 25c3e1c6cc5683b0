import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { flagNames } from "../../config/flags.ts";
import { openRuntime } from "../runtime/runtime.ts";

const both = `hooks:
  - { event: tool.before, type: command, name: guard, mode: guard, on_failure: deny, command: 'touch called; exit 2' }
policy: { rules: [{ id: no, behaviour: deny, when: { command: rm } }] }
`;

/** A home with this configuration, and a runtime that can be opened there again. */
async function place(t: TestContext, config = both, env: NodeJS.ProcessEnv = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-flags-")));
  const [home, cwd] = [join(folder, "home"), join(folder, "project")];
  for (const made of [home, cwd]) mkdirSync(made);
  const write = (text: string) => writeFileSync(join(home, "config.yaml"), text);
  write(config);
  const log = { warn: () => undefined };
  const open = () => openRuntime({ home, cwd, env: { ...process.env, ...env }, log });
  const runtime = await open();
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  const verdict = async (command: string, on = runtime) =>
    (
      await on.events.emit({
        event: "tool.before",
        data: { tool_name: "Bash", tool_input: { command } },
        origin: { cwd },
      })
    ).decision.verdict;
  const rows = (event?: string) => runtime.store.listRunEvents({ limit: 100, event });
  return { cwd, open, runtime, verdict, write, rows };
}

suite("hooks_enabled off", () => {
  test("skips every hook from the next event on, leaves rules to judge, and records every event", async (t) => {
    const { cwd, runtime, verdict, rows } = await place(t);
    assert.equal(await verdict("ls"), "deny");
    rmSync(join(cwd, "called"));
    await runtime.flags.set("hooks_enabled", false, "human:ada");
    assert.deepEqual([await verdict("ls"), await verdict("rm x")], ["none", "deny"]);
    assert.ok(!existsSync(join(cwd, "called")));
    await runtime.flags.unset("hooks_enabled", "human:ada");
    assert.equal(await verdict("ls"), "deny");
    const told = (await rows()).reverse().map(({ event, actor, reason }) => [event, actor, reason]);
    assert.deepEqual(
      told.map(([event]) => event),
      ["tool.before", "flag.set", "tool.before", "tool.before", "flag.unset", "tool.before"],
    );
    assert.deepEqual(told[1], ["flag.set", "human:ada", "hooks_enabled: false"]);
    assert.deepEqual(told[4], ["flag.unset", "human:ada", "hooks_enabled"]);
  });

  test("stays off for whoever opens the store next", async (t) => {
    const { runtime, verdict, open } = await place(t);
    await runtime.flags.set("hooks_enabled", false, "human:ada");
    const other = await open();
    t.after(() => other.close());
    assert.equal(await verdict("ls", other), "none");
  });

  test("takes effect while the user's file is broken, and files keep their last good word", async (t) => {
    const { runtime, verdict, write } = await place(t, `hooks_enabled: false\n${both}`);
    assert.equal(await verdict("ls"), "none");
    write("hooks: 7\n");
    assert.equal(runtime.flags.isOn("hooks_enabled"), false);
    assert.equal(await verdict("ls"), "none");
    await runtime.flags.set("hooks_enabled", true, "human:ada");
    assert.equal(await verdict("ls"), "deny");
  });

  test("by the environment outweighs the file, and an override both", async (t) => {
    const { runtime, verdict } = await place(t, `hooks_enabled: true\n${both}`, {
      SWARM_FLAG_HOOKS_ENABLED: "off",
    });
    assert.equal(await verdict("ls"), "none");
    await runtime.flags.set("hooks_enabled", true, "human:ada");
    assert.equal(await verdict("ls"), "deny");
  });
});

test("no combination of flags keeps a denial, a refused caller or a turned switch out of the record", async (t) => {
  const { runtime, verdict, rows } = await place(t);
  for (const value of [true, false]) {
    for (const name of flagNames) await runtime.flags.set(name, value, "human:ada");
    assert.equal(await verdict("rm x"), "deny");
    const [newest] = await rows("tool.before");
    assert.deepEqual([newest?.verdict, newest?.kind], ["deny", "emit"]);
    const login = { kind: "login", event: "login", actor: "unknown", outcome: "denied" } as const;
    const { id } = await runtime.audit.record(login);
    assert.equal((await rows("login"))[0]?.id, id);
  }
  assert.equal((await rows("flag.set")).length, 2 * flagNames.length);
});

test("a switch that cannot be recorded is not turned", async (t) => {
  const { runtime } = await place(t);
  await assert.rejects(runtime.flags.unset("metrics", "human:ada"), { code: "SWARM_FLAG_NOT_SET" });
  t.mock.method(runtime.grants.store, "append", () => Promise.reject(new Error("no disk")));
  await assert.rejects(runtime.flags.set("hooks_enabled", false, "human:ada"), /no disk/);
  assert.equal(runtime.flags.isOn("hooks_enabled"), true);
});
