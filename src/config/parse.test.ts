import assert from "node:assert/strict";
import { test } from "node:test";
import { idPattern } from "../base/ids.ts";
import { parse, refusal } from "./harness.cases.ts";
import { fileKeys } from "./keys.ts";
import { parseConfigText } from "./parse.ts";

const nothing = {
  hooks: [],
  servers: [],
  skipped: [],
  logHooks: "off",
  flags: {},
  sandbox: "off",
  autoStart: true,
  audit: { durability: "process", payloadRetentionDays: 90 },
  approvals: { ttlMs: 3_600_000, waitMs: 0, require: "any" },
  batch: { uploadLimitBytes: 10_737_418_240 },
  retention: { batch: 365, pipeline: 365, drift: 365 },
  inbound: [],
  policy: null,
  policyExceptions: null,
  redact: null,
  allowedVariables: [],
  plugins: { shellAllowlist: [], options: {} },
  cron: [],
  pipelines: [],
};

test("a file that says nothing leaves everything at its default", () => {
  for (const text of ["", "# remark\n", "{}", "hooks:\n", "hooks: []", "hooks: {}", "$schema: x\n"]) {
    assert.deepEqual(parse(text), nothing);
  }
});

test("the user's file sets what is logged, what may be read, how programs are held, and whether hooks run at all", () => {
  const text =
    "hooks_enabled: false\nsandbox: strict\nauto_start: false\nlogging: { hooks: debug }\nenv: { allow: [CI, _X1] }\n";
  assert.deepEqual(parse(text), {
    ...nothing,
    flags: { hooks_enabled: false },
    sandbox: "strict",
    autoStart: false,
    logHooks: "debug",
    allowedVariables: ["CI", "_X1"],
  });
});

/** All a file may say that is not the user's own. */
const anybodys = ["$schema", "description", "hooks", "mcp_servers", "policy", "redact", "cron", "pipelines"];
const usersKeys: Readonly<Record<string, string>> = {
  hooks_enabled: "true",
  cron_scheduler: "false",
  metrics: "true",
  traces: "true",
  sandbox: "off",
  auto_start: "false",
  logging: "{ hooks: debug }",
  audit: "{ durability: process }",
  approvals: "{ ttl_s: 60 }",
  batch: "{ upload_limit_mb: 1 }",
  retention: "{ batch_days: 30 }",
  policy_exceptions: "[]",
  inbound: "{ relay: { secret: s } }",
  env: "{ allow: [HOME] }",
  plugin_shell_hooks_enabled: "true",
  plugin_shell_allowlist: "[id]",
  plugin_options: "{ p: { luhn: true } }",
};

test("whatever a file may set besides its hooks and their servers is the user's alone to set", () => {
  assert.deepEqual(Object.keys(fileKeys).sort(), [...anybodys, ...Object.keys(usersKeys)].sort());
});

for (const [key, value] of Object.entries(usersKeys)) {
  const line = `${key}: ${value}`;
  test(`${key} is refused in a project's and in a plugin's file`, () => {
    const text = `hooks: []\n${line}\n`;
    const problem = (rest: string) => `2:1: ${key} belongs in the user's config.yaml, ${rest}`;
    const projects = problem("a project's file may only add hooks and servers");
    assert.equal(refusal(text, { owner: "project" }), projects);
    const plugins = problem("a plugin's file may only add hooks");
    assert.equal(refusal(text, { owner: { plugin: "p", root: "/p" } }), plugins);
  });
}

test("no word for a flag, an environment, an endpoint or a root is one a project's file or hook has", () => {
  const words = ["log_hooks", "allowed_variables", "durability", "environment", "endpoint", "server_url"];
  for (const word of [
    ...words,
    "token",
    "home",
    "root",
    "plugin_root",
    "cwd",
    "trust",
    "trusted",
    "__proto__",
  ]) {
    const own = refusal(`hooks: []\n${word}: x\n`, { owner: "project" });
    assert.match(own, /^2:1: unknown key ".*" in the file/, word);
    const hook = `hooks: [{ event: Stop, type: command, command: x, ${word}: x }]`;
    assert.match(refusal(hook, { owner: "project" }), /^1:51: unknown key ".*" in the hook/, word);
  }
  const hook = "hooks: [{ event: Stop, type: command, command: x, env: { A: b } }]";
  assert.equal(refusal(hook, { owner: "project" }), '1:51: unknown key "env" in the hook');
});

