import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, parseOne, plainHook, refusal } from "../harness.cases.ts";
import type { ParseOptions } from "../parse.ts";

type Json = Readonly<Record<string, unknown>>;

/** A settings file with one group for one event, on one line. */
const file = (hooks: readonly Json[], group: Json = {}, event = "PreToolUse") =>
  JSON.stringify({ hooks: { [event]: [{ ...group, hooks }] } });
const actionOf = (hook: Json, options?: Partial<ParseOptions>) => parseOne(file([hook]), options).action;

test("a settings file is read with every hook of every group in its order", () => {
  const text = `{
  "description": "guards",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash|Write", "hooks": [
        { "type": "command", "command": "./a.sh" },
        { "type": "command", "command": "node", "args": ["b.js", ""], "timeout": 1.5, "onFailure": "block" }
      ] }
    ],
    "Stop": [
      { "matcher": "ignored there", "hooks": [
        { "type": "command", "command": "./c.sh", "async": true, "once": true, "statusMessage": "…" }
      ] }
    ]
  }
}`;
  assert.deepEqual(parse(text), {
    logHooks: "off",
    flags: {},
    sandbox: "off",
    autoStart: true,
    audit: { durability: "process", payloadRetentionDays: 90 },
    allowedVariables: [],
    approvals: { ttlMs: 3_600_000, waitMs: 0, require: "any" },
    batch: { uploadLimitBytes: 10_737_418_240 },
    retention: { batch: 365, pipeline: 365, drift: 365 },
    inbound: [],
    policy: null,
    policyExceptions: null,
    redact: null,
    servers: [],
    plugins: { shellAllowlist: [], options: {} },
    skipped: [],
    cron: [],
    pipelines: [],
    hooks: [
      {
        ...plainHook,
        id: "tool_before-1-cc2cc5c1",
        name: "swarm.yaml/tool.before#1",
        source: { file: "swarm.yaml", line: 6, column: 9 },
        dialect: "claude",
        event: "tool.before",
        nativeEvent: "PreToolUse",
        match: "Bash|Write",
        timeoutMs: 600_000,
        action: { kind: "command", argv: null, line: "./a.sh", pluginRoot: null },
      },
      {
        ...plainHook,
        id: "tool_before-2-d689e792",
        name: "swarm.yaml/tool.before#2",
        source: { file: "swarm.yaml", line: 7, column: 9 },
        dialect: "claude",
        event: "tool.before",
        nativeEvent: "PreToolUse",
        match: "Bash|Write",
        onFailure: "deny",
        timeoutMs: 1_500,
        action: { kind: "command", argv: ["node", "b.js", ""], line: null, pluginRoot: null },
      },
      {
        ...plainHook,
        id: "turn_end-1-4c666b68",
        name: "swarm.yaml/turn.end#1",
        source: { file: "swarm.yaml", line: 12, column: 9 },
        dialect: "claude",
        event: "turn.end",
        nativeEvent: "Stop",
        mode: "observe",
        timeoutMs: 600_000,
        action: { kind: "command", argv: null, line: "./c.sh", pluginRoot: null },
      },
    ],
  });
});

test("a group may be narrowed by our own conditions, and so are all its hooks", () => {
  const hook = { type: "command", command: "./a.sh" };
  const { when, dialect } = parseOne(file([hook], { when: { source: "codex" } }));
  assert.deepEqual([when, dialect], [{ source: "codex" }, "claude"]);
  assert.match(refusal(file([hook], { when: { sauce: "codex" } })), /unknown key "sauce" in when/);
});

test("a group may stand in a list of hooks, where it names its event", () => {
  const group = { event: "PreToolUse", matcher: "Bash", hooks: [{ type: "command", command: "./a.sh" }] };
  const own = { event: "tool.before", type: "command", command: "./b.sh" };
  const { hooks } = parse(JSON.stringify({ hooks: [own, group] }));
  const told = hooks.map(({ dialect, event, match, nativeEvent }) => [dialect, event, match, nativeEvent]);
  assert.deepEqual(told, [
    ["swarm", "tool.before", "*", "tool.before"],
    ["claude", "tool.before", "Bash", "PreToolUse"],
  ]);
  const { event: _, ...nameless } = group;
  assert.match(refusal(JSON.stringify({ hooks: [nameless] })), /the group has no event/);
  const unknown = JSON.stringify({ hooks: [{ ...group, events: "x" }] });
  assert.match(refusal(unknown), /unknown key "events" in the group, did you mean "event"/);
});

