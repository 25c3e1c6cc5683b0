import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, parseOne, plainHook, refusal } from "../harness.cases.ts";
import type { HookConfig } from "../hook-config.ts";

/** A list with one hook for `tool.before`, of the lines given. */
const hook = (...lines: string[]) =>
  ["hooks:", "  - event: tool.before", ...lines.map((line) => `    ${line}`)].join("\n");

test("a hook that says everything is read with all of it", () => {
  const text = hook(
    "type: command",
    "name: no secrets",
    "args: [python3, guard.py, '']",
    "match: Write|Edit",
    "when:",
    "  agent: review*",
    "  role: backend|qa",
    "  path: secrets/**",
    "  source: claude-code",
    "  args: { content: '/BEGIN [A-Z ]+KEY/' }",
    "priority: 10.5",
    "mode: guard",
    "on_failure: deny",
    "on_denied: false",
    "timeout_s: 2.5",
  );
  const expected: HookConfig = {
    id: "tool_before-no_secrets-f831c235",
    name: "no secrets",
    source: { file: "swarm.yaml", line: 2, column: 5 },
    dialect: "swarm",
    event: "tool.before",
    nativeEvent: "tool.before",
    match: "Write|Edit",
    when: {
      agent: "review*",
      role: "backend|qa",
      path: "secrets/**",
      source: "claude-code",
      args: { content: "/BEGIN [A-Z ]+KEY/" },
    },
    priority: 10.5,
    mode: "guard",
    onFailure: "deny",
    onDenied: false,
    timeoutMs: 2_500,
    plugin: null,
    action: { kind: "command", argv: ["python3", "guard.py", ""], line: null, pluginRoot: null },
  };
  assert.deepEqual(parse(text).hooks, [expected]);
});

/** One row per kind: the least it must say, and what it is then. */
const defaults: Readonly<Record<string, readonly [line: string, expected: Partial<HookConfig>]>> = {
  command: [
    "command: ./a",
    { action: { kind: "command", argv: null, line: "./a", pluginRoot: null }, timeoutMs: 30_000 },
  ],
  script: [
    "command: ./a",
    {
      action: { kind: "script", argv: null, line: "./a", pluginRoot: null },
      mode: "observe",
      timeoutMs: 30_000,
    },
  ],
  blocking_script: [
    "command: ./a",
    {
      action: { kind: "blocking_script", argv: null, line: "./a", pluginRoot: null },
      mode: "guard",
      onFailure: "deny",
      timeoutMs: 5_000,
    },
  ],
  http: [
    "url: http://127.0.0.1:1/a",
    {
      action: {
        kind: "http",
        url: "http://127.0.0.1:1/a",
        secret: null,
        previousSecret: null,
        allowPrivate: [],
        headers: {},
      },
      timeoutMs: 10_000,
    },
  ],
  webhook: [
    "url: https://a.example",
    {
      action: {
        kind: "webhook",
        url: "https://a.example",
        secret: null,
        previousSecret: null,
        isUnsigned: false,
        isRetryCap: false,
        retry: 3,
        maxAgeMs: 259_200_000,
        legacyPrefix: null,
        allowPrivate: [],
        headers: {},
      },
      mode: "observe",
      timeoutMs: 10_000,
    },
  ],
  mcp_tool: ["tool: check", { action: { kind: "mcp_tool", server: null, tool: "check" }, timeoutMs: 10_000 }],
};

for (const [kind, [line, expected]] of Object.entries(defaults)) {
  test(`a hook of type ${kind} has the defaults of its kind`, () => {
    const { id, name, source, event, nativeEvent, ...rest } = parseOne(hook(`type: ${kind}`, line));
    assert.deepEqual(rest, { ...plainHook, ...expected });
  });
}

test("a plugin's hook has ten seconds unless its kind has fewer", () => {
  const owner = { plugin: "p", root: "/p" };
  const timeouts = Object.entries(defaults).map(([kind, [line]]) => [
    kind,
    parseOne(hook(`type: ${kind}`, line), { owner }).timeoutMs,
  ]);
  assert.deepEqual(Object.fromEntries(timeouts), {
    command: 10_000,
    script: 10_000,
    blocking_script: 5_000,
    http: 10_000,
    webhook: 10_000,
    mcp_tool: 10_000,
  });
});

