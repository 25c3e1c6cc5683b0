import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { policyFile, ScannedHome } from "./harness.cases.ts";

/** A line of a transcript of Claude Code: one call. */
function line(command: string, fields: Record<string, unknown> = {}, id = command): string {
  const message = { content: [{ type: "tool_use", id, name: "Bash", input: { command } }] };
  const rest = { sessionId: "s1", cwd: "/home/dev/project", timestamp: "2026-11-10T10:00:00.000Z" };
  return JSON.stringify({ type: "assistant", message, ...rest, ...fields });
}

function write(home: ScannedHome, name: string, ...lines: string[]): string {
  const file = join(home.agentHome("claude-code"), "projects/p", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

test("the summary is one sentence: what is denied first, then what is asked about", (t) => {
  const home = new ScannedHome(t);
  const pushes = Array.from({ length: 4 }, (_, index) => line("git push -f", {}, `push${index}`));
  const reads = Array.from({ length: 11 }, (_, index) => line("cat .env", {}, `read${index}`));
  write(home, "a.jsonl", ...reads, ...pushes, line("rm -rf ~/other"), line("ls"));
  const period = { sinceMs: null, words: "in 30 days" };
  const { summary, counts, calls } = home.scan({ period });
  assert.equal(summary, "in 30 days: 4 force-pushes, 1 rm -rf outside the project, 11 reads of .env");
  assert.deepEqual([counts.deny, counts.ask, calls], [5, 11, 17]);
});

test("nothing to deny or ask about is said, with how much was looked at", (t) => {
  const home = new ScannedHome(t);
  write(home, "a.jsonl", line("ls"), line("npm test"));
  assert.equal(home.scan().summary, "in all transcripts: nothing to deny or to ask about, in 2 tool calls");
});

test("a call counts by its own time; a file that was last written before is not opened", (t) => {
  const home = new ScannedHome(t);
  const old = write(home, "old.jsonl", line("git push -f", { timestamp: "2026-11-15T10:00:00Z" }));
  utimesSync(old, 0, Date.parse("2026-11-01") / 1_000);
  write(
    home,
    "a.jsonl",
    line("cat .env", { timestamp: "2026-11-09T23:59:59Z" }),
    line("cat .env", { timestamp: "2026-11-10T00:00:00Z" }),
    line("cat .env.local", { timestamp: "nonsense" }),
  );
  const sinceMs = Date.parse("2026-11-10T00:00:00Z");
  const { calls, older_files, findings, since } = home.scan({ period: { sinceMs, words: "since" } });
  assert.deepEqual([calls, older_files, since], [2, 1, "2026-11-10T00:00:00.000Z"]);
  // Without a time of its own, a call is taken to be as old as the file.
  assert.equal(findings[0]?.call, "cat .env.local");
});

test("a call that a resumed session has copied counts once; the same command again counts again", (t) => {
  const home = new ScannedHome(t);
  write(home, "a.jsonl", line("git push -f", {}, "toolu_1"), line("git push -f", {}, "toolu_2"));
  write(home, "b.jsonl", line("git push -f", { sessionId: "s2" }, "toolu_1"));
  const { calls, counts } = home.scan();
  assert.deepEqual([calls, counts.deny], [2, 2]);
});

test("lines that are broken, too long or made to take memory are counted, and the others read", (t) => {
  const home = new ScannedHome(t);
  const deep = `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":${"[".repeat(3_000)}${"]".repeat(3_000)}}]}}`;
  write(
    home,
    "a.jsonl",
    "not json",
    '"a text"',
    '{"cut off',
    `{"x":"${"x".repeat(5 * 1024 * 1024)}"}`,
    `{"x":[${"[],".repeat(300_000)}0]}`,
    deep,
    line("git push -f"),
  );
  const { unread, counts } = home.scan();
  const { broken_lines, long_lines, unjudged_calls } = unread;
  assert.deepEqual([broken_lines, long_lines, unjudged_calls, counts.deny], [3, 2, 1, 1]);
});

test("lines of any other shape are no calls and do no harm", (t) => {
  const home = new ScannedHome(t);
  const shapes = [
    null,
    5,
    "x",
    [],
    {},
    [null],
    { content: null },
    { content: [null, 5, { type: "tool_use" }] },
  ];
  const hostile = shapes.flatMap((message) => [
    JSON.stringify({ type: "assistant", message }),
    JSON.stringify({ type: "assistant", message, sessionId: 5, cwd: {}, timestamp: [] }),
  ]);
  const inputs = [null, 5, "x", [], { command: { a: 1 } }, { command: [1, 2] }, { command: null }];
  const odd = inputs.map((input) =>
    JSON.stringify({
      type: "assistant",
      timestamp: 9e99,
      cwd: "relative",
      message: { content: [{ type: "tool_use", name: "Bash", id: {}, input }] },
    }),
  );
  write(home, "a.jsonl", ...hostile, ...odd, line("git push -f", { cwd: `/${"x/".repeat(3_000)}` }));
  const { calls, counts, unread } = home.scan();
  assert.deepEqual([calls, counts.deny, unread.unjudged_calls, unread.broken_lines], [8, 1, 0, 0]);
});

test("links and pipes in a transcript's place are not followed, but told", (t) => {
  const home = new ScannedHome(t);
  const file = write(home, "a.jsonl", line("git push -f"));
  symlinkSync(file, join(dirname(file), "link.jsonl"));
  symlinkSync(dirname(file), join(dirname(file), "round"));
  execFileSync("mkfifo", [join(dirname(file), "pipe.jsonl")]);
  const { unread, calls } = home.scan();
  assert.deepEqual([unread.not_files, calls], [2, 1]);
});

test("a file that may not be read is named, and the others are read", (t) => {
  if (process.getuid?.() === 0) return t.skip("root may read everything");
  const home = new ScannedHome(t);
  write(home, "a.jsonl", line("git push -f"));
  const file = write(home, "b.jsonl", line("git push -f"));
  chmodSync(file, 0);
  const { unread, calls } = home.scan();
  assert.deepEqual([unread.files.map((each) => each.file), calls], [[file], 1]);
});

test("secrets in what is shown are replaced, and long calls cut", (t) => {
  const home = new ScannedHome(t);
  const token = `ghp_${"a1".repeat(20)}`;
  write(
    home,
    "a.jsonl",
    line(`git push -f https://x:${token}@example.org/r`),
    line(`git push -f ${"x".repeat(2_000_000)}`),
  );
  const { findings } = home.scan();
  assert.equal(JSON.stringify(findings).includes(token), false);
  assert.deepEqual(
    findings.map(({ call }) => [call.includes("[redacted]"), call.length <= 1_001]).toSorted(),
    [
      [false, true],
      [true, true],
    ],
  );
});

test("very many kinds of findings become few groups", (t) => {
  const home = new ScannedHome(t);
  write(home, "a.jsonl", ...Array.from({ length: 700 }, (_, index) => line(`cat ${index}.key`)));
  const { groups, counts } = home.scan();
  assert.equal(groups.length, 501);
  const [largest] = groups;
  assert.deepEqual([largest?.summary, counts.ask], ["200 calls under starter/secrets", 700]);
});

test("a policy that is tried is compared call by call with the one in force", (t) => {
  const home = new ScannedHome(t);
  write(
    home,
    "a.jsonl",
    ...["git push -f", "cat .env", "npm publish", "terraform destroy", "docker ps", "ls"].map((command) =>
      line(command),
    ),
  );
  const tried = join(home.folder, "tried.yaml");
  writeFileSync(
    tried,
    `rules:
  - { id: my/push, behaviour: ask, when: { detect: git_overwrites_remote } }
  - { id: my/destroy, behaviour: deny, when: { command: [terraform destroy] }, reason: never here }
  - { id: my/docker, behaviour: ask, when: { command: [docker ps] } }
  - { id: my/publish, behaviour: ask, when: { command: [npm publish] } }
  - { id: my/ls, behaviour: allow, when: { command: [ls] } }
`,
  );
  const starter = home.scan();
  assert.deepEqual([starter.counts.deny, starter.counts.ask, starter.compared_with], [1, 2, null]);
  const report = home.scan({
    policy: policyFile(tried),
    inForce: policyFile(join(import.meta.dirname, "../../../policies/starter.yaml")),
  });
  assert.deepEqual(
    report.findings.map(({ call, change, before, verdict, rule }) => [
      call,
      change,
      `${before?.verdict} by ${before?.rule}`,
      `${verdict} by ${rule}`,
    ]),
    [
      ["git push -f", "asked_instead_of_denied", "deny by starter/git-overwrite-remote", "ask by my/push"],
      ["cat .env", "newly_let_through", "ask by starter/secrets", "none by null"],
      ["terraform destroy", "newly_denied", "none by null", "deny by my/destroy"],
      ["docker ps", "newly_asked", "none by null", "ask by my/docker"],
      ["ls", "newly_allowed", "none by null", "allow by my/ls"],
    ],
  );
  assert.equal(
    report.summary,
    "in all transcripts tried.yaml would newly deny 1 call, newly ask about 1 call, ask about 1 instead of denying, " +
      "newly let 1 call through, allow 1 call without the agent asking, of 6 tool calls",
  );
  assert.deepEqual(
    report.groups.map(({ summary, rule, change }) => [summary, rule, change]),
    [
      ["1 run of terraform destroy", "my/destroy", "newly_denied"],
      ["1 force-push", "my/push", "asked_instead_of_denied"],
      ["1 run of docker ps", "my/docker", "newly_asked"],
      ["1 call under my/ls", "my/ls", "newly_allowed"],
      ["1 read of .env", "starter/secrets", "newly_let_through"],
    ],
  );
});

test("a policy that changes nothing is said to", (t) => {
  const home = new ScannedHome(t);
  write(home, "a.jsonl", line("git push -f"));
  const inForce = policyFile(join(import.meta.dirname, "../../../policies/starter.yaml"));
  const { summary, findings } = home.scan({ policy: inForce, inForce });
  assert.equal(summary, "in all transcripts starter.yaml would change nothing, of 1 tool call");
  assert.deepEqual(findings, []);
});