test("http and tool hooks are read with the defaults of their kinds", () => {
  const text = file([
    { type: "http", url: "https://a.example/x", headers: { "X-A": "b" } },
    { type: "mcp_tool", server: "s", tool: "t", timeout: 3 },
  ]);
  assert.deepEqual(
    parse(text).hooks.map(({ action, timeoutMs, mode }) => ({ action, timeoutMs, mode })),
    [
      {
        action: {
          kind: "http",
          url: "https://a.example/x",
          secret: null,
          previousSecret: null,
          allowPrivate: [],
          headers: { "X-A": "b" },
        },
        timeoutMs: 10_000,
        mode: "transform",
      },
      { action: { kind: "mcp_tool", server: "s", tool: "t" }, timeoutMs: 3_000, mode: "transform" },
    ],
  );
});

test("a request may be allowed to stay on this machine, by a key of ours", () => {
  const action = actionOf({ type: "http", url: "http://localhost:1", allowPrivate: ["loopback"] });
  assert.deepEqual(action?.kind === "http" && action.allowPrivate, ["loopback"]);
});

test("a header's variable needs the consent of the file and of the user", () => {
  const hook = { type: "http", url: "https://a.example", headers: { A: `Bearer $T-\${T}` } };
  const env = { T: "secret" };
  assert.deepEqual(actionOf({ ...hook, allowedEnvVars: ["T"] }, { env, allowedVariables: ["T"] }), {
    kind: "http",
    url: "https://a.example",
    secret: null,
    previousSecret: null,
    allowPrivate: [],
    headers: { A: "Bearer secret-secret" },
    written: {
      url: "https://a.example",
      secret: null,
      previousSecret: null,
      headers: { A: `Bearer \${T}-\${T}` },
    },
  });
  const problem =
    'SWARM_CONFIG_VARIABLE swarm.yaml:1:86: header A uses the variable "T", which env.allow of the user\'s file does not list';
  assert.equal(refusal(file([hook]), { env, allowedVariables: ["T"] }), problem);
  assert.equal(refusal(file([{ ...hook, allowedEnvVars: ["T"] }]), { env }), problem);
});

test("a plugin's command has ten seconds, not ten minutes, and knows the plugin's folder", () => {
  const owner = { plugin: "p", root: "/plugins/p" };
  const { timeoutMs, action, name } = parseOne(file([{ type: "command", command: "x" }]), { owner });
  assert.deepEqual(
    { timeoutMs, action, name },
    {
      timeoutMs: 10_000,
      action: { kind: "command", argv: null, line: "x", pluginRoot: "/plugins/p" },
      name: "p/tool.before#1",
    },
  );
  assert.equal(
    refusal(file([{ type: "command", command: "x", timeout: 61 }]), { owner }),
    "1:77: a plugin's hook has 61 seconds, expected at most 60",
  );
});

test("an event only Claude Code has is skipped with a reason, the rest of the file holds", () => {
  const text = `{"hooks": {
  "FileChanged": [{"matcher": "*.ts", "hooks": [{"type": "command", "command": "x"}]}],
  "Stop": [{"hooks": [{"type": "command", "command": "y"}]}]
}}`;
  const { hooks, skipped } = parse(text);
  assert.deepEqual(
    hooks.map(({ event }) => event),
    ["turn.end"],
  );
  assert.deepEqual(skipped, [
    {
      source: { file: "swarm.yaml", line: 2, column: 3 },
      nativeEvent: "FileChanged",
      reason: "there is no event for FileChanged",
    },
  ]);
});

test("an event nobody has is refused, also in Claude Code's shape", () => {
  assert.equal(
    refusal(file([{ type: "command", command: "x" }], {}, "PreTolUse")),
    '1:11: unknown event "PreTolUse", did you mean "PreToolUse"?',
  );
});

