import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import { isWithinLimits } from "./data-limits.ts";
import { validatePayload } from "./index.ts";
import { type AnyEventName, type EventName, eventNames, rowOf } from "./names.ts";
import type { Field, FieldType } from "./schema.ts";

const anything = ["x", "", 0, -1.5, true, false, {}, { a: [1] }, [], [1, "a", null], null];

const right: Readonly<Record<FieldType, readonly unknown[]>> = {
  string: ["x", "", "a\nb", "é😀"],
  number: [0, -1.5, 1e300, Number.MAX_SAFE_INTEGER],
  integer: [0, -3, 45_000, Number.MAX_SAFE_INTEGER],
  boolean: [true, false],
  object: [{}, { a: { b: [1] } }, Object.create(null)],
  array: [[], [1, "a", null, {}]],
  strings: [[], ["a", ""]],
  any: anything,
};

const wrong: Readonly<Record<FieldType, readonly unknown[]>> = {
  string: [1, true, {}, [], ["x"]],
  number: ["1", "", true, {}, [], [1]],
  integer: [1.5, "1", true, {}, [1], 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY],
  boolean: [0, 1, "true", "", {}, []],
  object: ["{}", 1, true, [], [{}]],
  array: ["[]", 1, true, {}, { length: 0 }],
  strings: ["a", 1, true, {}, [1], ["a", null], ["a", ["b"]]],
  any: [],
};

const notJson = [() => 0, 7n, Symbol("x")];

for (const event of eventNames) {
  const { payload } = rowOf(event);

  test(`${event} takes exactly the values its fields are declared for`, () => {
    for (const [name, field] of Object.entries(payload)) {
      for (const value of rightValues(field)) assertAccepted(event, withField(event, name, value));
      for (const value of wrongValues(field)) assertRefused(event, name, value);
      if (field.isRequired) assertRefused(event, name, undefined);
      else assertAccepted(event, withField(event, name, undefined));
    }
  });

  test(`${event} takes no value that JSON has no form for, declared or not`, () => {
    for (const name of [...Object.keys(payload), "of_a_later_release"]) {
      for (const value of notJson) {
        const error = refusalOf(event, withField(event, name, value));
        const isDeclared = payload[name] !== undefined && payload[name].type !== "any";
        assert.equal(error.code, isDeclared ? "SWARM_PAYLOAD_INVALID" : "SWARM_PAYLOAD_NOT_JSON");
        assert.ok(error.message.includes(name), error.message);
      }
    }
  });

  test(`${event} without its required fields names the first that is missing`, () => {
    const required = Object.keys(payload).filter((name) => payload[name]?.isRequired);
    if (required.length === 0) {
      assertAccepted(event, {});
      return;
    }
    const error = refusalOf(event, {});
    assert.equal(error.code, "SWARM_PAYLOAD_INVALID");
    assert.match(error.message, /^\S+: (\w+) is missing, expected /);
    assert.ok(required.includes(/: (\w+) is missing/.exec(error.message)?.[1] ?? ""), error.message);
  });

  test(`${event} tolerates fields it does not know`, () => {
    const unknown = { zz_new: 1, camelCase: [null], constructor: "x", prototype: {}, toString: "y" };
    assertAccepted(event, { ...minimal(event), ...unknown });
  });

  test(`${event} refuses an own __proto__ key, and lets no inherited one pass for it`, () => {
    for (const json of ['{"__proto__":{"tool_name":"Bash"}}', '{"__proto__":null}', '{"__proto__":1}']) {
      const data = Object.assign(JSON.parse(json), {}) as object;
      for (const [name, value] of Object.entries(minimal(event))) Object.assign(data, { [name]: value });
      const error = refusalOf(event, data);
      assert.equal(error.code, "SWARM_PAYLOAD_INVALID");
      assert.match(error.message, /__proto__/);
    }
  });

  test(`${event} refuses what is not an object of fields`, () => {
    for (const data of [null, undefined, 1, "x", true, [], [minimal(event)], 7n, () => minimal(event)]) {
      const error = refusalOf(event, data);
      assert.equal(error.code, "SWARM_PAYLOAD_INVALID");
      assert.match(error.message, /: data is .*, expected an object$/);
    }
  });

  test(`${event} gives back the very object it was given, unchanged`, () => {
    const data = Object.freeze(minimal(event));
    assert.equal(validatePayload(event, data), data);
    for (const alias of rowOf(event).aliases) assert.equal(validatePayload(alias as EventName, data), data);
  });
}

for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
  test(`${value} is no number a payload can hold`, () => {
    for (const [event, field] of fieldsOfType("number")) {
      const error = refusalOf(event, withField(event, field, value));
      assert.equal(error.message, `${event}: ${field} is ${value}, expected a finite number`);
    }
  });
}

