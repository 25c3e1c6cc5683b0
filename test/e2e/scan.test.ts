import assert from "node:assert/strict";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { bin, type Ended, endOf, noTerminal, onTerminal, Place } from "./harness.ts";

/** Variables that lead agents elsewhere. */
const elsewhere = {
  CLAUDE_CONFIG_DIR: undefined,
  CODEX_HOME: undefined,
  GEMINI_CLI_HOME: undefined,
  QWEN_HOME: undefined,
  QWEN_RUNTIME_DIR: undefined,
  COPILOT_HOME: undefined,
  XDG_DATA_HOME: undefined,
};

/** Somebody whose agents have been at work. */
class Person extends Place {
  readonly user = join(this.folder, "user");
  readonly own = { ...elsewhere, HOME: this.user };
  /** Of Claude Code. */
  readonly transcripts = join(this.user, ".claude/projects/p");

  constructor(t: TestContext) {
    super(t);
    mkdirSync(this.transcripts, { recursive: true });
  }

  scan(...args: string[]): Promise<Ended> {
    return endOf(this.start(process.execPath, [bin, "scan", ...args], this.own));
  }

  did(...commands: string[]): this {
    const lines = commands.map((command, index) => this.line(command, `toolu_${index}`));
    writeFileSync(join(this.transcripts, "s1.jsonl"), lines.join(""));
    return this;
  }

  line(command: string, id: string, timeMs = Date.now()): string {
    const message = { content: [{ type: "tool_use", id, name: "Bash", input: { command } }] };
    const timestamp = new Date(timeMs).toISOString();
    return `${JSON.stringify({ type: "assistant", sessionId: "s1", cwd: "/srv/shop", timestamp, message })}\n`;
  }
}

test("swarm scan tells what the starter policy would have said, with the session, the rule and the reason", async (t) => {
  const { status, stdout, stderr } = await new Person(t)
    .did("git push --force", "cat .env", "rm -rf /srv/other", "cat .env", "ls")
    .scan();
  assert.deepEqual([status, stderr], [0, ""]);
  const lines = stdout.split("\n");
  assert.equal(lines[0], "in 30 days: 1 force-push, 1 rm -rf outside the project, 2 reads of .env");
  assert.equal(
    lines[1],
    "5 tool calls in 1 session (claude-code 1); the starter policy would have denied 2 and asked about 2",
  );
  assert.match(
    stdout,
    /^deny {2}1 force-push {2}starter\/git-overwrite-remote: this overwrites or deletes what others may have pulled$/m,
  );
  assert.match(
    stdout,
    /^ {2}\d{4}-\d\d-\d\d \d\d:\d\dZ {2}claude-code {2}s1 +\/srv\/shop {2}Bash: git push --force$/m,
  );
});

test("without transcripts it says where it looked, and that is no failure", async (t) => {
  const person = new Person(t);
  const { status, stdout } = await person.scan();
  assert.equal(status, 0);
  assert.match(stdout, /^no transcripts found: looked in .*\/user\/\.claude\/projects, .*\/opencode\n$/);
});

test("--json is whole and keeps its shape", async (t) => {
  const person = new Person(t).did("git push --force");
  const { stdout } = await person.scan("--json", "--since", "all", "--agent", "claude-code");
  const report = JSON.parse(stdout);
  const { until, looked_in, findings, ...rest } = report;
  assert.deepEqual(rest, {
    version: 1,
    summary: "in all transcripts: 1 force-push",
    since: null,
    policy: "starter",
    compared_with: null,
    agents: [{ agent: "claude-code", files: 1, sessions: 1, calls: 1 }],
    older_files: 0,
    calls: 1,
    counts: {
      deny: 1,
      ask: 0,
      newly_denied: 0,
      newly_asked: 0,
      asked_instead_of_denied: 0,
      newly_let_through: 0,
      newly_allowed: 0,
    },
    groups: [
      {
        id: 1,
        label: "force-push",
        verdict: "deny",
        rule: "starter/git-overwrite-remote",
        reason: "this overwrites or deletes what others may have pulled",
        change: null,
        count: 1,
        summary: "1 force-push",
      },
    ],
    not_listed: 0,
    unread: {
      long_lines: 0,
      broken_lines: 0,
      unjudged_calls: 0,
      not_files: 0,
      files: [],
      files_not_listed: 0,
    },
  });
  const [{ time, ...finding }] = findings;
  assert.deepEqual(finding, {
    agent: "claude-code",
    session: "s1",
    subagent: null,
    cwd: "/srv/shop",
    tool: "Bash",
    call: "git push --force",
    group: 1,
    verdict: "deny",
    rule: "starter/git-overwrite-remote",
    reason:
      "this overwrites or deletes what others may have pulled (git push --force) [starter/git-overwrite-remote]",
    file: join(person.transcripts, "s1.jsonl"),
    change: null,
    before: null,
  });
  assert.match(`${time} ${until}`, /^\S+T\S+Z \S+T\S+Z$/);
  assert.deepEqual(looked_in, [
    join(person.user, ".claude/projects"),
    join(person.user, ".config/claude/projects"),
  ]);
});

