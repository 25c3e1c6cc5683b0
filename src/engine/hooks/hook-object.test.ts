import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type CallTool, createHooks, type HookObject } from "../../index.ts";
import { atOnce, bash, errorOf, noDecision, record, settled, startEngine, turn } from "./harness.cases.ts";

const user = { role: "user", content: "hi" };
const system = { role: "system", content: "be kind" };

/** Tools by name, and every call made to them. */
function toolServer(tools: Record<string, (input: Parameters<CallTool>[1]) => unknown>) {
  const calls: { tool: string; input: unknown }[] = [];
  const callTool: CallTool = async (tool, input) => {
    calls.push({ tool, input });
    const run = tools[tool];
    if (run === undefined) throw new Error(`no tool ${tool}`);
    return run(input);
  };
  return { calls, callTool };
}

suite("a hook object", () => {
  test("calls each of its tools at its own event, with messages and context", async (t) => {
    const { hooks } = startEngine(t);
    const names = {
      on_start: "log_agent_start",
      on_end: "log_agent_end",
      on_tool_start: "log_tool_start",
      on_tool_end: "log_tool_end",
      on_subagents_start: "log_subagents_start",
      on_subagents_end: "log_subagents_end",
      on_llm_start: "log_llm_start",
      on_llm_end: "log_llm_end",
    };
    const { calls, callTool } = toolServer(
      Object.fromEntries(Object.values(names).map((name) => [name, () => undefined])),
    );
    hooks.use(names, { callTool });
    const conversation = { messages: [user], context: { topic: "hooks" } };
    await hooks.emit("session.start", conversation);
    await hooks.emit("subagent.start", conversation);
    await hooks.emit("model.before", conversation);
    await hooks.emit("tool.before", { ...bash, ...conversation });
    await hooks.emit("tool.after", { tool_name: "bash", tool_output: "", ...conversation });
    await hooks.emit("model.after", conversation);
    await hooks.emit("subagent.stop", conversation);
    await hooks.emit("session.end", conversation);
    assert.deepEqual(
      calls,
      [
        "log_agent_start",
        "log_subagents_start",
        "log_llm_start",
        "log_tool_start",
        "log_tool_end",
        "log_llm_end",
        "log_subagents_end",
        "log_agent_end",
      ].map((tool) => ({ tool, input: conversation })),
    );
  });

  test("gives a tool an empty list and null where the event has no messages and no context", async (t) => {
    const { hooks } = startEngine(t);
    const { calls, callTool } = toolServer({ log: () => undefined });
    hooks.use({ on_start: "log" }, { callTool });
    await hooks.emit("session.start", {});
    await hooks.emit("session.start", { messages: [user], context: null });
    assert.deepEqual(calls, [
      { tool: "log", input: { messages: [], context: null } },
      { tool: "log", input: { messages: [user], context: null } },
    ]);
  });

  test("shows a tool nothing but messages and context", async (t) => {
    const { hooks } = startEngine(t);
    const { calls, callTool } = toolServer({ log: () => undefined });
    hooks.use({ on_tool_start: "log" }, { callTool });
    await hooks.emit("tool.before", { ...bash, session_id: "s1" });
    assert.deepEqual(Object.keys(calls[0]?.input as object), ["messages", "context"]);
  });

  test("is registered as mcp_tool hooks, named after the tools, with the ten seconds such hooks have", (t) => {
    const { hooks } = startEngine(t);
    const { callTool } = toolServer({});
    hooks.use({ on_start: "log", on_end: "bye" }, { callTool, plugin: "acme", priority: 3 });
    assert.deepEqual(hooks.list(), [
      {
        name: "acme/log#1",
        event: "session.start",
        kind: "mcp_tool",
        mode: "transform",
        match: "*",
        priority: 3,
        timeoutMs: 10_000,
        onFailure: "allow",
        onDenied: false,
        plugin: "acme",
      },
      {
        name: "acme/bye#2",
        event: "session.end",
        kind: "mcp_tool",
        mode: "transform",
        match: "*",
        priority: 3,
        timeoutMs: 10_000,
        onFailure: "allow",
        onDenied: false,
        plugin: "acme",
      },
    ]);
  });

  const before = { messages: [system, user], context: { topic: "hooks" } };
  const answers: [string, unknown, unknown][] = [
    ["both replaced", { messages: [user], context: { n: 1 } }, { messages: [user], context: { n: 1 } }],
    ["an empty list clears the messages", { messages: [] }, { ...before, messages: [] }],
    ["null clears the context", { context: null }, { ...before, context: null }],
    ["messages alone leave the context", { messages: [user] }, { ...before, messages: [user] }],
    ["context alone leaves the messages", { context: {} }, { ...before, context: {} }],
    ["the input unchanged changes nothing", before, before],
    ["an empty object changes nothing", {}, before],
    ["undefined changes nothing", undefined, before],
    ["null changes nothing", null, before],
    [
      "other keys are not taken",
      { messages: [user], system_prompt: "x", verdict: "deny" },
      { ...before, messages: [user] },
    ],
    ["undefined keys change nothing", { messages: undefined, context: undefined }, before],
  ];
  for (const [what, answer, after] of answers) {
    test(`lets a tool's structured answer rewrite the conversation: ${what}`, async (t) => {
      const { hooks, warnings } = startEngine(t);
      const { callTool } = toolServer({ edit: () => answer });
      hooks.use({ on_start: "edit" }, { callTool });
      const outcome = await settled(hooks.emit("session.start", before));
      assert.deepEqual(outcome.data, after);
      assert.deepEqual(outcome.decision, noDecision);
      assert.deepEqual(warnings, []);
    });
  }

  test("composes with another in the order they were used, each seeing what the one before made", async (t) => {
    const { hooks } = startEngine(t);
    const add = (name: string) => (input: Parameters<CallTool>[1]) => ({
      messages: [...input.messages, name],
    });
    const { calls, callTool } = toolServer({ first: add("first"), second: add("second") });
    for (const hook of [{ on_start: "first" }, { on_start: "second" }]) hooks.use(hook, { callTool });
    const outcome = await settled(hooks.emit("session.start", { messages: ["hi"] }));
    assert.deepEqual(outcome.data.messages, ["hi", "first", "second"]);
    assert.deepEqual(calls, [
      { tool: "first", input: { messages: ["hi"], context: null } },
      { tool: "second", input: { messages: ["hi", "first"], context: null } },
    ]);
  });

  test("may name one tool for several events, and two objects may name the same tool", async (t) => {
    const { hooks } = startEngine(t);
    const { calls, callTool } = toolServer({ log: () => undefined });
    hooks.use({ on_start: "log", on_end: "log" }, { callTool });
    hooks.use({ on_start: "log" }, { callTool });
    await hooks.emit("session.start", {});
    await hooks.emit("session.end", {});
    assert.equal(calls.length, 3);
  });

  test("works with a tool that answers at once", async (t) => {
    const { hooks } = startEngine(t);
    hooks.use({ on_start: "clear" }, { callTool: () => ({ messages: [] }) });
    assert.deepEqual((await settled(hooks.emit("session.start", { messages: [user] }))).data, {
      messages: [],
    });
  });
});