test("a required field that is only inherited is missing: no copy or JSON of the payload would hold it", () => {
  const data = Object.create({ tool_name: "Bash", tool_input: {} });
  const error = refusalOf("tool.before", data);
  assert.equal(error.code, "SWARM_PAYLOAD_INVALID");
  assert.match(error.message, / is missing, /);
});

test("a required field behind an accessor of a class is missing, and is said to be", () => {
  class Call {
    readonly tool_input = {};
    get tool_name(): string {
      return "Bash";
    }
  }
  const error = refusalOf("tool.before", new Call());
  assert.equal(error.message, "tool.before: tool_name is missing, expected a string");
});

test("the fields of a payload's class count like those of a plain object", () => {
  class Call {
    readonly tool_name = "Bash";
    readonly tool_input = {};
  }
  const call = new Call();
  assert.equal(validatePayload("tool.before", call), call);
});

test("an unknown event is refused before its payload is looked at", () => {
  assert.throws(() => validatePayload("tool.befor" as AnyEventName, null), { code: "SWARM_EVENT_UNKNOWN" });
});

test("a refusal names the event, the field, the value and what was expected", () => {
  const cases: readonly (readonly [AnyEventName, unknown, string])[] = [
    ["PreToolUse", { tool_name: 7, tool_input: {} }, "tool.before: tool_name is 7, expected a string"],
    ["tool.before", { tool_name: "x" }, "tool.before: tool_input is missing, expected an object"],
    [
      "task.created",
      { task_id: "t", scope: "src/" },
      'task.created: scope is "src/", expected an array of strings',
    ],
    [
      "task.created",
      { task_id: "t", priority: 1.5 },
      "task.created: priority is 1.5, expected a whole number",
    ],
    [
      "turn.end",
      { last_assistant_message: 4 },
      "turn.end: last_assistant_message is 4, expected a string or null",
    ],
    [
      "approval.decided",
      { approval_id: "a", name: "deploy", decision: "maybe" },
      'approval.decided: decision is "maybe", expected approved or denied or expired',
    ],
    ["turn.end", "done", 'turn.end: data is "done", expected an object'],
  ];
  for (const [event, data, message] of cases) assert.equal(refusalOf(event, data).message, message);
});

test("a refusal is one short line, however hostile the names in the payload", () => {
  const names = ["line\nbreak", "esc\u001b[31m", "sep\u2028arator", "k".repeat(1_000_000)];
  for (const name of names) {
    const self: Record<string, unknown> = {};
    self[name] = self;
    for (const part of [() => 0, self, nested(300)]) {
      const tool_input = { [name]: part };
      const { message } = refusalOf("tool.before", { tool_name: "Bash", tool_input });
      assert.ok(message.length < 1_000, `${message.length} characters`);
      assert.doesNotMatch(message, /[\p{Cc}\u2028\u2029]/u);
    }
  }
});

test("a rewritten field may be exactly as deep as one that arrives", () => {
  for (const depth of [198, 199, 200, 201]) {
    const tool_input = nested(depth);
    assert.equal(
      isWithinLimits(tool_input),
      accepts(() => validatePayload("tool.before", { tool_name: "x", tool_input })),
      `${depth} levels`,
    );
  }
});