test("a policy is tried against the user's own, and against the starter policy where there is none", async (t) => {
  const person = new Person(t).did("git push --force", "terraform destroy");
  person.write(
    "tried.yaml",
    "rules: [{ id: my/destroy, behaviour: deny, when: { command: [terraform destroy] }, reason: not here }]\n",
  );
  const first = await person.scan("--policy", "tried.yaml");
  assert.match(
    first.stdout,
    /^in 30 days tried\.yaml would newly deny 1 call, newly let 1 call through, of 2 tool calls\n.*compared with starter\n/,
  );
  assert.match(
    first.stdout,
    /newly denied: 1 call\n\ndeny {2}1 run of terraform destroy {2}my\/destroy: not here\n/,
  );
  assert.match(
    first.stdout,
    /newly let through: 1 call\n\npasses {2}1 force-push {2}starter\/git-overwrite-remote: /,
  );
  mkdirSync(person.home, { recursive: true });
  const config = join(person.home, "config.yaml");
  writeFileSync(
    config,
    "policy: { rules: [{ id: own/destroy, behaviour: deny, when: { command: [terraform destroy] } }] }\n",
  );
  const second = await person.scan("--policy", "tried.yaml");
  assert.match(second.stdout, /^in 30 days tried\.yaml would change nothing, of 2 tool calls\n/);
  assert.ok(second.stdout.includes(`compared with ${config}\n`));
});

test("--html writes a page for its owner alone, and never over a file", async (t) => {
  const person = new Person(t).did("git push --force '<script>'");
  const { status, stdout } = await person.scan("--html", "report.html");
  const page = join(person.project, "report.html");
  assert.equal(status, 0);
  assert.match(stdout, /\nwrote .*report\.html\n$/);
  assert.equal(statSync(page).mode & 0o777, 0o600);
  assert.match(readFileSync(page, "utf8"), /git push --force &#39;&lt;script&gt;&#39;/);
  const again = await person.scan("--html", "report.html");
  assert.equal(again.status, 64);
  assert.match(again.stderr, /report\.html is there already, expected a name for a new file/);
  const nowhere = await person.scan("--html", "none/report.html");
  assert.deepEqual([nowhere.status, existsSync(join(person.project, "none"))], [64, false]);
});

test("what is asked for wrongly is said, with what would be right", async (t) => {
  const person = new Person(t);
  for (const [args, problem] of [
    [["--since", "yesterday"], /--since is "yesterday", expected 12h, 30d, 8w, a date or all/],
    [
      ["--agent", "claude-cod"],
      /there are no transcripts of "claude-cod" to read, did you mean claude-code\?/,
    ],
    [["--agent", "cursor"], /expected claude-code, codex, gemini-cli, qwen-code, copilot, opencode/],
    [["--policy", "none.yaml"], /none\.yaml.*there is no such file/],
  ] as const) {
    const { status, stderr } = await person.scan(...args);
    assert.notEqual(status, 0);
    assert.match(stderr, problem);
  }
});

test("what a transcript says cannot steer the terminal", async (t) => {
  const person = new Person(t).did("git push --force \u001b]0;owned\u0007\u202e\nsecond line");
  const { stdout } = await person.scan();
  assert.match(stdout, /Bash: git push --force \\u\{1b\}\]0;owned\\u\{7\}\\u\{202e\}\\u\{a\}second line/);
});

test("on a terminal it tells how far it is, and leaves nothing of that behind", {
  skip: noTerminal,
}, async (t) => {
  const person = new Person(t);
  // Enough that it is not done before the first look.
  const commands = Array.from({ length: 3_000 }, (_, index) => person.line(`ls ${index}`, `toolu_${index}`));
  for (const name of ["a", "b", "c", "d"])
    writeFileSync(join(person.transcripts, `${name}.jsonl`), commands.join(""));
  const { stdout } = await endOf(onTerminal(person, ["scan"], person.own));
  const overwritten = "\r\u001b[K";
  assert.match(stdout.split(overwritten)[1] ?? "", /^reading transcripts: \d+ % of \d+\.\d MB$/);
  assert.ok(stdout.split(overwritten).at(-1)?.includes("in 30 days: nothing to deny"), stdout);
});

test("64 MB in one file, with a line of 30 MB and lines made to take memory, take less than 200 MB", async (t) => {
  const person = new Person(t);
  const file = openSync(join(person.transcripts, "large.jsonl"), "w");
  const result = `${JSON.stringify({ type: "user", message: { content: "lorem \\n ipsum ".repeat(2_000) } })}\n`;
  let written = 0;
  const put = (text: string): void => {
    written += writeSync(file, text);
  };
  put('{"type":"assistant","x":"');
  for (let count = 0; count < 30; count++) put("x".repeat(1024 * 1024));
  put('"}\n');
  for (let count = 0; count < 4; count++) {
    put(`{"type":"assistant","x":[${"[],".repeat(1_000_000)}0]}\n`);
    put(`{"type":"assistant","x":${"[".repeat(1_500_000)}${"]".repeat(1_500_000)}}\n`);
  }
  let calls = 0;
  for (; written < 64 * 1024 * 1024; calls++) put(person.line("git push --force", `toolu_${calls}`) + result);
  closeSync(file);
  const preload = join(import.meta.dirname, "fixtures", "peak-memory.cjs");
  const args = ["--require", preload, bin, "scan", "--json"];
  const { status, stdout, stderr } = await endOf(person.start(process.execPath, args, person.own));
  assert.equal(status, 0, stderr);
  const report = JSON.parse(stdout);
  assert.deepEqual([report.calls, report.counts.deny, report.unread.long_lines], [calls, calls, 9]);
  const peak = Number(/^peak (\d+) MiB$/m.exec(stderr)?.[1] ?? assert.fail(stderr));
  t.diagnostic(`peak ${peak} MiB`);
  assert.ok(peak < 200, `${peak} MiB`);
});