test("the files a program needs are paths and globs below the file's own folder", () => {
  const hook = (files: string) => `hooks: [{ event: Stop, type: command, command: x, files: ${files} }]`;
  const [read] = parse(hook("[lib/**, a.sh]")).hooks;
  assert.deepEqual(read?.action.kind === "command" && read.action.files, ["lib/**", "a.sh"]);
  assert.match(
    refusal(hook("[/etc/passwd]")),
    /^1:58: files has "\/etc\/passwd", expected paths from this file's/,
  );
  assert.match(refusal(hook("[../a]")), /^1:58: .*expected a path without \.\./);
  assert.match(refusal(hook("lib")), /^1:58: files is "lib", expected a list of paths and globs/);
});

test("the user's file says which programs plugins may run, and what their functions are given", () => {
  const text = `plugin_shell_hooks_enabled: true
plugin_shell_allowlist: [git diff --stat, '\${acme-bfsi}/hooks/mask.sh "a b"']
plugin_options: { acme-bfsi: { luhn: true, list: [1, { a: null }] } }
`;
  const word = (written: string) => ({ plugin: null, text: written });
  assert.deepEqual(parse(text).plugins, {
    shellAllowlist: [
      [word("git"), word("diff"), word("--stat")],
      [{ plugin: "acme-bfsi", text: "hooks/mask.sh" }, word("a b")],
    ],
    options: { "acme-bfsi": { luhn: true, list: [1, { a: null }] } },
  });
});

const refused: Readonly<Record<string, readonly [text: string, problem: string]>> = {
  "a line for a shell among those plugins may run": [
    "plugin_shell_allowlist: [git status | sh]",
    '1:25: plugin_shell_allowlist has "git status | sh", expected a program with its arguments: "|" is not a plain word, expected letters, digits, spaces and _ . , : = @ % + / - without ..',
  ],
  "a variable that is no plugin": [
    "plugin_shell_allowlist: ['$(id)/x']",
    '1:25: plugin_shell_allowlist has "$(id)/x", expected a program with its arguments: "$(id)/x" is not a plain word, expected letters, digits, spaces and _ . , : = @ % + / - without ..',
  ],
  "plugins that are switched on by a word": [
    "plugin_shell_hooks_enabled: 'yes'",
    '1:29: plugin_shell_hooks_enabled is "yes", expected true or false',
  ],
  "options of what cannot be a plugin": [
    "plugin_options: { a/b: {} }",
    '1:19: "a/b" is not the name of a plugin',
  ],
  "options that are no map": ["plugin_options: { a: 1 }", "1:22: options of a are not a map, expected one"],
  "a misspelt key": ["hoks: []", '1:1: unknown key "hoks" in the file, did you mean "hooks"?'],
  "a key far from all": ["hooks: []\nbanana: 1", '2:1: unknown key "banana" in the file'],
  "a key of every object": ["hooks: []\nconstructor: 1", '2:1: unknown key "constructor" in the file'],
  "the key __proto__": ["hooks: []\n__proto__: { hooks: [] }", '2:1: unknown key "__proto__" in the file'],
  "a file of somebody else": [
    "banana: 1",
    "1:1: the file has no key that is known, expected one such as hooks or policy",
  ],
  "a file that is a list": ["- a", "1:1: the file is a list, expected a map"],
  "a file that is a text": ["hello", "1:1: the file is a text, expected a map"],
  "hooks that are a number": ["hooks: 3", "1:8: hooks is 3, expected a list or a map"],
  "a hook that is a text": ["hooks: [x]", '1:9: the hook is "x", expected a map'],
  "hooks_enabled as text": ["hooks_enabled: 'no'", '1:16: hooks_enabled is "no", expected true or false'],
  "an unknown sandbox": [
    "sandbox: strickt",
    '1:10: sandbox is "strickt", expected off or strict, did you mean "strict"?',
  ],
  "a sandbox that is a boolean": ["sandbox: true", "1:10: sandbox is true, expected off or strict"],
  "an unknown log level": ["logging: { hooks: all }", '1:19: hooks is "all", expected off or debug'],
  "an unknown log": [
    "logging: { hook: debug }",
    '1:12: unknown key "hook" in logging, did you mean "hooks"?',
  ],
  "a variable that has no name": [
    "env: { allow: [A-B] }",
    '1:16: allow is "A-B", expected names of environment variables',
  ],
  "a merge key": ["hooks:\n  - <<: { type: command }\n", '2:5: unknown key "<<" in the hook'],
};

