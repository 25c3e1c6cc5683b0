import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { AgentReport, Check } from "../../src/agents/verify/check.ts";
import { bypassCases } from "./bypass.cases.ts";
import { fooledCases } from "./fooled.cases.ts";
import { type RealAgent, versionOf } from "./install-agents.ts";
import { Person } from "./person.ts";

/** `typing` is looked at only where an agent has a tool for it. */
export type Results = Readonly<Record<Exclude<Check["check"], "typing">, Check["result"]>> &
  Partial<Record<"typing", Check["result"]>>;

export const allPass: Results = {
  shell: "pass",
  write: "pass",
  edit: "pass",
  mcp: "pass",
  subagent: "pass",
  entry: "pass",
  allow: "pass",
  rewrite: "pass",
  daemon_killed: "pass",
};

export function isVerified(report: AgentReport | undefined, results: Results): void {
  assert.ok(report !== undefined);
  const { verdict, what_to_do, checks } = report;
  const found = Object.fromEntries(checks.map(({ check, result }) => [check, result]));
  assert.deepEqual(
    { verdict, what_to_do, results: found },
    { verdict: "enforced", what_to_do: null, results },
    JSON.stringify(checks, null, 2),
  );
}

/** Reports that the pages in docs/agents/ show. They are written with `SWARM_RECORD=1`, and compared without. */
export function record({ agent, version, verdict, checks }: AgentReport): void {
  const file = join(import.meta.dirname, "reports", `${agent}.json`);
  // The words the verification made up are others each time.
  const same = JSON.stringify({ agent, version, verdict, checks }, null, 2).replaceAll(/[0-9a-f]{12}/g, "…");
  if (process.env.SWARM_RECORD === "1") {
    mkdirSync(join(import.meta.dirname, "reports"), { recursive: true });
    writeFileSync(file, `${same}\n`);
  }
  assert.equal(`${same}\n`, readFileSync(file, "utf8"));
}

export interface AgentCase {
  readonly agent: RealAgent;
  readonly results: Results;
  /** What its user has to do before it runs our hooks, and what is said until then. */
  readonly trust?: { readonly until: RegExp; readonly give: (person: Person) => Promise<void> };
}

/** Tests follow each other: each finds what the one before has left, as a person does. */
export function agentCases({ agent, results, trust }: AgentCase): Person {
  const person = new Person(agent);
  after(() => person.leave());

  test("before anything is installed it is inert, and that is a failure", () => {
    const { status, reports } = person.verify(agent);
    const found = reports.map((report) => [report.agent, report.version, report.verdict]);
    assert.deepEqual([status, found], [1, [[agent, versionOf(agent), "INERT"]]]);
  });

  test("it is found by swarm install without being named", () => {
    const { status, stdout, stderr } = person.swarm("install", "--yes");
    assert.deepEqual([status, stderr], [0, ""]);
    assert.match(stdout, new RegExp(`^${agent}: installed, `, "m"));
  });

  if (trust !== undefined) {
    test("until its user has done what is left to do, nothing is proven, and it is said what", async () => {
      const [report] = person.verify(agent).reports;
      assert.notEqual(report?.verdict, "enforced");
      assert.match(report?.what_to_do ?? "", trust.until);
      await trust.give(person);
    });
  }

  test("it is enforced", (t) => {
    const { status, reports, printed } = person.verify(agent);
    for (const line of printed.trimEnd().split("\n")) t.diagnostic(line);
    isVerified(reports[0], results);
    assert.equal(status, 0);
    reports.forEach(record);
  });

  test("it is with a daemon, and still after kill -9 of it", async (t) => {
    await person.startDaemon();
    const [withDaemon] = person.verify(agent).reports;
    isVerified(withDaemon, results);
    await person.killDaemon();
    t.diagnostic(`hook p50 ${withDaemon?.hook_p50_ms} ms with a daemon`);
  });

  test("its own folder is as it was: no session, no cache, no credential", () => {
    const before = person.filesOf(agent);
    person.verify(agent);
    assert.deepEqual(person.filesOf(agent), before);
  });

  test("what is printed for people", (t) => {
    const { stdout, stderr } = person.swarm("verify", agent);
    assert.equal(stderr, "");
    for (const line of stdout.trimEnd().split("\n")) t.diagnostic(line);
    assert.match(stdout, new RegExp(`\\n${agent} +${versionOf(agent).replaceAll(".", "\\.")} +enforced +`));
  });

  fooledCases(agent, person);
  bypassCases(agent, person);
  return person;
}
