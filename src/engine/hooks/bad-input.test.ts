import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  type AnyEventName,
  allow,
  createHooks,
  deny,
  type ErrorCode,
  type Outcome,
  rewrite,
} from "../../index.ts";
import { atOnce, bash, errorOf, noDecision, startEngine } from "./harness.cases.ts";

const circular: Record<string, unknown> = { deep: { list: [1] } };
(circular.deep as Record<string, unknown>).back = circular;

const circularList: unknown[] = [1];
circularList.push({ inside: circularList });

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level++) value = { in: value };
  return value;
}

const megabytes = (count: number) => "x".repeat(count * 1024 * 1024);

suite("an event that does not exist", () => {
  const names: [unknown, string][] = [
    ["PreToolsUse", 'unknown event "PreToolsUse", did you mean "PreToolUse"?'],
    ["pretooluse", 'unknown event "pretooluse", did you mean "PreToolUse"?'],
    ["tool.befor", 'unknown event "tool.befor", did you mean "tool.before"?'],
    ["banana", 'unknown event "banana"'],
    ["", 'unknown event ""'],
    ["__proto__", 'unknown event "__proto__"'],
    ["constructor", 'unknown event "constructor"'],
    [42, "unknown event 42"],
    [undefined, "unknown event undefined"],
    [null, "unknown event null"],
    [Symbol("x"), "unknown event Symbol(x)"],
  ];
  for (const [name, message] of names) {
    test(`${String(name)} is refused by on and by emit`, (t) => {
      const { hooks } = startEngine(t);
      for (const action of [
        () => hooks.emit(name as "tool.before", bash),
        () => hooks.on(name as "tool.before", () => undefined),
        () => hooks.on(name as "tool.before", {}, () => undefined),
      ]) {
        const error = errorOf(action);
        assert.equal(error.code, "SWARM_EVENT_UNKNOWN");
        assert.equal(error.message, message);
      }
    });
  }

  test("is refused even when hooks are off", (t) => {
    const { hooks } = startEngine(t, { hooksEnabled: false });
    assert.equal(errorOf(() => hooks.emit("banana" as "tool.before", bash)).code, "SWARM_EVENT_UNKNOWN");
  });
});

