import assert from "node:assert/strict";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import zlib from "node:zlib";
import { ScannedHome } from "../harness.cases.ts";
import type { ScanReport } from "../report.ts";
import type { ScannedAgent } from "../../port/agents.ts";

/** What a person would make of a report. */
function told({ findings, groups }: ScanReport) {
  return findings.toReversed().map(({ subagent, cwd, tool, call, verdict, rule, group }) => ({
    who: subagent === null ? "agent" : "subagent",
    cwd,
    call: `${tool}: ${call}`,
    said: `${verdict} by ${rule}`,
    as: groups.find(({ id }) => id === group)?.label,
  }));
}

const cwd = "/home/dev/project";
const subagentReads = (shell: string) => ({
  who: "subagent",
  cwd,
  call: `${shell}: cat .env.local`,
  said: "ask by starter/secrets",
  as: "read of .env.local",
});
const commands = (shell: string) => [
  {
    who: "agent",
    cwd,
    call: `${shell}: git push --force origin main`,
    said: "deny by starter/git-overwrite-remote",
    as: "force-push",
  },
  { who: "agent", cwd, call: `${shell}: cat .env`, said: "ask by starter/secrets", as: "read of .env" },
  {
    who: "agent",
    cwd,
    call: `${shell}: rm -rf ../outside`,
    said: "deny by starter/delete-outside-project",
    as: "rm -rf outside the project",
  },
];
const reads = (tool: string) => [
  {
    who: "agent",
    cwd,
    call: `${tool}: ${cwd}/.env`,
    said: "ask by starter/secrets",
    as: "read of .env",
  },
];

/** Shell and tool that reads files, as each agent calls them; the number of calls in its fixture. */
const recorded: Readonly<Record<ScannedAgent, readonly [shell: string, read: string | null, calls: number]>> =
  {
    "claude-code": ["Bash", "Read", 7],
    // What follows the last of them has no tool to read files, or was not run any more.
    codex: ["exec_command", null, 7],
    "gemini-cli": ["run_shell_command", "read_file", 7],
    "qwen-code": ["run_shell_command", "read_file", 7],
    copilot: ["bash", "view", 7],
    opencode: ["bash", null, 5],
  };

for (const [agent, [shell, read, calls]] of Object.entries(recorded)) {
  test(`every call of a real ${agent} is found once, with its session, folder and subagent`, (t) => {
    const name = agent as ScannedAgent;
    const report = new ScannedHome(t).add("recorded", name).scan();
    assert.deepEqual(told(report), [
      subagentReads(shell),
      ...commands(shell),
      ...(read === null ? [] : reads(read)),
    ]);
    assert.deepEqual(
      report.agents.map((counts) => [counts.agent, counts.sessions, counts.calls]),
      [[name, 1, calls]],
    );
    assert.equal(new Set(report.findings.map(({ session }) => session)).size, 1);
    assert.match(report.findings[0]?.session ?? "", /^[\w-]{20,}$/);
    assert.deepEqual(Object.values(report.unread).flat(), [0, 0, 0, 0, 0]);
  });
}

test("Codex 0.53.0 gave its shell a list of words", (t) => {
  const report = new ScannedHome(t).add("recorded-older", "codex").scan();
  assert.deepEqual(told(report), commands("shell"));
});

test("Gemini CLI once wrote a session as one object, of a project it did not name", (t) => {
  const report = new ScannedHome(t).add("made-up", "gemini-cli").scan();
  assert.deepEqual(
    told(report).map(({ call, as, cwd: folder }) => [call, as, folder]),
    [
      ["run_shell_command: git push --force origin main", "force-push", null],
      ["read_file: .env", "read of .env", null],
    ],
  );
  assert.equal(report.findings[0]?.session, "0000aaaa-3e68-4056-a948-024578bfd0fc");
  assert.equal(report.unread.broken_lines, 0);
});

test("OpenCode once wrote a file for every part, and the folder with the message", (t) => {
  const report = new ScannedHome(t).add("made-up", "opencode").scan();
  assert.deepEqual(told(report), commands("bash").slice(2));
  assert.equal(report.findings[0]?.session, "ses_1");
});

test("reading OpenCode's database leaves nothing beside it", (t) => {
  const home = new ScannedHome(t).add("recorded", "opencode");
  const files = () => readdirSync(join(home.folder, "opencode/data/opencode"));
  const before = files();
  home.scan();
  assert.deepEqual(files(), before);
});

test("calls in the log of a database in use are read, however old the database itself is", (t) => {
  const home = new ScannedHome(t).add("recorded", "opencode");
  const file = join(home.folder, "opencode/data/opencode/opencode.db");
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  database.exec(`update part set data = replace(data, 'git push --force', 'git push -f')`);
  utimesSync(file, 0, 0);
  const { findings } = home.scan({ period: { sinceMs: Date.parse("2026-01-01"), words: "since" } });
  assert.ok(findings.some(({ call }) => call === "git push -f origin main"));
});

test("a database that is none is told, and the others are read", (t) => {
  const home = new ScannedHome(t).add("recorded", "opencode").add("recorded", "codex");
  const file = join(home.folder, "opencode/data/opencode/opencode-dev.db");
  writeFileSync(file, "no database".repeat(1_000));
  symlinkSync("opencode.db", join(home.folder, "opencode/data/opencode/opencode-link.db"));
  const { unread, calls } = home.scan();
  assert.deepEqual(
    [unread.files, unread.not_files, calls],
    [[{ file, problem: "file is not a database" }], 1, 12],
  );
});

const cannotUnpack = "zstdCompressSync" in zlib ? false : "this Node packs nothing with Zstandard";

test("sessions that Codex has packed are read; those that cannot be unpacked are told", {
  skip: cannotUnpack,
}, (t) => {
  const home = new ScannedHome(t).add("recorded", "codex");
  const folder = join(home.agentHome("codex"), "sessions");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".jsonl")) continue;
    const file = join(folder, name);
    writeFileSync(`${file}.zst`, zlib.zstdCompressSync(readFileSync(file)));
    rmSync(file);
  }
  writeFileSync(join(folder, "rollout-broken.jsonl.zst"), "packed");
  writeFileSync(
    join(folder, "rollout-large.jsonl.zst"),
    zlib.zstdCompressSync(Buffer.alloc(17 * 1024 * 1024)),
  );
  const { unread, calls } = home.scan();
  assert.equal(calls, 7);
  assert.deepEqual(unread.files.map(({ file }) => basename(file)).toSorted(), [
    "rollout-broken.jsonl.zst",
    "rollout-large.jsonl.zst",
  ]);
  for (const { problem } of unread.files)
    assert.match(problem, /^it is packed, and cannot be unpacked: .*; zstd -d/);
});

test("Copilot CLI once wrote a session as one file, in the folder for states where there is one", (t) => {
  const home = new ScannedHome(t).add("recorded", "copilot");
  const recordedIn = join(home.agentHome("copilot"), "session-state");
  const [session = ""] = readdirSync(recordedIn);
  const state = join(home.folder, "state");
  mkdirSync(join(state, ".copilot/session-state"), { recursive: true });
  renameSync(
    join(recordedIn, session, "events.jsonl"),
    join(state, ".copilot/session-state", `${session}.jsonl`),
  );
  const placeOf = () => ({ home: home.folder, env: { XDG_STATE_HOME: state }, agentHome: null });
  assert.equal(home.scan({ agents: ["copilot"], placeOf }).calls, 7);
});
