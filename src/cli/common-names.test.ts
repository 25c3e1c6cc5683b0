import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { newId } from "../base/ids.ts";
import type { AgentName } from "../agents/port/agents.ts";
import type { NativeRequest } from "../agents/calls/native-calls.ts";
import { Place } from "./evaluate-place.cases.ts";

/** How an agent's hook is called for a tool. */
interface Caller {
  readonly env: Readonly<Record<string, string>>;
  payload(tool: string, input: object, more?: object): object;
}

const claudeShaped = (tool_name: string, tool_input: object, more: object = {}) => ({
  hook_event_name: "PreToolUse",
  session_id: "s1",
  tool_use_id: newId("call"),
  tool_name,
  tool_input,
  ...more,
});

const callers: Readonly<Record<AgentName, Caller>> = {
  "claude-code": { env: { CLAUDECODE: "1" }, payload: claudeShaped },
  codex: { env: {}, payload: (...call) => ({ ...claudeShaped(...call), turn_id: "t1", model: "m" }) },
  "gemini-cli": {
    env: { GEMINI_SESSION_ID: "s1", GEMINI_PROJECT_DIR: "/" },
    payload: (...call) => ({ ...claudeShaped(...call), hook_event_name: "BeforeTool" }),
  },
  "qwen-code": { env: { QWEN_CODE_SESSION_ID: "s1", QWEN_PROJECT_DIR: "/" }, payload: claudeShaped },
  copilot: {
    env: { COPILOT_CLI: "1", COPILOT_HOOK_DIR: "/", SWARM_NATIVE_EVENT: "preToolUse" },
    payload: (toolName, toolArgs) => ({ sessionId: "s1", timestamp: ++time, toolName, toolArgs }),
  },
  cursor: {
    env: { CURSOR_VERSION: "3.2.0" },
    payload: (...call) => ({
      ...claudeShaped(...call),
      hook_event_name: "preToolUse",
      cursor_version: "3.2.0",
      generation_id: "g1",
    }),
  },
  opencode: {
    env: {},
    payload: (tool, args) => ({
      host: "opencode",
      hook_event_name: "tool.execute.before",
      input: { tool, sessionID: "s1", callID: newId("call") },
      output: { args },
    }),
  },
};
let time = 1_794_770_610_986;

function request(place: Place, agent: AgentName, tool: string, input: object, more?: object): NativeRequest {
  const { env, payload } = callers[agent];
  const text = JSON.stringify({ cwd: place.cwd, ...payload(tool, input, more) });
  return { agent, isGuard: true, timeoutMs: 0, env, input: text };
}

/** What the real agents call tool `touch` of the MCP server `probe`, and tool `do it` of the server `my.server`. */
const mcpCalls: readonly (readonly [
  AgentName,
  touch: string,
  doIt: string,
  server?: (name: string, tool: string) => object,
])[] = [
  [
    "claude-code",
    "mcp__probe__touch",
    "mcp__my_server__do_it",
    (name) => ({ mcp_server: { name, source: "user" } }),
  ],
  ["codex", "mcp__probe__touch", "mcp__my_server_84cd56981196__do_it_16755f1d1634"],
  [
    "gemini-cli",
    "mcp_probe_touch",
    "mcp_my.server_do_it",
    (server_name, tool_name) => ({ mcp_context: { server_name, tool_name } }),
  ],
  ["qwen-code", "mcp__probe__touch", "mcp__my_server__do_it_1rhu72k"],
  ["copilot", "probe-touch", "my-server-do-it"],
  ["opencode", "probe_touch", "my_server_do_it"],
  ["cursor", "MCP:touch", "MCP:do it"],
];

const policy = (...rules: string[]) =>
  `policy:\n  rules:\n${rules.map((rule) => `    - ${rule}\n`).join("")}`;

async function isDenied(place: Place, call: NativeRequest): Promise<boolean> {
  const { exitCode, stdout } = await place.evaluate(call);
  return exitCode === 2 || /"(?:deny|block)"/.test(stdout);
}