suite("a tool of a hook object that fails", () => {
  const failures: [string, () => unknown, string, string][] = [
    [
      "throws",
      () => {
        throw new Error("server gone");
      },
      "SWARM_HANDLER_THREW",
      "hook bad#1 failed: Error: server gone",
    ],
    [
      "returns a text",
      () => "done",
      "SWARM_HANDLER_THREW",
      'hook bad#1 failed: TypeError: the tool returned "done", expected { messages, context }',
    ],
    [
      "returns a list",
      () => [],
      "SWARM_HANDLER_THREW",
      "hook bad#1 failed: TypeError: the tool returned an array of 0, expected { messages, context }",
    ],
    [
      "returns messages that are no list",
      () => ({ messages: "none" }),
      "SWARM_PAYLOAD_INVALID",
      'session.start: messages is "none", expected an array',
    ],
    [
      "returns context that is no object",
      () => ({ messages: [], context: "x" }),
      "SWARM_PAYLOAD_INVALID",
      'session.start: context is "x", expected an object or null',
    ],
  ];
  for (const [what, tool, code, message] of failures) {
    test(`${what}: it is logged, changes nothing and stops nobody`, async (t) => {
      const { hooks, warnings } = startEngine(t, { trace: true });
      const { calls, callTool } = toolServer({ bad: tool, next: () => undefined });
      hooks.use({ on_start: "bad" }, { callTool });
      hooks.use({ on_start: "next" }, { callTool });
      const data = { messages: [user], context: null };
      const outcome = await settled(hooks.emit("session.start", data));
      assert.deepEqual(outcome.decision, noDecision);
      assert.equal(outcome.data, data);
      assert.deepEqual(
        calls.map((call) => call.tool),
        ["bad", "next"],
      );
      assert.deepEqual(outcome.handlers, [
        record("bad#1", { kind: "mcp_tool", status: "failed", reason: message }),
        record("next#2", { kind: "mcp_tool" }),
      ]);
      assert.deepEqual(warnings, [{ message, fields: { code, hook: "bad#1", event: "session.start" } }]);
    });
  }

  test("hangs: its signal is aborted at the deadline and the next is called", async (t) => {
    const { hooks, clock } = startEngine(t, { trace: true });
    let signal: AbortSignal | undefined;
    const callTool: CallTool = (tool, _input, options) => {
      if (tool !== "hangs") return undefined;
      signal = options.signal;
      return new Promise(() => undefined);
    };
    hooks.use({ on_start: "hangs" }, { callTool, timeoutMs: 100 });
    hooks.use({ on_start: "next" }, { callTool });
    const emitted = hooks.emit("session.start", {});
    await turn();
    assert.equal(signal?.aborted, false);
    await clock.advance(125);
    assert.equal(signal?.aborted, true);
    assert.deepEqual(
      (await settled(emitted)).handlers.map(({ name, status }) => `${name} ${status}`),
      ["hangs#1 timed_out", "next#2 completed"],
    );
  });
});