/** Payloads other systems document or were seen to send, in our field names. */
const seen: readonly (readonly [AnyEventName, Readonly<Record<string, unknown>>])[] = [
  [
    "task.created",
    {
      task_id: "task-abc123",
      goal: "Implement feature X",
      role: "backend",
      priority: 2,
      scope: ["src/feature_x/"],
      complexity: "medium",
    },
  ],
  ["task.created", { task_id: "t1", goal: "Short" }],
  [
    "task.completed",
    {
      task_id: "task-abc123",
      agent_id: "agent-xyz",
      summary: "Added feature X with tests",
      files_changed: ["src/feature_x/main.py", "tests/test_feature_x.py"],
      duration_s: 120.5,
      tokens_used: 45000,
    },
  ],
  ["task.completed", { task_id: "t1" }],
  ["task.failed", { task_id: "task-abc123", error: "Test suite failed", agent_id: "agent-xyz" }],
  [
    "agent.spawned",
    {
      agent_id: "agent-xyz",
      task_id: "task-abc123",
      model: "sonnet",
      role: "backend",
      worktree: "/path/to/worktree",
    },
  ],
  [
    "merge.conflict",
    {
      agent_id: "agent-xyz",
      branch: "agent/backend-abc123",
      conflicting_files: ["src/shared/config.py"],
      base_branch: "main",
    },
  ],
  ["PreToolUse", { tool_name: "read_file", tool_input: {} }],
  ["PostToolUse", { tool_name: "read_file", tool_input: {}, tool_output: "text" }],
  ["PostToolUseFailure", { tool_name: "read_file", tool_input: {}, error: "not found" }],
  ["Notification", { message: "disk is full", level: "warning" }],
  ["SubagentStart", { agent_name: "reviewer", initial_message: null }],
  ["SubagentStart", { agent_name: "reviewer", initial_message: "look at this" }],
  ["SubagentStop", { agent_name: "reviewer", reason: "completed" }],
  ["PreCompact", { message_count: 120, token_count: 90_000 }],
  ["PostCompact", { message_count: 12, token_count: 9_000 }],
  ["SessionStart", { session_id: "s1", resumed: true }],
  ["SessionEnd", { session_id: "s1", reason: "logout" }],
  ["POST_TOOL", { tool_name: "query", tool_output: { content: "4111111111111111", rows: 1 } }],
  [
    "PreToolUse",
    {
      session_id: "f14baec4-7b0b-4fa4-b4a4-1822075d5e42",
      transcript_path: "/home/user/transcripts/f14baec4.jsonl",
      cwd: "/workspace/project",
      prompt_id: "25fd1801-fa1f-4866-8f09-1a8dfc9d7510",
      permission_mode: "acceptEdits",
      effort: { level: "medium" },
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "echo hi", description: "say hi" },
      tool_use_id: "toolu_1_0",
    },
  ],
  [
    "PostToolUse",
    {
      session_id: "f14baec4-7b0b-4fa4-b4a4-1822075d5e42",
      cwd: "/workspace/project",
      permission_mode: "acceptEdits",
      tool_name: "Bash",
      tool_input: { command: "echo hi" },
      tool_output: { stdout: "hi", stderr: "", interrupted: false, isImage: false },
      tool_use_id: "toolu_1_0",
      duration_ms: 38,
    },
  ],
  [
    "SubagentStop",
    {
      session_id: "f14baec4-7b0b-4fa4-b4a4-1822075d5e42",
      agent_id: "ac5ff933e53957cb7",
      agent_type: "general-purpose",
      agent_name: "general-purpose",
      stop_hook_active: false,
      agent_transcript_path: "/home/user/transcripts/subagents/agent.jsonl",
      last_assistant_message: "subagent finished",
      background_tasks: [],
      session_crons: [],
    },
  ],
  [
    "PermissionRequest",
    {
      cwd: "/workspace/project",
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command: "echo ORIGINAL > ran.txt", description: "d" },
      permission_suggestions: [
        { type: "addDirectories", directories: ["/workspace/project"], destination: "session" },
      ],
    },
  ],
];

for (const [event, data] of seen) {
  test(`${event} takes ${Object.keys(data).join(", ")} as other systems send them`, () => {
    assert.equal(validatePayload(event, data), data);
  });
}

function rightValues(field: Field): readonly unknown[] {
  const values = field.values ?? right[field.type];
  return field.isNullable ? [...values, null] : values;
}

function wrongValues(field: Field): readonly unknown[] {
  const values = [...wrong[field.type], ...(field.values === undefined ? [] : ["", "neither", "Approved"])];
  return field.isNullable || field.type === "any" ? values : [...values, null];
}

function minimal(event: EventName): Record<string, unknown> {
  const required = Object.entries(rowOf(event).payload).filter(([, field]) => field.isRequired);
  return Object.fromEntries(required.map(([name, field]) => [name, rightValues(field)[0]]));
}

function withField(event: EventName, name: string, value: unknown): Record<string, unknown> {
  return { ...minimal(event), [name]: value };
}

function fieldsOfType(type: FieldType): (readonly [EventName, string])[] {
  return eventNames.flatMap((event) =>
    Object.entries(rowOf(event).payload)
      .filter(([, field]) => field.type === type)
      .map(([name]) => [event, name] as const),
  );
}

/** Containers within containers, `depth` of them. */
function nested(depth: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < depth; level++) value = { in: value };
  return value;
}

function accepts(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    assert.ok(error instanceof SwarmError, String(error));
    return false;
  }
}

function assertAccepted(event: EventName, data: unknown): void {
  assert.equal(validatePayload(event, data), data);
}

function assertRefused(event: EventName, field: string, value: unknown): void {
  const error = refusalOf(event, withField(event, field, value));
  assert.equal(error.code, "SWARM_PAYLOAD_INVALID");
  const { expected: _, ...named } = error.params as { expected: string };
  assert.deepEqual(named, { event, field, value });
}

function refusalOf(event: AnyEventName, data: unknown): SwarmError {
  try {
    validatePayload(event, data);
  } catch (error) {
    assert.ok(error instanceof SwarmError, `a catalogued error, not ${String(error)}`);
    return error;
  }
  assert.fail(`${event} was accepted`);
}
