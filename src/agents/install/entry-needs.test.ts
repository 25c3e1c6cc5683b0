import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { loadConfig } from "../../config/load.ts";
import { needsNow, needsOf, needsOfAll } from "./entry-needs.ts";

function place(t: TestContext) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-needs-")));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ["home", "a", "b"]) mkdirSync(join(folder, name));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  return { folder, home: join(folder, "home"), write };
}

const guard = (event: string) => `hooks: [{ event: ${event}, type: blocking_script, command: "true" }]\n`;

test("a guard asks for an entry that denies, a slow hook for time, all else for nothing", (t) => {
  const { folder, home, write } = place(t);
  write("home/config.yaml", guard("tool.before"));
  write(
    "a/swarm.yaml",
    `hooks:
  - { event: Stop, type: command, command: tests, timeout_s: 300 }
  - { event: Stop, type: command, command: quick }
  - { event: SessionEnd, type: command, mode: observe, command: upload, timeout_s: 900 }
`,
  );
  const config = loadConfig({ home, cwd: join(folder, "a"), env: {} });
  const needs = needsOf(config);
  assert.deepEqual(needs, {
    [join(home, "config.yaml")]: { "tool.before": { guard: true, timeout_s: 60 } },
    [join(folder, "a/swarm.yaml")]: { "turn.end": { guard: false, timeout_s: 301 } },
  });
  assert.deepEqual(needsOfAll(needs), {
    "tool.before": { guard: true, timeout_s: 60 },
    "turn.end": { guard: false, timeout_s: 301 },
  });
  const switchedOff = { ...config, flags: { hooks_enabled: false } };
  assert.deepEqual(needsOf(switchedOff), needs, "entries stay while hooks are switched off");
});

test("permission rules ask for a guard on tools, and for as long as an agent is to wait for a person", (t) => {
  const { folder, home, write } = place(t);
  const needs = () => needsOf(loadConfig({ home, cwd: join(folder, "a"), env: {} }));
  write("home/config.yaml", "policy: starter\n");
  assert.deepEqual(needs(), {
    [join(home, "config.yaml")]: { "tool.before": { guard: true, timeout_s: 60 } },
  });
  write("home/config.yaml", "approvals: { wait_s: 300 }\npolicy: starter\n");
  assert.equal(needs()[join(home, "config.yaml")]?.["tool.before"]?.timeout_s, 305);
  write("home/config.yaml", "policy: { rules: [] }\n");
  assert.deepEqual(needs(), {});
  write("a/swarm.yaml", "policy: { rules: [{ id: x, behaviour: deny }] }\n");
  assert.deepEqual(Object.keys(needs()), [join(folder, "a/swarm.yaml")]);
});

test("what files ask for together is the most any of them does", () => {
  const needs = {
    "/a": { "turn.end": { guard: true, timeout_s: 60 } },
    "/b": { "turn.end": { guard: false, timeout_s: 90 } },
  };
  assert.deepEqual(needsOfAll(needs), { "turn.end": { guard: true, timeout_s: 90 } });
});

test("files that were noted are asked again: gone ones ask for nothing, broken ones for what they did", (t) => {
  const { folder, home, write } = place(t);
  write("a/swarm.yaml", guard("tool.before"));
  write("b/swarm.yaml", "hooks: 7\n");
  const noted = {
    [join(folder, "a/swarm.yaml")]: {},
    [join(folder, "b/swarm.yaml")]: { "turn.end": { guard: true, timeout_s: 60 } },
    [join(folder, "gone/swarm.yaml")]: { "tool.after": { guard: true, timeout_s: 60 } },
  };
  assert.deepEqual(needsNow(noted, [], { home, env: {}, pluginHooks: [] }), {
    [join(folder, "a/swarm.yaml")]: { "tool.before": { guard: true, timeout_s: 60 } },
    [join(folder, "b/swarm.yaml")]: { "turn.end": { guard: true, timeout_s: 60 } },
  });
  assert.deepEqual(Object.keys(needsNow({}, [join(folder, "a")], { home, env: {}, pluginHooks: [] })), [
    join(folder, "a/swarm.yaml"),
  ]);
});

test("hooks of plugins ask wherever an agent works, and those of a copy that is gone no more", (t) => {
  const { folder, home, write } = place(t);
  write("a/swarm.yaml", guard("turn.end"));
  const source = { file: join(home, "plugins/acme/new/hooks.mjs"), line: 1, column: 1 };
  const [written] = loadConfig({ home, cwd: join(folder, "a"), env: {} }).hooks;
  assert.ok(written !== undefined);
  const pluginHooks = [{ ...written, event: "tool.after" as const, plugin: "acme", source }];
  const noted = {
    [join(home, "plugins/acme/old/hooks.mjs")]: { "tool.before": { guard: true, timeout_s: 60 } },
  };
  assert.deepEqual(needsNow(noted, [join(folder, "a")], { home, env: {}, pluginHooks }), {
    [source.file]: { "tool.after": { guard: true, timeout_s: 60 } },
    [join(folder, "a/swarm.yaml")]: { "turn.end": { guard: true, timeout_s: 60 } },
  });
});