suite("serialising", () => {
  const objects: HookObject[] = [
    { on_start: "log_agent_start", on_end: "log_agent_end" },
    { on_end: "last", on_start: "first" },
    { on_start: null, on_tool_start: "log", on_tool_end: null },
    {},
  ];
  for (const hookObject of objects) {
    test(`gives back the same JSON: ${JSON.stringify(hookObject)}`, (t) => {
      const { hooks } = startEngine(t);
      const used = hooks.use(hookObject, { callTool: () => undefined });
      assert.equal(JSON.stringify(used), JSON.stringify(hookObject));
      assert.deepEqual(used.toJSON(), hookObject);
      const again = hooks.use(JSON.parse(JSON.stringify(used)), { callTool: () => undefined });
      assert.equal(JSON.stringify(again), JSON.stringify(hookObject));
    });
  }

  test("is not changed by what is done to the object afterwards", (t) => {
    const { hooks } = startEngine(t);
    const hookObject: { on_start: string } = { on_start: "log" };
    const used = hooks.use(hookObject, { callTool: () => undefined });
    hookObject.on_start = "other";
    (used.toJSON() as { on_start: string }).on_start = "other";
    assert.deepEqual(used.toJSON(), { on_start: "log" });
  });

  test("null is the same as absent: no hook is registered for it", (t) => {
    const { hooks } = startEngine(t);
    hooks.use({ on_start: null, on_end: "bye" }, { callTool: () => undefined });
    assert.deepEqual(
      hooks.list().map(({ event }) => event),
      ["session.end"],
    );
  });
});

suite("undoing a hook object", () => {
  test("removes all its hooks and no others, and is harmless again", async (t) => {
    const { hooks } = startEngine(t);
    const { calls, callTool } = toolServer({ a: () => undefined, b: () => undefined, c: () => undefined });
    const undo = hooks.use({ on_start: "a", on_end: "b" }, { callTool });
    hooks.use({ on_start: "c" }, { callTool });
    undo();
    undo();
    await settled(hooks.emit("session.start", {}));
    atOnce(hooks.emit("session.end", {}));
    assert.deepEqual(
      calls.map(({ tool }) => tool),
      ["c"],
    );
    assert.equal(hooks.list().length, 1);
    assert.deepEqual(undo.toJSON(), { on_start: "a", on_end: "b" });
  });
});

