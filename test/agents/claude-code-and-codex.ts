// The real agents, from npm: `npm run test:agents`. Too heavy for `npm test`, which takes every *.test.ts.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { AgentReport } from "../../src/agents/verify/check.ts";
import { allPass, isVerified, record } from "./agent.cases.ts";
import { bypassCases } from "./bypass.cases.ts";
import { fooledCases } from "./fooled.cases.ts";
import { versionOf } from "./install-agents.ts";
import { Person } from "./person.ts";
import { trustInCodex } from "./trust-in-codex.ts";

const person = new Person("claude-code", "codex");
after(() => person.leave());

const isEnforced = (report: AgentReport | undefined) =>
  isVerified(report, report?.agent === "codex" ? { ...allPass, typing: "pass" } : allPass);

/** Tests follow each other: each finds what the one before has left, as a person does. */
test("before anything is installed both agents are inert, and that is a failure", () => {
  const { status, reports } = person.verify();
  assert.deepEqual(
    [status, reports.map(({ agent, version, verdict }) => [agent, version, verdict])],
    [
      1,
      [
        ["claude-code", versionOf("claude-code"), "INERT"],
        ["codex", versionOf("codex"), "INERT"],
      ],
    ],
  );
});

test("Claude Code is enforced as soon as we are installed", () => {
  const { status, stderr } = person.swarm("install", "--yes");
  assert.deepEqual([status, stderr], [0, ""]);
  const verified = person.verify("claude-code");
  isEnforced(verified.reports[0]);
  assert.equal(verified.status, 0);
});

test("Codex is inert until its user trusts the hooks, and is said to be", () => {
  const { status, reports } = person.verify("codex");
  const [{ verdict, what_to_do, checks } = {} as AgentReport] = reports;
  assert.deepEqual([status, verdict], [1, "INERT"]);
  assert.match(what_to_do ?? "", /^Codex does not trust the hook yet: start codex in a terminal/);
  assert.deepEqual(
    checks.filter(({ result }) => result === "fail").map(({ check }) => check),
    ["shell", "write", "edit", "mcp", "subagent", "typing", "rewrite"],
  );
});

let untrusted: string | null = "the hooks were not trusted";

test("Codex is enforced once its user has trusted the hooks in Codex itself", async (t) => {
  untrusted = await trustInCodex(person.program("codex"), person.project, person.env);
  if (untrusted !== null) return t.skip(untrusted);
  const { status, reports } = person.verify("codex");
  isEnforced(reports[0]);
  assert.equal(status, 0);
});

test("both hold with a daemon, and still do after kill -9 of it", async (t) => {
  const agents = untrusted === null ? [] : ["claude-code"];
  await person.startDaemon();
  const withDaemon = person.verify(...agents);
  withDaemon.reports.forEach(isEnforced);
  await person.killDaemon();
  const killed = person.verify(...agents);
  killed.reports.forEach(isEnforced);
  for (const [at, { agent, hook_p50_ms }] of withDaemon.reports.entries()) {
    t.diagnostic(
      `${agent}: hook p50 ${hook_p50_ms} ms with, ${killed.reports[at]?.hook_p50_ms} ms without a daemon`,
    );
  }
});

test("a hook that is edited is no longer trusted, and Codex inert again", (t) => {
  if (untrusted !== null) return t.skip(untrusted);
  const file = join(person.home, ".codex/hooks.json");
  const before = readFileSync(file, "utf8");
  writeFileSync(file, before.replace(/"timeout": *\d+/g, '"timeout": 59'));
  const { status, reports } = person.verify("codex");
  assert.deepEqual([status, reports[0]?.verdict], [1, "INERT"]);
  assert.match(reports[0]?.what_to_do ?? "", /^the hook has changed since Codex was told to trust it/);
  writeFileSync(file, before);
});

test("the agents' own folders are as they were: no session, no cache, no credential", () => {
  const before = [person.filesOf("claude-code"), person.filesOf("codex")];
  person.verify();
  assert.deepEqual([person.filesOf("claude-code"), person.filesOf("codex")], before);
});

test("every verdict is in the record", () => {
  const { stdout } = person.swarm("audit", "log", "--event", "guard.verified", "--json");
  const { items } = JSON.parse(stdout) as { items: { agent: string; outcome: string; reason: string }[] };
  const newest = items.find(({ agent }) => agent === "claude-code");
  assert.match(newest?.reason ?? "", /^enforced: claude-code [\d.]+, shell, write, edit, mcp, subagent/);
});

test("what is found is what is documented", () => {
  const agents = untrusted === null ? ["claude-code", "codex"] : ["claude-code"];
  person.verify(...agents).reports.forEach(record);
});

test("what is printed for people", (t) => {
  const { stdout, stderr } = person.swarm("verify");
  assert.equal(stderr, "");
  for (const line of stdout.trimEnd().split("\n")) t.diagnostic(line);
  assert.match(stdout, /^AGENT +VERSION +VERDICT +HOOK P50 +WHAT TO DO\nclaude-code +[\d.]+ +enforced +/);
});

for (const agent of ["claude-code", "codex"] as const) {
  fooledCases(agent, person);
  bypassCases(agent, person);
}

test("an entry of Codex that its user trusts with a matcher for the shell lets files and MCP tools pass", async (t) => {
  const other = new Person("codex");
  t.after(() => other.leave());
  assert.equal(other.swarm("install", "codex", "--yes").status, 0);
  const file = join(other.home, ".codex/hooks.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  settings.hooks.PreToolUse[0].matcher = "Bash";
  writeFileSync(file, JSON.stringify(settings));
  const problem = await trustInCodex(other.program("codex"), other.project, other.env);
  if (problem !== null) return t.skip(problem);
  const { status, reports } = other.verify("codex");
  const inert = { write: "INERT", edit: "INERT", mcp: "INERT" } as const;
  const calls = { shell: "enforced", ...inert, subagent: "enforced" };
  assert.deepEqual([status, reports[0]?.calls], [1, calls]);
  assert.match(other.swarm("doctor").stdout, /codex: our entry for PreToolUse .* its matcher is "Bash"/);
});
