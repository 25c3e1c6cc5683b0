import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { SwarmError } from "../../base/errors.ts";
import { trustLines } from "./cli/trust-lines.ts";
import type { Config, HookConfig, ServerConfig } from "../../config/hook-config.ts";
import { loadConfig } from "../../config/load.ts";
import { TrustBook } from "./book.ts";
import { definitionOf, fingerprintWith } from "./definition.ts";
import { describeProject, storedDefinition } from "./describe.ts";
import { type Judge, judgeProject } from "./judge.ts";
import { keep } from "./snapshot.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-shown-")));
after(() => rmSync(folder, { recursive: true }));
const [home, cwd] = [join(folder, "home"), join(folder, "project")];
for (const made of [home, cwd]) mkdirSync(made);
writeFileSync(
  join(home, "config.yaml"),
  "hooks:\n  - { event: Stop, type: command, name: own, command: 'true' }\n",
);
for (const name of ["a.sh", "b.mjs"]) writeFileSync(join(cwd, name), "#!/bin/sh\n", { mode: 0o755 });

const fingerprint = fingerprintWith(() => "key");

/** Words that run something, and words meant to look like what they are not. */
const word = fc.oneof(
  fc.constantFrom(
    "./a.sh",
    "sh",
    "node",
    "./b.mjs",
    "a.sh",
    "-c",
    "&&",
    ";",
    "|",
    "#",
    "'x'",
    '"y"',
    "$(./a.sh)",
  ),
  fc.constantFrom(
    "\n",
    "\r",
    "\x1b[2J",
    "\u202e",
    "\u200b",
    "\u2028",
    "\\",
    "`",
    "untrusted, a guard for tool.before",
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);
const line = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const event = fc.constantFrom("tool.before", "PreToolUse", "task.created", "notification", "on_start");
const program = fc.oneof(
  fc.record({ command: line }),
  fc.record({ args: fc.array(word, { minLength: 1, maxLength: 4 }) }),
);
const ours = fc
  .tuple(
    fc.record({ event, type: fc.constantFrom("command", "script", "blocking_script") }),
    program,
    fc.record(
      {
        name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
        priority: fc.integer({ min: -5, max: 5 }),
        timeout_s: fc.integer({ min: 1, max: 60 }),
        files: fc.constantFrom([], ["*.sh"], ["b.mjs"]),
        on_failure: fc.constantFrom("allow", "deny"),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([kind, runs, more]) => ({ ...kind, ...runs, ...more }));
const claudes = fc
  .record({ matcher: fc.constantFrom("", "Bash", "Write|Edit"), command: line })
  .map(({ matcher, command }) => ({ PreToolUse: [{ matcher, hooks: [{ type: "command", command }] }] }));
const files = fc.oneof(fc.array(ours, { minLength: 1, maxLength: 5 }), claudes);

/** The configuration of a generated file; null when it is none. */
function load(hooks: unknown): Config | null {
  writeFileSync(
    join(cwd, "swarm.yaml"),
    JSON.stringify({ hooks, mcp_servers: { s: { command: "./a.sh" } } }),
  );
  try {
    return loadConfig({ home, cwd, env: {} });
  } catch (error) {
    if (error instanceof SwarmError) return null;
    throw error;
  }
}

const judgeBy = (book: TrustBook): Judge => ({ home, book, fingerprint, isEnabled: () => true });
const nobody = () => new TrustBook({ trusted: [], ignored: [] });

/** What the lines of a definition say is run: the other way round from how they were made. */
function runBy(definition: readonly string[]): { argv: unknown; line: string | null } {
  const args = definition.find((each) => each.startsWith("args: "));
  if (args !== undefined) return { argv: JSON.parse(args.slice("args: ".length)), line: null };
  const from = definition.indexOf("command:") + 1;
  const to = definition.findIndex((each, index) => index >= from && !each.startsWith("  "));
  const lines = definition.slice(from, to === -1 ? undefined : to).map((each) => each.slice(2));
  return { argv: null, line: lines.join("\n") };
}

test("what is shown is what runs once it is approved, no more and no less, and nothing of it before", () => {
  let loaded = 0;
  fc.assert(
    fc.property(files, (hooks) => {
      const config = load(hooks);
      fc.pre(config !== null && config.hooks.length > 1);
      loaded++;
      const book = nobody();
      const judge = judgeBy(book);
      const runnable = () =>
        judgeProject(config, cwd, judge)
          .hooks.filter((judged) => judged.runnable !== null && judged.state !== "own")
          .map(({ hook }) => hook);
      assert.deepEqual(runnable(), []);
      const { described, examined } = describeProject(config, cwd, judge);
      for (const each of examined) keep(home, each);
      const { file } = described;
      const rows = examined.map(({ hook, digest, definition, files: covered }) => ({
        file,
        hook_id: hook.id,
        name: hook.name,
        is_guard: hook.onFailure === "deny",
        digest,
        definition: storedDefinition(definition),
        files: covered.map(({ place, sha256 }) => ({ place, sha256 })),
        time: "2026-01-01T00:00:00.000Z",
        actor: "human:ada",
      }));
      book.apply({ kind: "trust_approved", file, hooks: rows });
      const shown = described.hooks.map(({ id, definition }) => ({ id, ...runBy(definition) }));
      const run = runnable().map(({ id, action }) => ({
        id,
        argv: "argv" in action ? action.argv : null,
        line: "argv" in action ? action.line : null,
      }));
      assert.deepEqual(shown, run);
    }),
    { numRuns: 200 },
  );
  assert.ok(loaded > 50, `${loaded} files`);
});

test("what is printed has a line for each hook and none that looks like another, whatever stands in the file", () => {
  fc.assert(
    fc.property(files, (hooks) => {
      const config = load(hooks);
      fc.pre(config !== null && config.hooks.length > 1);
      const { described } = describeProject(config, cwd, judgeBy(nobody()));
      const printed = trustLines(described, true).join("");
      assert.doesNotMatch(printed, /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029\u200b]/u);
      const heads = printed
        .split("\n")
        .filter((text) => /^[^ ].*: untrusted, (?:a|no) guard for /.test(text));
      assert.equal(heads.length, described.hooks.length);
    }),
    { numRuns: 200 },
  );
});

test("a name of blanks stands at the margin, and not among the lines of another hook", () => {
  const config = load([
    { event: "tool.before", type: "command", args: ["./a.sh"], name: " " },
    { event: "tool.before", type: "command", args: ["./a.sh"], name: "  x" },
  ]);
  const { described } = describeProject(config ?? assert.fail(), cwd, judgeBy(nobody()));
  const printed = trustLines(described, true).join("");
  assert.match(printed, /^\\u\{20\}: untrusted, /m);
  assert.match(printed, /^\\u\{20\}\\u\{20\}x: untrusted, /m);
});

test("every value of a hook that decides what runs, and when, is in what is shown", () => {
  const config = load([
    { event: "tool.before", type: "command", name: "it", args: ["./a.sh"] },
    { event: "tool.before", type: "http", name: "asks", url: "http://a", secret: "s", headers: { a: "b" } },
    { event: "tool.before", type: "mcp_tool", name: "calls", server: "s", tool: "t" },
    { event: "tool.before", type: "webhook", name: "sends", url: "http://a", secret: "s" },
  ]);
  const [, program, request, tool, sent] = config?.hooks ?? [];
  const vary = (hook: HookConfig | undefined, others: Record<string, unknown>, within: "hook" | "action") => {
    const given = hook ?? assert.fail();
    const before = definitionOf(given, [], fingerprint);
    for (const [key, value] of Object.entries(others)) {
      const other =
        within === "hook"
          ? { ...given, [key]: value }
          : { ...given, action: { ...given.action, [key]: value } };
      assert.notDeepEqual(definitionOf(other as HookConfig, [], fingerprint), before, key);
    }
    return Object.keys(others);
  };
  const placed = ["id", "source", "plugin"]; // where it is, which the decision is stored by
  const common = vary(
    program,
    {
      name: "other",
      dialect: "claude",
      event: "tool.after",
      nativeEvent: "PRE_TOOL",
      match: "Bash",
      when: { role: "qa" },
      priority: 1,
      mode: "guard",
      onFailure: "deny",
      onDenied: true,
      timeoutMs: 1,
    },
    "hook",
  );
  assert.deepEqual([...common, ...placed, "action"].sort(), Object.keys(program ?? {}).sort());
  vary(program, { kind: "script", argv: ["./b.mjs"], files: ["b.mjs"] }, "action");
  vary(
    request,
    {
      url: "http://b",
      secret: "t",
      previousSecret: "u",
      headers: { a: "c" },
      allowPrivate: ["loopback"],
    },
    "action",
  );
  vary(
    sent,
    { url: "http://b", secret: "t", retry: 7, maxAgeMs: 1_000, legacyPrefix: "X", isUnsigned: true },
    "action",
  );
  vary(tool, { server: null, tool: "u" }, "action");
  const [server = assert.fail()] = config?.servers ?? [];
  const withServer = (other: object, written: object) => {
    const changed = { ...server, transport: { ...server.transport, ...other }, written } as ServerConfig;
    return definitionOf(tool ?? assert.fail(), [changed], fingerprint);
  };
  const shown = [
    withServer({}, {}),
    withServer({ argv: ["./b.mjs"] }, {}),
    withServer({ cwd: "/" }, {}),
    withServer({ files: ["b.mjs"] }, {}),
    withServer({}, { env: { NODE_OPTIONS: "--require=./evil.cjs" } }),
    withServer({}, { env: { API_TOKEN: "x" } }),
    withServer({}, { env: { API_TOKEN: "y" } }),
    withServer({ kind: "http", allowPrivate: [] }, { url: "http://a" }),
    withServer({ kind: "http", allowPrivate: ["loopback"] }, { url: "http://a" }),
    withServer({ kind: "http", allowPrivate: [] }, { url: "http://a", headers: { a: "b" } }),
  ].map((lines) => lines.join("\n"));
  assert.equal(new Set(shown).size, shown.length);
  assert.match(shown[4] ?? "", /^ {2}env NODE_OPTIONS: "--require=\.\/evil\.cjs"$/m);
});
