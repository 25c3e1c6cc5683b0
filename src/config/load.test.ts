import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { plainHook, problemOf } from "./harness.cases.ts";
import { loadConfig } from "./load.ts";
import { noPolicy } from "./policy/policy-config.ts";

let root = "";
let home = "";
let project = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "swarm-config-")));
  home = join(root, "home");
  project = join(root, "project");
  mkdirSync(home);
  mkdirSync(join(project, "src", "deep"), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const load = (cwd = project, env: Record<string, string> = {}) => loadConfig({ home, cwd, env });
const problem = (cwd?: string, env?: Record<string, string>) =>
  problemOf(() => load(cwd, env)).replaceAll(root, "");
const hook = (name: string, rest = "") =>
  `hooks:\n  - { event: Stop, type: script, command: x, name: ${name} ${rest} }\n`;
const user = (text: string | Uint8Array) => writeFileSync(join(home, "config.yaml"), text);
const inProject = (text: string, folder = "") => writeFileSync(join(project, folder, "swarm.yaml"), text);
const names = (cwd?: string) => load(cwd).hooks.map(({ name }) => name);

test("without any file nothing is configured", () => {
  assert.deepEqual(load(), {
    files: [],
    hooks: [],
    servers: [],
    skipped: [],
    logHooks: "off",
    flags: {},
    sandbox: "off",
    audit: { durability: "process", payloadRetentionDays: 90 },
    approvals: { ttlMs: 3_600_000, waitMs: 0, require: "any" },
    batch: { uploadLimitBytes: 10_737_418_240 },
    retention: { batch: 365, pipeline: 365, drift: 365 },
    policy: noPolicy,
    inbound: [],
    allowedVariables: [],
    plugins: { shellAllowlist: [], options: {} },
    cron: [],
    pipelines: [],
  });
});

test("the user's hooks come first, then the project's, with what the user's file sets", () => {
  user(
    `${hook("mine")}logging: { hooks: debug }\nhooks_enabled: false\nsandbox: strict\nenv: { allow: [CI] }\n`,
  );
  inProject(hook("theirs"));
  const expected = (name: string, file: string, id: string) => ({
    ...plainHook,
    id,
    name,
    source: { file, line: 2, column: 5 },
    event: "turn.end",
    nativeEvent: "Stop",
    mode: "observe",
    action: { kind: "script", argv: null, line: "x", pluginRoot: null },
  });
  const config = load();
  const files = [join(home, "config.yaml"), join(project, "swarm.yaml")] as const;
  assert.deepEqual(config, {
    files: [...files],
    hooks: [
      expected("mine", files[0], config.hooks[0]?.id ?? ""),
      expected("theirs", files[1], config.hooks[1]?.id ?? ""),
    ],
    servers: [],
    skipped: [],
    logHooks: "debug",
    flags: { hooks_enabled: false },
    sandbox: "strict",
    audit: { durability: "process", payloadRetentionDays: 90 },
    approvals: { ttlMs: 3_600_000, waitMs: 0, require: "any" },
    batch: { uploadLimitBytes: 10_737_418_240 },
    retention: { batch: 365, pipeline: 365, drift: 365 },
    policy: noPolicy,
    inbound: [],
    allowedVariables: ["CI"],
    plugins: { shellAllowlist: [], options: {} },
    cron: [],
    pipelines: [],
  });
});

test("the nearest swarm.yaml above the working directory counts, and only that", () => {
  inProject(hook("outer"));
  assert.deepEqual(names(join(project, "src", "deep")), ["outer"]);
  inProject(hook("inner"), "src");
  assert.deepEqual(names(join(project, "src", "deep")), ["inner"]);
  assert.deepEqual(names(), ["outer"]);
});

test("a link leads to the project of the folder it points to", () => {
  inProject(hook("real"));
  symlinkSync(join(project, "src"), join(root, "link"));
  assert.deepEqual(names(join(root, "link")), ["real"]);
});

test("a folder that is gone belongs to the project around it", () => {
  inProject(hook("around"));
  assert.deepEqual(names(join(project, "gone", "deeper")), ["around"]);
});

test("a working directory that is a file belongs to the project around it", () => {
  inProject(hook("around"));
  assert.deepEqual(names(join(project, "swarm.yaml")), ["around"]);
});

test("a project may use the variables the user allows, and no other", () => {
  user("env: { allow: [KEY] }\n");
  const webhook = (name: string) =>
    `hooks:\n  - { event: Stop, type: webhook, url: "http://a/\${${name}}" }\n`;
  inProject(webhook("KEY"));
  const { action } = load(project, { KEY: "k", OTHER: "o" }).hooks[0] ?? {};
  assert.equal(action?.kind === "webhook" && action.url, "http://a/k");
  inProject(webhook("OTHER"));
  assert.equal(
    problem(project, { KEY: "k", OTHER: "o" }),
    'SWARM_CONFIG_VARIABLE /project/swarm.yaml:2:40: url uses the variable "OTHER", which env.allow of the user\'s file does not list',
  );
});

test("the environment turns the logging of hooks on and off", () => {
  assert.equal(load(project, { SWARM_LOG_HOOKS: "debug" }).logHooks, "debug");
  user("logging: { hooks: debug }\n");
  assert.equal(load(project, { SWARM_LOG_HOOKS: "off" }).logHooks, "off");
  assert.equal(load(project, { SWARM_LOG_HOOKS: "" }).logHooks, "debug");
  assert.equal(
    problem(project, { SWARM_LOG_HOOKS: "1" }),
    'SWARM_OPTION_INVALID environment: SWARM_LOG_HOOKS is "1", expected off or debug',
  );
});

test("a name in both files is refused, and both places are named", () => {
  user(hook("same"));
  inProject(hook("same"));
  assert.equal(
    problem(),
    'SWARM_CONFIG_INVALID /project/swarm.yaml:2:5: name "same" is already used at /home/config.yaml:2:5, expected one used once',
  );
});

test("a thousand hooks is the limit for both files together", () => {
  const many = `hooks:\n${"  - { event: Stop, type: script, command: x }\n".repeat(600)}`;
  user(many);
  inProject(many);
  assert.equal(
    problem(),
    "SWARM_CONFIG_INVALID /project/swarm.yaml:402:5: more than 1000 hooks, expected fewer",
  );
});

test("a broken project file is an error, not a project without hooks", () => {
  inProject("hooks: [\n");
  assert.match(problem(), /^SWARM_CONFIG_INVALID \/project\/swarm\.yaml:\d+:\d+: not valid YAML: /);
});

test("what a project skips is listed", () => {
  inProject('{"hooks": {"Setup": [{"hooks": []}]}}');
  assert.deepEqual(load().skipped, [
    {
      source: { file: join(project, "swarm.yaml"), line: 1, column: 12 },
      nativeEvent: "Setup",
      reason: "there is no event for Setup",
    },
  ]);
});

test("a folder in place of a file is an error", () => {
  mkdirSync(join(project, "swarm.yaml"));
  assert.equal(problem(), "SWARM_CONFIG_UNREADABLE /project/swarm.yaml: not a file, expected one");
});

test("a link to nowhere is an error, because its guards would be gone without a word", () => {
  symlinkSync(join(root, "nowhere"), join(project, "swarm.yaml"));
  assert.match(problem(), /^SWARM_CONFIG_UNREADABLE \/project\/swarm\.yaml: cannot be read: ENOENT/);
});

test("a pipe is an error and is not waited for", { skip: process.platform === "win32" && "no pipes" }, () => {
  execFileSync("mkfifo", [join(project, "swarm.yaml")]);
  assert.equal(problem(), "SWARM_CONFIG_UNREADABLE /project/swarm.yaml: not a file, expected one");
});

test("a file that may not be read is an error", { skip: process.platform === "win32" && "no modes" }, () => {
  inProject(hook("hidden"));
  chmodSync(root, 0o755);
  chmodSync(join(project, "swarm.yaml"), 0o000);
  const found = asNobody(() => problem());
  assert.match(found, /^SWARM_CONFIG_UNREADABLE \/project\/swarm\.yaml: cannot be read: EACCES/);
});

test("a folder that may not be looked into is an error", {
  skip: process.platform === "win32" && "no modes",
}, () => {
  chmodSync(root, 0o755);
  chmodSync(home, 0o000);
  const found = asNobody(() => problem());
  assert.match(found, /^SWARM_CONFIG_UNREADABLE \/home\/config\.yaml: cannot be read: EACCES/);
});

/** Root may read everything, and so would see none of these errors. */
function asNobody<T>(call: () => T): T {
  if (process.geteuid?.() !== 0) return call();
  process.seteuid?.(65_534);
  try {
    return call();
  } finally {
    process.seteuid?.(0);
  }
}

test("a file of one mebibyte is read, one byte more is an error", () => {
  const text = hook("big");
  inProject(text + "#".repeat(1024 * 1024 - text.length));
  assert.deepEqual(names(), ["big"]);
  inProject(text + "#".repeat(1024 * 1024 - text.length + 1));
  assert.equal(
    problem(),
    "SWARM_CONFIG_UNREADABLE /project/swarm.yaml: larger than 1048576 bytes, expected fewer",
  );
});

test("a file that is not UTF-8 is an error", () => {
  user(Uint8Array.from([0x61, 0x3a, 0x20, 0xff, 0xfe]));
  assert.equal(problem(), "SWARM_CONFIG_UNREADABLE /home/config.yaml: not UTF-8 text, expected that");
});