for (const [says, [text, problem]] of Object.entries(refused)) {
  test(`${says} is refused at its place`, () => {
    assert.equal(refusal(text), problem);
  });
}

const script = (rest: string) => `  - { type: script, command: x, ${rest} }\n`;

test("an unnamed hook keeps its id when hooks of other events or with names are added", () => {
  const before = parse(`hooks:\n${script("event: Stop")}`).hooks;
  const after = parse(
    `hooks:\n${script("event: SessionEnd")}${script("event: Stop, name: a")}${script("event: turn.end")}`,
  ).hooks;
  assert.deepEqual(
    after.map(({ id, name }) => ({ id, name })).slice(2),
    before.map(({ id, name }) => ({ id, name })),
  );
});

test("ids differ between files, and are safe to use in a path whatever the name", () => {
  const names = ["'../../etc'", "'a b'", "'a-b'", "'ä'", `'${"x".repeat(128)}'`];
  const text = `hooks:\n${names.map((name) => script(`event: quality_gate.failed, name: ${name}`)).join("")}`;
  const ids = ["a/swarm.yaml", "b/swarm.yaml"].flatMap((file) =>
    parseConfigText(file, text, { owner: "user", env: {} }).hooks.map(({ id }) => id),
  );
  assert.equal(new Set(ids).size, 10);
  assert.deepEqual(
    ids.filter((id) => !idPattern.test(id)),
    [],
  );
});

test("a name used twice is refused, and both places are named", () => {
  const text = `hooks:\n${script("event: Stop, name: a")}${script("event: SessionEnd, name: a")}`;
  assert.equal(refusal(text), '3:5: name "a" is already used at swarm.yaml:2:5, expected one used once');
});

test("a name that a made-up one already is, is refused", () => {
  const text = `hooks:\n${script("event: Stop")}${script("event: Stop, name: 'swarm.yaml/turn.end#1'")}`;
  assert.equal(
    refusal(text),
    '3:5: name "swarm.yaml/turn.end#1" is already used at swarm.yaml:2:5, expected one used once',
  );
});

test("a plugin's hooks carry its name, and together they stay short", () => {
  const text = `hooks:\n${script(`event: Stop, name: ${"n".repeat(120)}`)}`;
  const { hooks } = parse(text, { owner: { plugin: "short", root: "/p" } });
  assert.deepEqual(
    hooks.map(({ name, plugin }) => ({ name, plugin })),
    [{ name: `short/${"n".repeat(120)}`, plugin: "short" }],
  );
  assert.equal(
    refusal(text, { owner: { plugin: "much-longer", root: "/p" } }),
    "2:5: the hook's name with its plugin's is too long, expected at most 128 characters",
  );
});

test("a thousand hooks are read, one more is refused", () => {
  const many = (count: number) => `hooks:\n${script("event: Stop").repeat(count)}`;
  assert.equal(parse(many(1_000)).hooks.length, 1_000);
  assert.equal(refusal(many(1_001)), "1002:5: more than 1000 hooks, expected fewer");
});
