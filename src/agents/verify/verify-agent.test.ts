import assert from "node:assert/strict";
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import type { Adapter, WantedHook } from "../port/adapter.ts";
import type { AgentProgram } from "./agents/agent-program.ts";
import { cursor } from "./agents/cursor.ts";
import type { AgentReport, CheckResult } from "./check.ts";
import { verifyAgent } from "./verify-agent.ts";

/** Asks the sentinel's scripts of the folder it is started in, as the real client has the engine do. */
const client = `#!/bin/sh
event=$(cat)
[ -f ./deny.sh ] || exit 0
printf %s "$event" | sh ./deny.sh || exit 2
printf %s "$event" | sh ./rewrite.sh | sed 's/.*"command":"\\([^"]*\\)".*/\\1/'
`;

const pretendAgent = join(import.meta.dirname, "pretend-agent.cases.ts");

interface Pretence {
  /** What is wrong with the agent. */
  readonly fault?: string;
  readonly runsNewEntries?: boolean;
  readonly isInstalled?: boolean;
  readonly hooksOff?: string;
  readonly knownFault?: string;
  /** What somebody has made of the entry. */
  readonly weak?: string;
  /** Of the user's shell. */
  readonly env?: Readonly<Record<string, string>>;
  /** The client of the daemon that is killed, once it is. */
  readonly clientAfterKill?: string;
  readonly program?: string;
  readonly signal?: AbortSignal;
  /** Called when the agent is about to be started. */
  readonly onRun?: () => void;
  /** In place of the path of our client. */
  readonly settings?: string;
}