test("a hook of another shape under the name of such an event is refused, not skipped", () => {
  assert.equal(
    refusal("hooks:\n  TeammateIdle:\n    - type: blocking_script\n      command: x\n"),
    '2:3: unknown event "TeammateIdle"',
  );
});

const skippedHooks: Readonly<Record<string, readonly [hook: Json, reason: string]>> = {
  "asks a model": [{ type: "prompt", prompt: "ok?" }, "hooks of type prompt are not supported"],
  "asks an agent": [{ type: "agent", prompt: "ok?", model: "m" }, "hooks of type agent are not supported"],
  "has a filter": [
    { type: "command", command: "x", if: "Bash(git *)" },
    'the filter if: "Bash(git *)" is not supported',
  ],
  "wants another shell": [
    { type: "command", command: "x", shell: "powershell" },
    "hooks for powershell are not supported",
  ],
  "gives a tool its own input": [
    { type: "mcp_tool", tool: "t", input: { a: 1 } },
    "a tool's own input is not supported",
  ],
};

for (const [says, [hook, reason]] of Object.entries(skippedHooks)) {
  test(`a hook that ${says} is skipped with a reason, and refused when it must not be left out`, () => {
    const { hooks, skipped } = parse(file([hook]));
    const source = { file: "swarm.yaml", line: 1, column: 35 };
    assert.deepEqual(
      { hooks, skipped },
      { hooks: [], skipped: [{ source, nativeEvent: "PreToolUse", reason }] },
    );
    assert.equal(
      refusal(file([{ ...hook, onFailure: "block" }])),
      `1:35: ${reason}, and onFailure: block asks that it is never left out`,
    );
  });
}

test("a key nobody knows is noted, one that is nearly known is refused", () => {
  const { hooks, skipped } = parse(file([{ type: "command", command: "x", colour: "red" }], { id: "g" }));
  assert.equal(hooks.length, 1);
  assert.deepEqual(
    skipped.map(({ reason }) => reason),
    ['key "id" is unknown and was ignored', 'key "colour" is unknown and was ignored'],
  );
  assert.equal(
    refusal(file([{ type: "command", command: "x", on_failure: "block" }])),
    '1:67: unknown key "on_failure" in the hook, did you mean "onFailure"?',
  );
});

const refused: Readonly<Record<string, readonly [text: string, problem: string]>> = {
  "a command without a program": [
    file([{ type: "command" }]),
    "1:35: the hook of type command has no command, expected one",
  ],
  "a request without an address": [
    file([{ type: "http" }]),
    "1:35: the hook of type http has no url, expected one",
  ],
  "a tool hook without a tool": [
    file([{ type: "mcp_tool" }]),
    "1:35: the hook of type mcp_tool has no tool, expected one",
  ],
  "an unknown type": [
    file([{ type: "comand" }]),
    '1:43: type is "comand", expected command or http or mcp_tool or prompt or agent, did you mean "command"?',
  ],
  "an async hook that blocks": [
    file([{ type: "command", command: "x", async: true, onFailure: "block" }]),
    '1:92: onFailure is "block", expected continue, because an async hook runs after the decision',
  ],
  "a matcher that is no text": [file([], { matcher: ["Bash"] }), "1:36: matcher is a list, expected text"],
  "a matcher that cannot run in linear time": [
    file([], { matcher: "(?=a)" }),
    '1:36: matcher: matcher "/(?=a)/" is invalid: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
  ],
  "a group without hooks": [
    '{"hooks": {"Stop": [{"matcher": ""}]}}',
    "1:21: the group has no hooks, expected a value",
  ],
  "hooks that are no list": [
    '{"hooks": {"Stop": [{"hooks": {}}]}}',
    "1:31: hooks is a map, expected a list of hooks",
  ],
  "an event without a list": ['{"hooks": {"Stop": {}}}', "1:20: Stop is a map, expected a list of hooks"],
};

for (const [says, [text, problem]] of Object.entries(refused)) {
  test(`${says} is refused at its place`, () => {
    assert.equal(refusal(text), problem);
  });
}