suite("a payload that cannot be used", () => {
  const cases: [string, AnyEventName, unknown, ErrorCode, string | RegExp][] = [
    [
      "nothing",
      "tool.before",
      undefined,
      "SWARM_PAYLOAD_INVALID",
      /^tool\.before: data is .*missing|^tool\.before: data is missing, expected an object$/,
    ],
    ["null", "tool.before", null, "SWARM_PAYLOAD_INVALID", "tool.before: data is null, expected an object"],
    ["a text", "tool.before", "ls", "SWARM_PAYLOAD_INVALID", 'tool.before: data is "ls", expected an object'],
    [
      "a list",
      "tool.before",
      [],
      "SWARM_PAYLOAD_INVALID",
      "tool.before: data is an array of 0, expected an object",
    ],
    [
      "null, to an event without a matcher",
      "prompt.submit",
      null,
      "SWARM_PAYLOAD_INVALID",
      "prompt.submit: data is null, expected an object",
    ],
    [
      "no tool_name",
      "tool.before",
      { tool_input: {} },
      "SWARM_PAYLOAD_INVALID",
      "tool.before: tool_name is missing, expected a string",
    ],
    [
      "no tool_input",
      "tool.before",
      { tool_name: "bash" },
      "SWARM_PAYLOAD_INVALID",
      "tool.before: tool_input is missing, expected an object",
    ],
    [
      "a number as tool_name",
      "tool.before",
      { ...bash, tool_name: 42 },
      "SWARM_PAYLOAD_INVALID",
      "tool.before: tool_name is 42, expected a string",
    ],
    [
      "a text as tool_input",
      "tool.before",
      { ...bash, tool_input: "ls" },
      "SWARM_PAYLOAD_INVALID",
      'tool.before: tool_input is "ls", expected an object',
    ],
    [
      "a list as tool_input",
      "tool.before",
      { ...bash, tool_input: ["ls"] },
      "SWARM_PAYLOAD_INVALID",
      "tool.before: tool_input is an array of 1, expected an object",
    ],
    [
      "null as tool_input",
      "tool.before",
      { ...bash, tool_input: null },
      "SWARM_PAYLOAD_INVALID",
      "tool.before: tool_input is null, expected an object",
    ],
    [
      "no tool_output",
      "tool.after",
      { tool_name: "bash" },
      "SWARM_PAYLOAD_INVALID",
      "tool.after: tool_output is missing, expected a value",
    ],
    [
      "a text as messages",
      "session.end",
      { messages: "hi" },
      "SWARM_PAYLOAD_INVALID",
      'session.end: messages is "hi", expected an array',
    ],
    [
      "a list as context",
      "session.end",
      { context: [] },
      "SWARM_PAYLOAD_INVALID",
      "session.end: context is an array of 0, expected an object or null",
    ],
    [
      "a text where true or false belongs",
      "session.start",
      { resumed: "yes" },
      "SWARM_PAYLOAD_INVALID",
      'session.start: resumed is "yes", expected true or false',
    ],
    [
      "half a message",
      "compaction.before",
      { message_count: 1.5 },
      "SWARM_PAYLOAD_INVALID",
      "compaction.before: message_count is 1.5, expected a whole number",
    ],
    [
      "a duration that is not a number",
      "tool.after",
      { tool_name: "x", tool_output: 1, duration_ms: Number.NaN },
      "SWARM_PAYLOAD_INVALID",
      "tool.after: duration_ms is NaN, expected a finite number",
    ],
    [
      "an endless duration",
      "tool.after",
      { tool_name: "x", tool_output: 1, duration_ms: Number.POSITIVE_INFINITY },
      "SWARM_PAYLOAD_INVALID",
      "tool.after: duration_ms is Infinity, expected a finite number",
    ],
    [
      "rules that are not all texts",
      "compaction.before",
      { preserve: ["a", 1] },
      "SWARM_PAYLOAD_INVALID",
      "compaction.before: preserve is an array of 2, expected an array of strings",
    ],
    [
      "a word that is none of the allowed",
      "hook.failed",
      { name: "a", event: "b", status: "bad", code: "c", error: "d" },
      "SWARM_PAYLOAD_INVALID",
      'hook.failed: status is "bad", expected failed or timed_out or skipped',
    ],
    [
      "a field that would set a prototype",
      "tool.before",
      JSON.parse('{"tool_name": "bash", "tool_input": {}, "__proto__": {}}'),
      "SWARM_PAYLOAD_INVALID",
      /__proto__/,
    ],
    [
      "a circular tool_input",
      "tool.before",
      { ...bash, tool_input: circular },
      "SWARM_PAYLOAD_CIRCULAR",
      "tool.before: data.tool_input.deep.back refers back to data.tool_input, expected data without cycles",
    ],
    [
      "a circular list",
      "tool.before",
      { ...bash, tool_input: { circularList } },
      "SWARM_PAYLOAD_CIRCULAR",
      "tool.before: data.tool_input.circularList.1.inside refers back to data.tool_input.circularList, expected data without cycles",
    ],
    [
      "a payload that holds itself",
      "tool.before",
      holdingItself(),
      "SWARM_PAYLOAD_CIRCULAR",
      "tool.before: data.self refers back to data, expected data without cycles",
    ],
    [
      "10 MB in one text",
      "tool.before",
      { ...bash, tool_input: { content: megabytes(10) } },
      "SWARM_PAYLOAD_TOO_LARGE",
      "tool.before: the payload passes 8388608 characters at data.tool_input.content, expected fewer",
    ],
    [
      "10 MB at the top",
      "prompt.submit",
      { prompt: megabytes(10) },
      "SWARM_PAYLOAD_TOO_LARGE",
      "prompt.submit: the payload passes 8388608 characters at data.prompt, expected fewer",
    ],
    [
      "10 MB in a thousand texts",
      "tool.before",
      { ...bash, tool_input: { lines: Array.from({ length: 1_000 }, () => "x".repeat(10_486)) } },
      "SWARM_PAYLOAD_TOO_LARGE",
      "tool.before: the payload passes 8388608 characters at data.tool_input.lines.799, expected fewer",
    ],
    [
      "10 MB in two fields",
      "tool.after",
      { tool_name: "x", tool_input: { a: megabytes(5) }, tool_output: megabytes(5) },
      "SWARM_PAYLOAD_TOO_LARGE",
      "tool.after: the payload passes 8388608 characters at data.tool_output, expected fewer",
    ],
    [
      "10 MB in a field nobody knows",
      "session.end",
      { extra: megabytes(10) },
      "SWARM_PAYLOAD_TOO_LARGE",
      "session.end: the payload passes 8388608 characters at data.extra, expected fewer",
    ],
    [
      "too many levels",
      "tool.before",
      { ...bash, tool_input: nested(300) },
      "SWARM_PAYLOAD_TOO_DEEP",
      /^tool\.before: data\.tool_input\.in\.in\..* is nested more than 200 levels deep, expected fewer$/,
    ],
    [
      "a million levels",
      "tool.before",
      { ...bash, tool_input: nested(1_000_000) },
      "SWARM_PAYLOAD_TOO_DEEP",
      /is nested more than 200 levels deep/,
    ],
    [
      "a bigint",
      "tool.before",
      { ...bash, tool_input: { size: 1n } },
      "SWARM_PAYLOAD_NOT_JSON",
      "tool.before: data.tool_input.size is a bigint, expected JSON data",
    ],
    [
      "a bigint at the top",
      "session.end",
      { extra: 1n },
      "SWARM_PAYLOAD_NOT_JSON",
      "session.end: data.extra is a bigint, expected JSON data",
    ],
    [
      "a function",
      "tool.before",
      {
        ...bash,
        tool_input: {
          run: function go() {
            return 1;
          },
        },
      },
      "SWARM_PAYLOAD_NOT_JSON",
      "tool.before: data.tool_input.run is function go, expected JSON data",
    ],
    [
      "a symbol",
      "tool.after",
      { tool_name: "x", tool_output: [Symbol("s")] },
      "SWARM_PAYLOAD_NOT_JSON",
      "tool.after: data.tool_output.0 is Symbol(s), expected JSON data",
    ],
  ];
  for (const [what, event, data, code, message] of cases) {
    test(`${what}: ${code}`, (t) => {
      const { hooks } = startEngine(t);
      hooks.on(event, () => assert.fail("must not be called"));
      for (let again = 0; again < 2; again++) {
        const error = errorOf(() => hooks.emit(event, data as never));
        assert.equal(error.code, code);
        if (typeof message === "string") assert.equal(error.message, message);
        else assert.match(error.message, message);
        assert.ok(error.message.length < 300, "the message itself is short");
      }
    });
  }

  function holdingItself(): object {
    const data: Record<string, unknown> = { ...bash };
    data.self = data;
    return data;
  }

  const fine: [string, AnyEventName, unknown][] = [
    ["a field the row does not know", "tool.before", { ...bash, brand_new: { a: 1 } }],
    ["an optional field that is undefined", "session.start", { source: undefined }],
    ["null where a row allows it", "turn.end", { last_assistant_message: null }],
    [
      "the same object twice, without a cycle",
      "tool.before",
      { ...bash, tool_input: { a: circularList[0], b: bash, c: bash } },
    ],
    ["200 levels", "tool.before", { ...bash, tool_input: nested(199) }],
    ["7 MB", "tool.before", { ...bash, tool_input: { content: megabytes(7) } }],
    ["any tool output", "tool.after", { tool_name: "x", tool_output: null }],
    ["keys named like those of a prototype", "tool.before", { ...bash, constructor: 1, toString: "x" }],
  ];
  for (const [what, event, data] of fine) {
    test(`but not this: ${what}`, (t) => {
      const { hooks } = startEngine(t);
      hooks.on(event, { name: "sees" }, () => allow());
      assert.equal(atOnce(hooks.emit(event, data as never)).decision.hook, "sees");
    });
  }
});