async function verify(t: TestContext, pretence: Pretence = {}): Promise<AgentReport> {
  const folder = mkdtempSync(join(tmpdir(), "swarm-test-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const settings = join(folder, "settings");
  const installed = join(folder, "client");
  writeExecutable(installed, client);
  if (pretence.isInstalled !== false) writeFileSync(settings, pretence.settings ?? installed);
  const temporary = mkdtempSync(join(folder, "tmp-"));
  const approved: string[] = [];
  const verified = verifyAgent(adapterOf(settings, pretence.weak), programOf(pretence), {
    ...(pretence.signal === undefined ? {} : { signal: pretence.signal }),
    home: folder,
    project: folder,
    hooksOff: pretence.hooksOff ?? null,
    knownFault: pretence.knownFault ?? null,
    env: {
      ...process.env,
      ...pretence.env,
      TMPDIR: temporary,
      PRETEND_PROGRAM: pretence.program ?? process.execPath,
    },
    approve: async (project) => {
      approved.push(project);
      return async () => void approved.splice(approved.indexOf(project), 1);
    },
    startKillable: async (home) => {
      const other = join(home, "client");
      copyFileSync(installed, other);
      const killed = pretence.clientAfterKill ?? client;
      return {
        client: other,
        kill: async () => writeExecutable(other, killed),
      };
    },
  });
  await Promise.allSettled([verified]);
  assert.deepEqual(approved, [], "what it approved is not any more");
  assert.deepEqual(readdirSync(temporary), [], "what it made is gone again");
  return verified;
}

/** Settings that are the path of the hook's program and nothing else. */
function adapterOf(file: string, weak?: string): Adapter {
  const wanted = (program: string): WantedHook => ({
    native: "before",
    argv: [program],
    timeoutS: 10,
  });
  return {
    bypasses: [{ example: "--bare" }],
    events: [{ native: "before", event: "tool.before", rewrites: ["tool_input"] }],
    settings: {
      file: (scope: string) => (scope === "user" ? file : `${file}-of-project`),
      installed: (text: string) => {
        if (text !== "broken") return [wanted(text)];
        const where = {
          file,
          line: 1,
          column: 1,
          problem: "expected an object",
        };
        throw new SwarmError("SWARM_SETTINGS_INVALID", where);
      },
      uninstall: () => "",
      switchFiles: () => [],
      weakEntries: () => (weak === undefined ? [] : [{ native: "before", why: weak, letsCallsPass: true }]),
      install: (_text: string | null, [hook]: readonly WantedHook[]) => hook?.argv[0] ?? "",
    },
  } as unknown as Adapter;
}

function programOf({ fault = "", runsNewEntries = true, onRun }: Pretence): AgentProgram {
  return {
    agent: "codex",
    program: "pretend-agent",
    programVariable: "PRETEND_PROGRAM",
    runsNewEntries,
    copySettings: (settings, _project, place) =>
      writeFileSync(join(place.agentHome, "hook"), settings[0]?.text ?? ""),
    homeEnv: ({ agentHome }) => ({ PRETEND: fault, PRETEND_HOME: agentHome }),
    variables: /^PRETEND_/,
    headless(_prompt, modelAddress, { server } = {}) {
      onRun?.();
      return { args: [pretendAgent], env: { PRETEND_MODEL: modelAddress, PRETEND_TOOL: server?.tool ?? "" } };
    },
    objection: async () => (fault === "ignores hooks" ? "trust the hook" : null),
    shell: (command) => ({ tool: "shell", input: { command } }),
    files: {
      write: (file, text) => ({ tool: "write", input: { file, text } }),
      edit: (file, before, after) => [{ tool: "edit", input: { file, before, after } }],
    },
    mcp: ({ tool }, input) => [{ tool, input }],
    subagent: (prompt) => [{ tool: "delegate", input: { prompt } }],
    hookCall: (command) => ({ payload: { command }, env: {} }),
  };
}

function writeExecutable(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

function resultsOf({ checks }: AgentReport): Record<string, CheckResult> {
  return Object.fromEntries(checks.map(({ check, result }) => [check, result]));
}

const allPass = {
  shell: "pass",
  write: "pass",
  edit: "pass",
  mcp: "pass",
  subagent: "pass",
  entry: "pass",
  allow: "pass",
  rewrite: "pass",
  daemon_killed: "pass",
} as const;

/** What is seen of an agent that calls no hook at all. */
const unhooked = {
  shell: "fail",
  write: "fail",
  edit: "fail",
  mcp: "fail",
  rewrite: "fail",
  subagent: "fail",
  daemon_killed: "fail",
} as const;

const faults: readonly {
  readonly fault: string;
  readonly verdict: AgentReport["verdict"];
  readonly results: Partial<Record<keyof typeof allPass, CheckResult>>;
  readonly says?: RegExp;
  /** Checks whose command may happen to be one the fault does not concern. */
  readonly isByChance?: readonly string[];
}[] = [
  { fault: "ignores hooks in subagents", verdict: "INERT", results: { subagent: "fail" } },
  { fault: "ignores rewrites", verdict: "INERT", results: { rewrite: "fail" } },
  {
    fault: "has a shell alone",
    verdict: "enforced",
    results: {
      write: "not_applicable",
      edit: "not_applicable",
      mcp: "not_applicable",
      subagent: "not_applicable",
    },
  },
  {
    fault: "has a matcher for its shell",
    verdict: "INERT",
    results: { write: "fail", edit: "fail", mcp: "fail", subagent: "fail" },
    says: /^write: a denied call ran/,
  },
  {
    fault: "has a condition for printf",
    verdict: "INERT",
    results: { shell: "fail", rewrite: "fail", subagent: "fail", daemon_killed: "fail" },
    isByChance: ["rewrite", "subagent", "daemon_killed"],
  },
  { fault: "ignores hooks for write", verdict: "INERT", results: { write: "fail", subagent: "fail" } },
  { fault: "ignores hooks for edit", verdict: "INERT", results: { edit: "fail" } },
  { fault: "ignores hooks for tools of servers", verdict: "INERT", results: { mcp: "fail" } },
  {
    fault: "mute",
    verdict: "not provable",
    results: {
      shell: "not_provable",
      write: "not_provable",
      edit: "not_provable",
      mcp: "not_provable",
      subagent: "not_provable",
      daemon_killed: "not_provable",
    },
  },
  {
    fault: "refuses everything",
    verdict: "not provable",
    results: { allow: "not_provable", rewrite: "not_provable" },
  },
  {
    fault: "dies",
    verdict: "not provable",
    results: {
      ...Object.fromEntries(Object.keys(allPass).map((name) => [name, "not_provable"])),
      entry: "pass",
    },
    says: /^shell: it did not run, but not by our word \(shell_1\): exit 1: .+, it never asked its model/,
  },
];

describe("a real process that is an agent", { concurrency: true }, () => {
  test("an agent that does as its hook says is enforced", async (t) => {
    const { checks, hook_p50_ms, ...report } = await verify(t);
    assert.deepEqual(report, {
      agent: "codex",
      version: process.versions.node,
      verdict: "enforced",
      calls: {
        shell: "enforced",
        write: "enforced",
        edit: "enforced",
        mcp: "enforced",
        subagent: "enforced",
      },
      what_to_do: null,
      is_installed: true,
      not_seen: ["--bare"],
    });
    assert.deepEqual(resultsOf({ checks } as AgentReport), allPass);
    assert.ok((hook_p50_ms ?? 0) > 0);
  });

  test("an agent that does not call its hooks is inert, and what it says against them is what to do", async (t) => {
    const report = await verify(t, { fault: "ignores hooks" });
    assert.deepEqual([report.verdict, report.what_to_do], ["INERT", "trust the hook"]);
    assert.deepEqual(resultsOf(report), { ...allPass, ...unhooked });
  });

  for (const { fault, verdict, results, says, isByChance = [] } of faults) {
    test(`an agent with the fault "${fault}" is ${verdict}`, async (t) => {
      const report = await verify(t, { fault });
      const certain = (found: object) =>
        Object.fromEntries(Object.entries(found).filter(([name]) => !isByChance.includes(name)));
      const expected = certain({ ...allPass, ...results });
      assert.deepEqual([report.verdict, certain(resultsOf(report))], [verdict, expected]);
      assert.match(report.what_to_do ?? "", says ?? /^/);
    });
  }

  test("each kind of call has a verdict of its own", async (t) => {
    const narrowed = await verify(t, { fault: "has a matcher for its shell" });
    const { shell, write, mcp } = narrowed.calls;
    assert.deepEqual([shell, write, mcp], ["enforced", "INERT", "INERT"]);
    const { calls } = await verify(t, { fault: "has a shell alone" });
    assert.deepEqual([calls.shell, calls.write, calls.subagent], ["enforced", "not tried", "not tried"]);
  });

  test("a variable of the user's shell that switches hooks off does so here as well", async (t) => {
    const report = await verify(t, { env: { PRETEND_SIMPLE: "1" } });
    assert.deepEqual([report.verdict, resultsOf(report)], ["INERT", { ...allPass, ...unhooked }]);
  });

  test("an entry somebody narrowed is inert whatever was tried, and what is known of it is what to do", async (t) => {
    const why = 'its matcher is "shell|write|edit"';
    const report = await verify(t, { weak: why, knownFault: "install it again" });
    assert.deepEqual([report.verdict, report.what_to_do], ["INERT", "install it again"]);
    assert.deepEqual(resultsOf(report), { ...allPass, entry: "fail" });
  });

  test("an entry that lets everything pass once its daemon is killed is inert", async (t) => {
    const open = "#!/bin/sh\nexit 0\n";
    for (const runsNewEntries of [true, false]) {
      const report = await verify(t, { runsNewEntries, clientAfterKill: open });
      assert.deepEqual([report.verdict, resultsOf(report)], ["INERT", { ...allPass, daemon_killed: "fail" }]);
    }
  });

  test("where the agent runs no new entry the killed daemon is proven without it, and the evidence says so", async (t) => {
    const report = await verify(t, { runsNewEntries: false });
    assert.deepEqual([report.verdict, resultsOf(report)], ["enforced", allPass]);
    assert.match(report.checks.at(-1)?.evidence ?? "", /^replayed, not run by the agent: /);
  });

  test("a verification that is aborted ends the agent and leaves nothing behind", async (t) => {
    const stop = new AbortController();
    const onRun = () => setImmediate(() => stop.abort());
    await assert.rejects(verify(t, { fault: "hangs", signal: stop.signal, onRun }), { name: "AbortError" });
  });

  test("an agent without our entry is inert, and is not run", async (t) => {
    const { verdict, what_to_do, is_installed, checks } = await verify(t, {
      isInstalled: false,
    });
    assert.deepEqual(
      { verdict, what_to_do, is_installed, checks },
      {
        verdict: "INERT",
        what_to_do: "its settings have no hook of ours for tool calls: run swarm install codex",
        is_installed: false,
        checks: [],
      },
    );
  });

  test("where hooks are switched off it is inert, is not run, and is told how to switch them on", async (t) => {
    const onRun = () => assert.fail("it was run");
    const { verdict, what_to_do, is_installed, checks } = await verify(t, {
      hooksOff: "turn it on",
      onRun,
    });
    assert.deepEqual([verdict, what_to_do, is_installed, checks], ["INERT", "turn it on", true, []]);
    const uninstalled = await verify(t, { hooksOff: "turn it on", isInstalled: false, onRun });
    assert.deepEqual([uninstalled.what_to_do, uninstalled.is_installed], ["turn it on", false]);
  });

  test("settings nobody can read prove nothing, and the error says what is wrong", async (t) => {
    const { verdict, what_to_do } = await verify(t, { settings: "broken" });
    assert.deepEqual([verdict, what_to_do?.includes("settings")], ["not provable", true]);
  });

  test("an agent whose program is not there cannot be proven", async (t) => {
    const { verdict, what_to_do, version } = await verify(t, {
      program: "/nowhere/agent",
    });
    assert.deepEqual([verdict, version], ["not provable", null]);
    assert.equal(
      what_to_do,
      "pretend-agent is not on PATH: install it, or say in PRETEND_PROGRAM where it is",
    );
  });
});

test("an agent nobody can run here is not provable, and it is said why, installed or not", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "swarm-test-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "settings");
  const startKillable = () => Promise.reject(new Error("nothing is started"));
  const approve = () => Promise.reject(new Error("nothing is run"));
  const where = { home: folder, project: folder, env: process.env };
  const options = { ...where, hooksOff: null, knownFault: null, approve, startKillable };
  const verified = () => verifyAgent(adapterOf(file), cursor, options);
  assert.equal((await verified()).is_installed, false);
  writeFileSync(file, "/bin/true");
  const { verdict, is_installed, what_to_do, checks } = await verified();
  assert.deepEqual([verdict, is_installed, checks], ["not provable", true, []]);
  assert.match(what_to_do ?? "", /^not provable here: Cursor's agent runs on Cursor's servers/);
});