test("a plugin's hook may take sixty seconds and no more", () => {
  const owner = { plugin: "p", root: "/p" };
  const lines = (seconds: number) => hook("type: command", "command: x", `timeout_s: ${seconds}`);
  assert.equal(parseOne(lines(60), { owner }).timeoutMs, 60_000);
  assert.equal(
    refusal(lines(60.001), { owner }),
    "5:16: a plugin's hook has 60.001 seconds, expected at most 60",
  );
  assert.equal(parseOne(lines(3_600)).timeoutMs, 3_600_000);
});

test("a hook under its event's name may say what a listed one may, and has no event of its own", () => {
  const text =
    "hooks:\n  PRE_TOOL:\n    - type: command\n      command: x\n      match: Bash\n      priority: 3\n";
  const { dialect, event, nativeEvent, match, priority } = parseOne(text);
  assert.deepEqual(
    { dialect, event, nativeEvent, match, priority },
    { dialect: "bernstein", event: "tool.before", nativeEvent: "PRE_TOOL", match: "Bash", priority: 3 },
  );
  assert.equal(
    refusal("hooks:\n  PRE_TOOL:\n    - event: tool.after\n      type: command\n      command: x\n"),
    '3:7: unknown key "event" in the hook',
  );
});

test("an observer may be told of denied actions, and an empty when is none", () => {
  const text = hook("type: command", "command: x", "mode: observe", "on_denied: true", "when: {}");
  const { mode, onDenied, when } = parseOne(text);
  assert.deepEqual({ mode, onDenied, when }, { mode: "observe", onDenied: true, when: null });
});

test("a command line and arguments are left as they stand, variables and all", () => {
  const line = parseOne(hook("type: command", `command: echo \${HOME} $X`)).action;
  const argv = parseOne(hook("type: command", `args: [echo, '\${HOME}', '$X']`)).action;
  assert.deepEqual(
    [line, argv],
    [
      { kind: "command", argv: null, line: `echo \${HOME} $X`, pluginRoot: null },
      { kind: "command", argv: ["echo", `\${HOME}`, "$X"], line: null, pluginRoot: null },
    ],
  );
});