suite("a rewrite is held to what a payload is", () => {
  const cases: [string, unknown, ErrorCode][] = [
    ["circular", circular, "SWARM_PAYLOAD_CIRCULAR"],
    ["10 MB", { content: megabytes(10) }, "SWARM_PAYLOAD_TOO_LARGE"],
    ["too deep", nested(300), "SWARM_PAYLOAD_TOO_DEEP"],
    ["no JSON", { size: 1n }, "SWARM_PAYLOAD_NOT_JSON"],
  ];
  for (const [what, tool_input, code] of cases) {
    test(`${what}: ${code}, and the payload stays`, (t) => {
      const { hooks, warnings } = startEngine(t, { trace: true });
      hooks.on("tool.before", { name: "odd" }, () => rewrite({ tool_input: tool_input as object }) as never);
      const outcome = atOnce(hooks.emit("tool.before", bash));
      assert.deepEqual(
        { status: outcome.handlers[0]?.status, code: warnings[0]?.fields.code },
        { status: "failed", code },
      );
      assert.equal(outcome.data, bash);
      assert.deepEqual(outcome.decision, noDecision);
    });
  }
});

suite("a hook that cannot be registered", () => {
  const handler = () => undefined;
  const timeouts = [-1, 0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5000", null];
  const cases: [string, unknown[], ErrorCode, string | RegExp][] = [
    ...timeouts.map((timeoutMs): [string, unknown[], ErrorCode, string] => [
      `timeoutMs ${JSON.stringify(timeoutMs)} (${String(timeoutMs)})`,
      [{ timeoutMs }, handler],
      "SWARM_TIMEOUT_INVALID",
      `hook on tool.before: timeoutMs is ${typeof timeoutMs === "string" ? `"${timeoutMs}"` : timeoutMs}, expected a whole number from 1 to 2147483647`,
    ]),
    [
      "an endless priority",
      [{ priority: Number.POSITIVE_INFINITY }, handler],
      "SWARM_OPTION_INVALID",
      "hook on tool.before: priority is Infinity, expected a finite number",
    ],
    [
      "a priority that is no number",
      [{ priority: Number.NaN }, handler],
      "SWARM_OPTION_INVALID",
      "hook on tool.before: priority is NaN, expected a finite number",
    ],
    [
      "a text as priority",
      [{ priority: "10" }, handler],
      "SWARM_OPTION_INVALID",
      'hook on tool.before: priority is "10", expected a finite number',
    ],
    [
      "an unknown mode",
      [{ mode: "gaurd" }, handler],
      "SWARM_OPTION_INVALID",
      'hook on tool.before: mode is "gaurd", expected transform or guard or observe',
    ],
    [
      "null as mode",
      [{ mode: null }, handler],
      "SWARM_OPTION_INVALID",
      "hook on tool.before: mode is null, expected transform or guard or observe",
    ],
    [
      "a mode of a prototype",
      [{ mode: "toString" }, handler],
      "SWARM_OPTION_INVALID",
      /^hook on tool\.before: mode is "toString", expected/,
    ],
    [
      "an unknown onFailure",
      [{ onFailure: "block" }, handler],
      "SWARM_OPTION_INVALID",
      'hook on tool.before: onFailure is "block", expected allow or deny',
    ],
    [
      "an observer that denies",
      [{ mode: "observe", onFailure: "deny" }, handler],
      "SWARM_OPTION_INVALID",
      'hook on tool.before: onFailure is "deny", expected allow, because an observer runs after the decision',
    ],
    [
      "onDenied on a guard",
      [{ mode: "guard", onDenied: true }, handler],
      "SWARM_OPTION_INVALID",
      "hook on tool.before: onDenied is true, expected to be set on observers only",
    ],
    [
      "onDenied that is neither",
      [{ mode: "observe", onDenied: "yes" }, handler],
      "SWARM_OPTION_INVALID",
      'hook on tool.before: onDenied is "yes", expected true or false',
    ],
    [
      "a text as handler",
      ["log"],
      "SWARM_OPTION_INVALID",
      'hook on tool.before: handler is "log", expected a function',
    ],
    [
      "a text as handler, after options",
      [{ name: "x" }, "log"],
      "SWARM_OPTION_INVALID",
      'hook x on tool.before: handler is "log", expected a function',
    ],
    [
      "options without a handler",
      [{ name: "x" }],
      "SWARM_OPTION_INVALID",
      "hook on tool.before: handler is an object with keys name, expected a function",
    ],
    [
      "neither options nor handler",
      [],
      "SWARM_OPTION_INVALID",
      /^hook on tool\.before: .* is undefined, expected/,
    ],
    [
      "handler and options swapped",
      [handler, { name: "x" }],
      "SWARM_OPTION_INVALID",
      "hook on tool.before: options is function handler, expected an object",
    ],
    [
      "null as options",
      [null, handler],
      "SWARM_OPTION_INVALID",
      "hook on tool.before: options is null, expected an object",
    ],
    [
      "an empty name",
      [{ name: "" }, handler],
      "SWARM_OPTION_INVALID",
      'hook  on tool.before: name is "", expected a short text',
    ],
    [
      "a number as name",
      [{ name: 7 }, handler],
      "SWARM_OPTION_INVALID",
      "hook on tool.before: name is 7, expected a short text",
    ],
    [
      "a name of two lines",
      [{ name: "a\nb" }, handler],
      "SWARM_OPTION_INVALID",
      /name is "a\\nb", expected a short text$/,
    ],
    [
      "an endless name",
      [{ name: "x".repeat(129) }, handler],
      "SWARM_OPTION_INVALID",
      /expected a short text$/,
    ],
    [
      "an empty plugin",
      [{ plugin: "" }, handler],
      "SWARM_OPTION_INVALID",
      'hook on tool.before: plugin is "", expected a short text',
    ],
    [
      "a misspelt option",
      [{ onfailure: "deny" }, handler],
      "SWARM_OPTION_UNKNOWN",
      'hook on tool.before: unknown option "onfailure", did you mean "onFailure"?',
    ],
    [
      "an option in snake_case",
      [{ on_failure: "deny" }, handler],
      "SWARM_OPTION_UNKNOWN",
      'hook on tool.before: unknown option "on_failure", did you mean "onFailure"?',
    ],
    [
      "an option nothing is like",
      [{ banana: 1 }, handler],
      "SWARM_OPTION_UNKNOWN",
      'hook on tool.before: unknown option "banana"',
    ],
    [
      "an option in seconds",
      [{ timeout: 5 }, handler],
      "SWARM_OPTION_UNKNOWN",
      /^hook on tool\.before: unknown option "timeout"/,
    ],
    [
      "an empty matcher",
      [{ match: "" }, handler],
      "SWARM_MATCHER_INVALID",
      /^hook on tool\.before: matcher "" is invalid: /,
    ],
    [
      "a matcher with an open bracket",
      [{ match: "/(/" }, handler],
      "SWARM_MATCHER_INVALID",
      /^hook on tool\.before: matcher "\/\(\/" is invalid: /,
    ],
    [
      "half an alternative",
      [{ match: "a|" }, handler],
      "SWARM_MATCHER_INVALID",
      'hook on tool.before: matcher "a|" is invalid: expected a name on each side of |',
    ],
    [
      "a regular expression without slashes",
      [{ match: "(a|b)+" }, handler],
      "SWARM_MATCHER_INVALID",
      /has no meaning in a glob, write \/…\/ for a regular expression$/,
    ],
    [
      "a regular expression object",
      [{ match: /bash/ }, handler],
      "SWARM_MATCHER_INVALID",
      /is invalid: expected a string$/,
    ],
    [
      "null as matcher",
      [{ match: null }, handler],
      "SWARM_MATCHER_INVALID",
      "hook on tool.before: matcher null is invalid: expected a string",
    ],
    [
      "an endless matcher",
      [{ match: "x".repeat(1_001) }, handler],
      "SWARM_MATCHER_INVALID",
      /is invalid: expected at most 1000 characters$/,
    ],
    [
      "a text as when",
      [{ when: "role" }, handler],
      "SWARM_OPTION_INVALID",
      'hook on tool.before: when is "role", expected an object or a function',
    ],
    [
      "a misspelt condition",
      [{ when: { rol: "x" } }, handler],
      "SWARM_OPTION_UNKNOWN",
      'hook on tool.before: unknown option "when.rol", did you mean "role"?',
    ],
    [
      "a condition that cannot match",
      [{ when: { role: "a|" } }, handler],
      "SWARM_MATCHER_INVALID",
      /^hook on tool\.before: when\.role: matcher "a\|" is invalid: /,
    ],
  ];
  for (const [what, args, code, message] of cases) {
    test(`${what}: ${code}`, (t) => {
      const { hooks } = startEngine(t);
      const on = hooks.on as (...all: unknown[]) => unknown;
      const error = errorOf(() => on("tool.before", ...args));
      assert.equal(error.code, code);
      if (typeof message === "string") assert.equal(error.message, message);
      else assert.match(error.message, message);
      assert.deepEqual(hooks.list(), []);
    });
  }

  test("a name that is taken: SWARM_HOOK_NAME_TAKEN", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", { name: "twice" }, handler);
    const error = errorOf(() => hooks.on("session.end", { name: "twice" }, handler));
    assert.equal(error.code, "SWARM_HOOK_NAME_TAKEN");
    assert.equal(
      error.message,
      'a hook named "twice" is already registered for tool.before, expected a name used once',
    );
  });

  for (const timeoutMs of [1, 2 ** 31 - 1]) {
    test(`but not timeoutMs ${timeoutMs}`, (t) => {
      const { hooks } = startEngine(t);
      hooks.on("tool.before", { timeoutMs }, handler);
      assert.equal(hooks.list()[0]?.timeoutMs, timeoutMs);
    });
  }
});

