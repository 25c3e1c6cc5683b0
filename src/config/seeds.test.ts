import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, plainHook } from "./harness.cases.ts";

test("a plugin's hooks.json with a shell line for PostTool loads as it stands", () => {
  const text = `{
  "hooks": {
    "PostTool": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "\\"\${CLAUDE_PLUGIN_ROOT}/hooks/redact_pan.sh\\"",
            "timeout": 5
          }
        ]
      }
    ]
  }
}`;
  const { hooks, skipped } = parse(text, { owner: { plugin: "acme-bfsi", root: "/plugins/acme" } });
  assert.deepEqual(skipped, []);
  assert.deepEqual(hooks, [
    {
      ...plainHook,
      id: "tool_after-1-a8f606d3",
      name: "acme-bfsi/tool.after#1",
      source: { file: "swarm.yaml", line: 6, column: 11 },
      dialect: "claude",
      event: "tool.after",
      nativeEvent: "PostTool",
      timeoutMs: 5_000,
      plugin: "acme-bfsi",
      action: {
        kind: "command",
        argv: null,
        line: `"\${CLAUDE_PLUGIN_ROOT}/hooks/redact_pan.sh"`,
        pluginRoot: "/plugins/acme",
      },
    },
  ]);
});

test("hook objects that are nothing but tool names load as they stand", () => {
  const logging = `{"on_start": "log_agent_start", "on_end": "log_agent_end",
"on_tool_start": "log_tool_start", "on_tool_end": "log_tool_end",
"on_subagents_start": null, "on_subagents_end": null}`;
  const base = { ...plainHook, dialect: "swarmx", timeoutMs: 10_000 } as const;
  const tool = (name: string) => ({ kind: "mcp_tool", server: null, tool: name }) as const;
  assert.deepEqual(parse(logging).hooks, [
    {
      ...base,
      id: "session_start-1-fc55d633",
      name: "swarm.yaml/session.start#1",
      source: { file: "swarm.yaml", line: 1, column: 2 },
      event: "session.start",
      nativeEvent: "on_start",
      action: tool("log_agent_start"),
    },
    {
      ...base,
      id: "session_end-1-05f2d0e2",
      name: "swarm.yaml/session.end#1",
      source: { file: "swarm.yaml", line: 1, column: 33 },
      event: "session.end",
      nativeEvent: "on_end",
      action: tool("log_agent_end"),
    },
    {
      ...base,
      id: "tool_before-1-cc2cc5c1",
      name: "swarm.yaml/tool.before#1",
      source: { file: "swarm.yaml", line: 2, column: 1 },
      event: "tool.before",
      nativeEvent: "on_tool_start",
      action: tool("log_tool_start"),
    },
    {
      ...base,
      id: "tool_after-1-e2c1e2bf",
      name: "swarm.yaml/tool.after#1",
      source: { file: "swarm.yaml", line: 2, column: 36 },
      event: "tool.after",
      nativeEvent: "on_tool_end",
      action: tool("log_tool_end"),
    },
  ]);
});

test("an agent's list of hook objects loads as it stands", () => {
  const text = '{"hooks": [{"on_start": "initialize_session"}, {"on_end": "cleanup_session"}]}';
  assert.deepEqual(
    parse(text).hooks.map(({ event, action }) => ({ event, action })),
    [
      { event: "session.start", action: { kind: "mcp_tool", server: null, tool: "initialize_session" } },
      { event: "session.end", action: { kind: "mcp_tool", server: null, tool: "cleanup_session" } },
    ],
  );
});

const observed = { ...plainHook, dialect: "bernstein", mode: "observe" } as const;

test("a map from event to webhooks and scripts loads as it stands", () => {
  const text = `# bernstein.yaml
hooks:
  task.completed:
    - type: webhook
      url: "https://your-app.example.com/hooks/task-completed"
      secret: "hmac-secret"
    - type: script
      command: "python scripts/on_task_complete.py"
  agent.killed:
    - type: webhook
      url: "https://your-app.example.com/hooks/alert"
`;
  assert.deepEqual(parse(text).hooks, [
    {
      ...observed,
      id: "task_completed-1-278f3feb",
      name: "swarm.yaml/task.completed#1",
      source: { file: "swarm.yaml", line: 4, column: 7 },
      event: "task.completed",
      nativeEvent: "task.completed",
      timeoutMs: 10_000,
      action: {
        kind: "webhook",
        url: "https://your-app.example.com/hooks/task-completed",
        secret: "hmac-secret",
        previousSecret: null,
        isUnsigned: false,
        isRetryCap: false,
        retry: 3,
        maxAgeMs: 259_200_000,
        legacyPrefix: null,
        allowPrivate: [],
        headers: {},
      },
    },
    {
      ...observed,
      id: "task_completed-2-8be123dd",
      name: "swarm.yaml/task.completed#2",
      source: { file: "swarm.yaml", line: 7, column: 7 },
      event: "task.completed",
      nativeEvent: "task.completed",
      action: { kind: "script", argv: null, line: "python scripts/on_task_complete.py", pluginRoot: null },
    },
    {
      ...observed,
      id: "agent_killed-1-408324a4",
      name: "swarm.yaml/agent.killed#1",
      source: { file: "swarm.yaml", line: 10, column: 7 },
      event: "agent.killed",
      nativeEvent: "agent.killed",
      timeoutMs: 10_000,
      action: {
        kind: "webhook",
        url: "https://your-app.example.com/hooks/alert",
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
    },
  ]);
});

test("a webhook with its own timeout and retries loads as it stands", () => {
  const text = `hooks:
  task.completed:
    - type: webhook
      url: "https://example.com/hooks"
      secret: "your-hmac-secret"
      timeout_s: 10
      retry: 3
`;
  assert.deepEqual(
    parse(text).hooks.map(({ timeoutMs, action }) => ({ timeoutMs, action })),
    [
      {
        timeoutMs: 10_000,
        action: {
          kind: "webhook",
          url: "https://example.com/hooks",
          secret: "your-hmac-secret",
          previousSecret: null,
          isUnsigned: false,
          isRetryCap: true,
          retry: 3,
          maxAgeMs: 259_200_000,
          legacyPrefix: null,
          allowPrivate: [],
          headers: {},
        },
      },
    ],
  );
});

test("a blocking script loads as it stands, and is a guard", () => {
  const text = `hooks:
  task.created:
    - type: blocking_script
      command: "python scripts/validate_task.py"
      timeout_s: 5
`;
  assert.deepEqual(parse(text).hooks, [
    {
      ...plainHook,
      dialect: "bernstein",
      id: "task_created-1-8b82137b",
      name: "swarm.yaml/task.created#1",
      source: { file: "swarm.yaml", line: 3, column: 7 },
      event: "task.created",
      nativeEvent: "task.created",
      mode: "guard",
      onFailure: "deny",
      timeoutMs: 5_000,
      action: {
        kind: "blocking_script",
        argv: null,
        line: "python scripts/validate_task.py",
        pluginRoot: null,
      },
    },
  ]);
});