const refused: Readonly<Record<string, readonly [lines: readonly string[], problem: string]>> = {
  "a misspelt key": [
    ["type: command", "mach: Bash"],
    '4:5: unknown key "mach" in the hook, did you mean "match"?',
  ],
  "a key in camel case": [
    ["type: command", "onFailure: deny"],
    '4:5: unknown key "onFailure" in the hook, did you mean "on_failure"?',
  ],
  "no type": [
    ["command: x"],
    "2:5: the hook has no type, expected command or script or blocking_script or http or webhook or mcp_tool",
  ],
  "an unknown type": [
    ["type: hook"],
    '3:11: type is "hook", expected command or script or blocking_script or http or webhook or mcp_tool',
  ],
  "an address with a password, which is not shown": [
    ["type: http", "url: https://u:hunter2@a.example/"],
    "4:10: url has a user name in it, expected an address without a user name; a header can carry credentials",
  ],
  "an address of another protocol": [
    ["type: http", "url: file:///etc/passwd"],
    '4:10: url is "file:///etc/passwd", expected an http or https address',
  ],
  "a private address that is none": [
    ["type: http", "url: http://a", "allow_private: [10.0.0.1/8]"],
    '5:20: allow_private has "10.0.0.1/8", expected an address, a block such as 10.0.0.0/8, loopback or private',
  ],
  "private addresses for a program": [
    ["type: command", "command: x", "allow_private: [loopback]"],
    "5:5: allow_private has no meaning for type command, only for http, webhook",
  ],
  "a secret that is not base64, which is not shown": [
    ["type: http", "url: http://a", "secret: whsec_hunter2-"],
    "5:13: secret is not usable, expected base64 after whsec_",
  ],
  "a header that would lead the request elsewhere": [
    ["type: http", "url: http://a", "headers: { Host: b }"],
    "5:14: header Host cannot be set, expected another: the request has its own",
  ],
  "a secret and no signature": [
    ["type: webhook", "url: http://a", "secret: s", "unsigned: true"],
    "6:15: unsigned is true and there is a secret, expected one of them",
  ],
  "an older secret alone": [
    ["type: webhook", "url: http://a", "previous_secret: s"],
    "5:22: previous_secret has no secret beside it, expected one",
  ],
  "a prefix that is no part of a header's name": [
    ["type: webhook", "url: http://a", "legacy_headers: 'a b'"],
    '5:21: legacy_headers is "a b", expected the prefix of the headers, such as Bernstein',
  ],
  "a webhook's key for an endpoint that is asked": [
    ["type: http", "url: http://a", "max_age_s: 5"],
    "5:5: max_age_s has no meaning for type http, only for webhook",
  ],
  "a header that signs": [
    ["type: webhook", "url: http://a", "headers: { Webhook-Signature: v1 }"],
    "5:14: header Webhook-Signature cannot be set, expected another: the request has its own",
  ],
  "a command without a program": [
    ["type: command"],
    "2:5: the hook of type command has no command and no args, expected one",
  ],
  "a line and arguments": [
    ["type: script", "command: x", "args: [x]"],
    "5:5: command and args are both given, expected one of them",
  ],
  "no arguments": [
    ["type: script", "args: []"],
    "4:11: args is a list, expected a program and its arguments",
  ],
  "no program": [["type: script", "args: ['', a]"], "4:11: args begins with no program"],
  "an argument that is a number": [
    ["type: script", "args: [sleep, 3]"],
    "4:19: args is 3, expected a program and its arguments",
  ],
  "a line with a NUL": [["type: script", 'command: "a\\0b"'], '4:14: command is "a\\u0000b", expected text'],
  "a key of another kind": [
    ["type: command", "command: x", "url: http://a"],
    "5:5: url has no meaning for type command, only for http, webhook",
  ],
  "retries of a request that is made once": [
    ["type: http", "url: http://a", "retry: 3"],
    "5:5: retry has no meaning for type http, only for webhook",
  ],
  "a webhook without an address": [
    ["type: webhook"],
    "2:5: the hook of type webhook has no url, expected one",
  ],
  "a tool hook without a tool": [
    ["type: mcp_tool", "server: s"],
    "2:5: the hook of type mcp_tool has no tool, expected one",
  ],
  "an address that is none": [
    ["type: http", "url: example.com/x"],
    '4:10: url is "example.com/x", expected an http or https address',
  ],
  "an address of a file": [
    ["type: http", "url: file:///etc/passwd"],
    '4:10: url is "file:///etc/passwd", expected an http or https address',
  ],
  "an address with a line break": [
    ["type: http", 'url: "http://a.ex\\nample/"'],
    '4:10: url is "http://a.ex\\nample/", expected an http or https address',
  ],
  "a misspelt mode": [
    ["type: command", "command: x", "mode: gard"],
    '5:11: mode is "gard", expected transform or guard or observe, did you mean "guard"?',
  ],
  "a script that guards": [
    ["type: script", "command: x", "mode: guard"],
    '5:11: mode is "guard", expected observe for type script: type blocking_script or command can refuse',
  ],
  "a webhook in the way": [
    ["type: webhook", "url: http://a", "mode: transform"],
    '5:11: mode is "transform", expected observe for type webhook: type http waits for the answer',
  ],
  "a blocking script that watches": [
    ["type: blocking_script", "command: x", "mode: observe"],
    '5:11: mode is "observe", expected guard for type blocking_script: type script watches, type command rewrites',
  ],
  "an observer that denies": [
    ["type: script", "command: x", "on_failure: deny"],
    '5:17: on_failure is "deny", expected allow, because an observer runs after the decision',
  ],
  "on_denied of a guard": [
    ["type: blocking_script", "command: x", "on_denied: true"],
    "5:16: on_denied is true, expected mode observe with it, not guard",
  ],
  "yes for true": [
    ["type: script", "command: x", "on_denied: yes"],
    '5:16: on_denied is "yes", expected true or false',
  ],
  "no time": [
    ["type: script", "command: x", "timeout_s: 0"],
    "5:16: timeout_s is 0, expected a number from 0.001 to 2147483",
  ],
  "more time than a timer holds": [
    ["type: script", "command: x", "timeout_s: 2147484"],
    "5:16: timeout_s is 2147484, expected a number from 0.001 to 2147483",
  ],
  "time as text": [
    ["type: script", "command: x", "timeout_s: 5s"],
    '5:16: timeout_s is "5s", expected a number from 0.001 to 2147483',
  ],
  "half a retry": [
    ["type: webhook", "url: http://a", "retry: 1.5"],
    "5:12: retry is 1.5, expected a whole number from 0 to 100",
  ],
  "a secret that is a number": [
    ["type: webhook", "url: http://a", "secret: 12345678"],
    "5:13: secret is not usable, expected text; a number needs quotes",
  ],
  "an empty secret": [
    ["type: webhook", "url: http://a", "secret: ''"],
    "5:13: secret is not usable, expected text; a number needs quotes",
  ],
  "a header with a space in its name": [
    ["type: http", "url: http://a", "headers: { 'a b': c }"],
    `5:14: header "a b" is not a header's name`,
  ],
  "a header with a line break": [
    ["type: http", "url: http://a", 'headers: { a: "b\\r\\nc: d" }'],
    "5:14: header a has a line break or control character",
  ],
  "a header that cannot be sent": [
    ["type: webhook", "url: http://a", "headers: { a: '日本' }"],
    "5:14: header a has a character beyond Latin-1, which cannot be sent",
  ],
  "a matcher that cannot be compiled": [
    ["type: command", "command: x", "match: /(a/"],
    '5:12: match: matcher "/(a/" is invalid: error parsing regexp: missing closing ): `(a`',
  ],
  "a glob with a bracket": [
    ["type: command", "command: x", "match: a[b]"],
    '5:12: match: matcher "a[b]" is invalid: [ has no meaning in a glob, write /…/ for a regular expression',
  ],
  "an unknown condition": [
    ["type: command", "command: x", "when: { rol: qa }"],
    '5:13: unknown key "rol" in when, did you mean "role"?',
  ],
  "a condition that cannot be compiled": [
    ["type: command", "command: x", "when: { role: 'a|' }"],
    '5:19: the hook: when.role: matcher "a|" is invalid: expected a name on each side of |',
  ],
  "a condition on a number": [
    ["type: command", "command: x", "when: { args: { n: 3 } }"],
    "5:24: args is 3, expected a map of texts",
  ],
  "a path that leaves its folder": [
    ["type: command", "command: x", "when: { path: ../x }"],
    '5:19: the hook: when.path: matcher "../x" is invalid: expected a path without .., relative to the working directory or from the root',
  ],
  "a name of two lines": [
    ["type: command", "command: x", 'name: "a\\nb"'],
    '5:11: name is "a\\nb", expected a text of 1 to 128 characters on one line',
  ],
  "a list in place of a text": [
    ["type: [command]"],
    "3:11: type is a list, expected command or script or blocking_script or http or webhook or mcp_tool",
  ],
};

for (const [says, [lines, problem]] of Object.entries(refused)) {
  test(`${says} is refused at its place`, () => {
    assert.equal(refusal(hook(...lines)), problem);
  });
}

test("a misspelt event is refused with the one that was meant", () => {
  const text = "hooks:\n  - type: command\n    command: x\n    event: PreTolUse\n";
  assert.equal(refusal(text), '4:12: unknown event "PreTolUse", did you mean "PreToolUse"?');
});

test("a matcher for an event with nothing to match is refused, * is not", () => {
  const text = (match: string) =>
    `hooks:\n  - event: Stop\n    type: command\n    command: x\n    match: ${match}\n`;
  assert.equal(
    refusal(text("Bash")),
    '5:12: match is "Bash", expected none: turn.end has no field to compare it with',
  );
  assert.equal(parseOne(text('"*"')).match, "*");
});