test("an error carries what a server and a command line need", (t) => {
  const { hooks } = startEngine(t);
  const unknown = errorOf(() => hooks.emit("banana" as "tool.before", bash));
  assert.deepEqual([unknown.name, unknown.status, unknown.exitCode], ["SwarmError", 400, 64]);
  hooks.on("prompt.submit", () => undefined);
  const tooLarge = errorOf(() => hooks.emit("prompt.submit", { prompt: megabytes(10) }));
  assert.deepEqual([tooLarge.status, tooLarge.exitCode], [413, 65]);
});

test("a matcher on an event that has nothing to match is refused instead of never firing", () => {
  const hooks = createHooks();
  assert.throws(() => hooks.on("prompt.submit", { match: "deploy*" }, () => undefined), {
    code: "SWARM_MATCHER_INVALID",
    message:
      'hook on prompt.submit: matcher "deploy*" is invalid: prompt.submit has no field a matcher could read, expected *',
  });
});

test("a reason longer than any context may be is cut, and still denies", () => {
  const hooks = createHooks();
  hooks.on("tool.before", () => deny("x".repeat(30_000)));
  const { decision } = hooks.emit("tool.before", { tool_name: "x", tool_input: {} }) as Outcome;
  assert.deepEqual([decision.verdict, decision.reason?.length], ["deny", 20_000]);
});