suite("a hook object that cannot be used", () => {
  const use = { callTool: () => undefined };
  const cases: [string, unknown, unknown, string, string | RegExp][] = [
    [
      "a misspelt key",
      { on_tool_strat: "log" },
      use,
      "SWARM_HOOK_OBJECT_INVALID",
      'hook object: "on_tool_strat" is unknown, did you mean on_tool_start?',
    ],
    [
      "an unknown key",
      { banana: "log" },
      use,
      "SWARM_HOOK_OBJECT_INVALID",
      'hook object: "banana" is not one of on_start, on_end, on_tool_start, on_tool_end, on_subagents_start, on_subagents_end, on_llm_start, on_llm_end',
    ],
    [
      "an event by another name",
      { PreToolUse: "log" },
      use,
      "SWARM_HOOK_OBJECT_INVALID",
      /^hook object: "PreToolUse" is /,
    ],
    [
      "a number as a tool",
      { on_start: 42 },
      use,
      "SWARM_HOOK_OBJECT_INVALID",
      'hook object: "on_start" is 42, expected the name of a tool',
    ],
    [
      "an empty tool name",
      { on_start: "" },
      use,
      "SWARM_HOOK_OBJECT_INVALID",
      'hook object: "on_start" is "", expected the name of a tool',
    ],
    [
      "a list of tools",
      { on_start: ["a"] },
      use,
      "SWARM_HOOK_OBJECT_INVALID",
      'hook object: "on_start" is an array of 1, expected the name of a tool',
    ],
    [
      "a function as a tool",
      {
        on_start: function log() {
          return 1;
        },
      },
      use,
      "SWARM_HOOK_OBJECT_INVALID",
      'hook object: "on_start" is function log, expected the name of a tool',
    ],
    ["a text", "log", use, "SWARM_HOOK_OBJECT_INVALID", /is "log", expected an object of tool names$/],
    ["null", null, use, "SWARM_HOOK_OBJECT_INVALID", /is null, expected an object of tool names$/],
    [
      "a list",
      [{ on_start: "log" }],
      use,
      "SWARM_HOOK_OBJECT_INVALID",
      /is an array of 1, expected an object of tool names$/,
    ],
    [
      "no way to call tools",
      { on_start: "log" },
      {},
      "SWARM_OPTION_INVALID",
      "use: callTool is undefined, expected a function that calls a tool",
    ],
    [
      "a text in place of callTool",
      { on_start: "log" },
      { callTool: "x" },
      "SWARM_OPTION_INVALID",
      'use: callTool is "x", expected a function that calls a tool',
    ],
    [
      "an unknown option",
      { on_start: "log" },
      { ...use, timeout_ms: 5 },
      "SWARM_OPTION_UNKNOWN",
      'use: unknown option "timeout_ms", did you mean "timeoutMs"?',
    ],
    [
      "a negative timeout",
      { on_start: "log" },
      { ...use, timeoutMs: -1 },
      "SWARM_TIMEOUT_INVALID",
      /timeoutMs is -1, expected a whole number from 1 to 2147483647$/,
    ],
    ["no options", { on_start: "log" }, undefined, "SWARM_OPTION_INVALID", /expected/],
    ["null in place of options", { on_start: "log" }, null, "SWARM_OPTION_INVALID", /expected/],
  ];
  for (const [what, hookObject, options, code, message] of cases) {
    test(`${what}: ${code}, and nothing is registered`, (t) => {
      const { hooks } = startEngine(t);
      const error = errorOf(() => hooks.use(hookObject as never, options as never));
      assert.equal(error.code, code);
      if (typeof message === "string") assert.equal(error.message, message);
      else assert.match(error.message, message);
      assert.deepEqual(hooks.list(), []);
    });
  }

  test("a good key before a bad one leaves no hook behind", (t) => {
    const { hooks } = startEngine(t);
    errorOf(() => hooks.use({ on_start: "log", on_nothing: "log" } as never, use));
    assert.deepEqual(hooks.list(), []);
  });

  test("one of its names being taken leaves no hook behind", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", { name: "bye#3" }, () => undefined);
    try {
      hooks.use({ on_start: "hello", on_end: "bye" }, use);
    } catch {
      assert.deepEqual(
        hooks.list().map(({ name }) => name),
        ["bye#3"],
      );
      return;
    }
    assert.equal(hooks.list().length, 3, "all or nothing");
  });

  test("names that come out too long for a long plugin's tools leave no hook behind", (t) => {
    for (let chars = 100; chars <= 128; chars++) {
      const { hooks } = startEngine(t);
      try {
        hooks.use({ on_start: "a", on_end: "a_much_longer_name" }, { ...use, plugin: "p".repeat(chars) });
        assert.equal(hooks.list().length, 2, "all or nothing");
      } catch {
        assert.deepEqual(hooks.list(), [], `a plugin of ${chars} characters`);
      }
    }
  });

  test("a tool name that is no one-line text leaves no hook behind", (t) => {
    const { hooks } = startEngine(t);
    try {
      hooks.use({ on_start: "hello", on_end: "two\nlines" }, use);
    } catch {
      assert.deepEqual(hooks.list(), []);
      return;
    }
    assert.equal(hooks.list().length, 2, "all or nothing");
  });
});

test("a tool that echoes what stood in for a missing conversation does not clear it", async () => {
  const hooks = createHooks();
  hooks.use({ on_tool_start: "echo" }, { callTool: (_tool, input) => input });
  const data = { tool_name: "x", tool_input: {} };
  assert.deepEqual((await hooks.emit("tool.before", data)).data, data);
  await hooks.close();
});