suite("a rule for a tool of an MCP server", () => {
  for (const [agent, touch, doIt, more] of mcpCalls) {
    for (const [when, call, said] of [
      ["tool: 'mcp:probe/touch'", touch, ["probe", "touch"]],
      ["tool: ['mcp:*']", touch, ["probe", "touch"]],
      ["kind: 'mcp:probe/*'", touch, ["probe", "touch"]],
      ["tool: 'mcp:my.server/do it'", doIt, ["my.server", "do it"]],
      ["tool: 'mcp:my.server/*'", doIt, ["my.server", "do it"]],
    ] as const) {
      test(`{${when}} is for ${call} of ${agent}`, async (t) => {
        const place = new Place(t, policy(`{ id: no, when: { ${when} }, behaviour: deny }`));
        const make = () => request(place, agent, call, { note: "x" }, more?.(said[0], said[1]));
        assert.equal(await isDenied(place, make()), true);
      });
    }

    test(`of another name is not for ${touch} of ${agent}`, async (t) => {
      const place = new Place(t, policy("{ id: no, when: { tool: 'mcp:probe/read' }, behaviour: deny }"));
      const make = () => request(place, agent, touch, { note: "x" }, more?.("probe", "touch"));
      assert.equal(await isDenied(place, make()), false);
    });
  }
});

suite("a rule for shells", () => {
  const noShell = policy("{ id: no, when: { tool: shell }, behaviour: deny }");
  for (const [agent, tool] of [
    ["claude-code", "Monitor"],
    ["qwen-code", "monitor"],
    ["opencode", "someserver_run"],
    ["claude-code", "mcp__term__run"],
    ["gemini-cli", "discovered_tool_run"],
  ] as const) {
    test(`is for ${tool} of ${agent} with a command`, async (t) => {
      const place = new Place(t, noShell);
      assert.equal(await isDenied(place, request(place, agent, tool, { command: "ls" })), true);
    });
  }

  test("is for a tool that is not known with each call that has a command, and no other", async (t) => {
    const place = new Place(t, noShell);
    const call = (input: object) => () => request(place, "claude-code", "SomethingNew", input);
    assert.equal(await isDenied(place, call({ text: "ls" })()), false);
    assert.equal(await isDenied(place, call({ script: "ls" })()), true);
    assert.equal(await isDenied(place, call({ text: "ls" })()), false);
  });

  test("is for none of the agent's own tools that are none", async (t) => {
    const place = new Place(t, noShell);
    const workflow = () => request(place, "claude-code", "Workflow", { script: "agent('x')" });
    assert.equal(await isDenied(place, workflow()), false);
  });
});

suite("a hook with a matcher", () => {
  const hooks = (match: string) =>
    `hooks:\n  - { event: tool.before, type: blocking_script, name: no, match: "${match}", command: "exit 1" }\n`;

  for (const [agent, touch, , more] of mcpCalls) {
    test(`mcp:probe/* is for ${touch} of ${agent}, and for no call of another tool`, async (t) => {
      const place = new Place(t, hooks("mcp:probe/*"));
      const touched = () => request(place, agent, touch, { note: "x" }, more?.("probe", "touch"));
      assert.equal(await isDenied(place, touched()), true);
    });
  }

  test("is asked about one agent's tool whatever is known of another's of the same name", async (t) => {
    const place = new Place(t, hooks("mcp:probe/*"));
    const call = (agent: AgentName) => () => request(place, agent, "probe_touch", { note: "x" });
    assert.equal(await isDenied(place, call("claude-code")()), false);
    assert.equal(await isDenied(place, call("opencode")()), true);
    assert.equal(await isDenied(place, call("claude-code")()), false);
  });

  test("shell is for a tool that is not known once it is given a command", async (t) => {
    const place = new Place(t, hooks("shell"));
    const call = (input: object) => () => request(place, "claude-code", "SomethingNew", input);
    assert.equal(await isDenied(place, call({ text: "ls" })()), false);
    assert.equal(await isDenied(place, call({ command: "ls" })()), true);
  });
});
