import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { adapters } from "../adapters/index.ts";
import type { Adapter } from "../port/adapter.ts";
import { unguardedAgents } from "./running-agents.ts";

interface Process {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly parent?: number;
}

/** A folder like /proc with these processes, numbered from 1; the user's Claude Code and Codex have entries of ours. */
function seen(t: TestContext, processes: readonly Process[]) {
  const folder = mkdtempSync(join(tmpdir(), "swarm-proc-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [home, proc] = [join(folder, "home"), join(folder, "proc")];
  for (const { agent, settings } of [adapters["claude-code"], adapters.codex, adapters["qwen-code"]]) {
    const wanted = { native: "PreToolUse", argv: ["/x/swarm-hook", agent], timeoutS: 60 } as const;
    const file = settings.file("user", { home, project: "/", env: {} });
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, settings.install(null, [wanted]));
  }
  for (const [at, { args, env = {}, parent = 0 }] of processes.entries()) {
    const its = join(proc, String(at + 1));
    mkdirSync(its, { recursive: true });
    const variables = Object.entries({ HOME: home, ...env }).map(([name, value]) => `${name}=${value}\0`);
    writeFileSync(join(its, "cmdline"), args.map((word) => `${word}\0`).join(""));
    writeFileSync(join(its, "environ"), variables.join(""));
    writeFileSync(join(its, "stat"), `${at + 1} (a) b) S ${parent} 1 1`);
    symlinkSync("/", join(its, "cwd"));
  }
  writeFileSync(join(proc, "version"), "");
  const found = unguardedAgents(Object.values<Adapter>(adapters), home, proc);
  return found.map(({ pid, agent, why }) => `${pid} ${agent} ${why.replaceAll(folder, "")}`);
}

test("agents that were started without hooks are seen, by flag and by variable, in every spelling", (t) => {
  const found = seen(t, [
    { args: ["/usr/bin/claude", "--bare", "-p", "go"] },
    { args: ["claude", "--setting-sources=project"] },
    { args: ["claude"], env: { CLAUDE_CODE_SIMPLE: "true" } },
    { args: ["codex", "exec", "--disable", "hooks", "go"] },
    { args: ["/opt/codex", "-cfeatures.hooks=false"] },
    { args: ["node", "/opt/bin/qwen", "--bare"] },
    { args: ["node", "--expose-gc", "/opt/qwen.js"], env: { QWEN_CODE_SAFE_MODE: "1" } },
  ]);
  assert.deepEqual(
    found.map((line) => line.replace(/: .*/, "")),
    [
      "1 claude-code was started with --bare",
      "2 claude-code was started with --setting-sources=project",
      "3 claude-code was started with CLAUDE_CODE_SIMPLE=true",
      "4 codex was started with --disable hooks",
      "5 codex was started with -cfeatures.hooks=false",
      "6 qwen-code was started with --bare",
      "7 qwen-code was started with QWEN_CODE_SAFE_MODE=1",
    ],
  );
});

test("an agent on settings of another folder is seen, and the program that started it is the one that is named", (t) => {
  assert.deepEqual(
    seen(t, [
      { args: ["claude"], env: { CLAUDE_CONFIG_DIR: "/elsewhere" } },
      { args: ["node", "/opt/bin/codex", "--disable", "hooks"] },
      { args: ["/opt/lib/codex", "--disable", "hooks"], parent: 2 },
    ]),
    [
      "1 claude-code reads /elsewhere/settings.json, where Claude Code has no entry of ours",
      "2 codex was started with --disable hooks: no hook runs",
    ],
  );
});

test("nothing is said of agents with our hooks, nor of other programs", (t) => {
  assert.deepEqual(
    seen(t, [
      { args: ["claude", "-p", "what does --bare mean?"] },
      { args: ["claude", "--setting-sources", "user,project"], env: { CLAUDE_CODE_SIMPLE: "0" } },
      { args: ["claude", "--", "--bare"] },
      { args: ["codex", "-c", "model=x", "--disable", "plugins"] },
      { args: ["claude", "--bare"], env: { HOME: "/home/other" } },
      { args: ["vim", "claude", "--bare"] },
      { args: ["bash", "-c", "claude --bare"] },
      { args: [] },
    ]),
    [],
  );
  assert.deepEqual(unguardedAgents(Object.values<Adapter>(adapters), "/", "/nowhere"), []);
});
