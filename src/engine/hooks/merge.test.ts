import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../base/limits.ts";
import { type EventName, eventNames, rowOf } from "../events/names.ts";
import { defineHook } from "./definition.ts";
import { applyRewrite, rewriteRulesOf } from "./merge.ts";

type Data = Readonly<Record<string, unknown>>;

function apply(event: EventName, data: Data, rewrite: unknown, mode = "transform"): Data {
  const hook = defineHook(event, { name: "redact", mode }, () => undefined, 1);
  return applyRewrite(rewriteRulesOf(event), hook, data, rewrite as object, true);
}

const before = { tool_name: "Write", tool_input: { path: "a", mode: "w" }, cwd: "/p" };
const after = { tool_name: "query", tool_output: { content: "4111", rows: 1, meta: { a: 1, b: 2 } } };

test("a rewrite replaces the fields it names and keeps the others", () => {
  assert.deepEqual(apply("tool.before", before, { tool_input: { path: "b" } }), {
    tool_name: "Write",
    tool_input: { path: "b" },
    cwd: "/p",
  });
});

test("a rewrite leaves the payload it started from as it was", () => {
  const data = structuredClone(after);
  const next = apply("tool.after", data, { tool_output: { content: "XXXX" } });
  assert.deepEqual(data, after);
  assert.notEqual(next, data);
  assert.notEqual(next.tool_output, data.tool_output);
});

test("a rewrite of nothing changes nothing", () => {
  assert.deepEqual(apply("tool.before", before, {}), before);
  assert.deepEqual(apply("tool.before", before, { tool_input: undefined }), before);
});

test("masking one part of a tool's output keeps its siblings, one level deep", () => {
  const { tool_output } = apply("tool.after", after, { tool_output: { content: "XXXX", meta: { a: 9 } } });
  assert.deepEqual(tool_output, { content: "XXXX", rows: 1, meta: { a: 9 } });
});

test("output that is not an object, or becomes one, is replaced", () => {
  const outputs = ["text", null, 7, ["a"], { content: "x" }];
  for (const from of outputs) {
    for (const to of ["masked", null, 0, ["b"]]) {
      assert.deepEqual(
        apply("tool.after", { ...after, tool_output: from }, { tool_output: to }).tool_output,
        to,
      );
    }
  }
  for (const from of ["text", null, 7, ["a"]]) {
    const to = { content: "masked" };
    assert.deepEqual(
      apply("tool.after", { ...after, tool_output: from }, { tool_output: to }).tool_output,
      to,
    );
  }
});

test("messages and context are replaced on every event, and an empty list clears", () => {
  for (const event of eventNames) {
    const data = { messages: [{ role: "user" }], context: { a: 1 }, other: 1 };
    assert.deepEqual(apply(event, data, { messages: [], context: null }), {
      messages: [],
      context: null,
      other: 1,
    });
    assert.deepEqual(apply(event, data, { context: { b: 2 } }).context, { b: 2 });
  }
});

for (const event of eventNames) {
  test(`${event} lets exactly its own fields be rewritten`, () => {
    const row = rowOf(event);
    const legal = [...row.rewrites, "messages", "context"];
    assert.deepEqual(Object.keys(rewriteRulesOf(event)), legal);
    for (const field of [...Object.keys(row.payload), "of_a_later_release", "toString"]) {
      if (legal.includes(field)) continue;
      assert.throws(() => apply(event, {}, { [field]: "x" }), {
        code: "SWARM_REWRITE_ILLEGAL",
        message: `hook redact rewrote "${field}" of ${event}, expected ${legal.join(", ")}`,
      });
    }
  });
}

for (const mode of ["guard", "observe"]) {
  test(`a hook in mode ${mode} rewrites nothing`, () => {
    assert.throws(() => apply("tool.before", before, { tool_input: {} }, mode), {
      code: "SWARM_REWRITE_ILLEGAL",
      message: `hook redact rewrote "tool_input" of tool.before, expected nothing, it is a ${mode}`,
    });
  });
}

for (const rewrite of [null, "x", 7, true]) {
  test(`${JSON.stringify(rewrite)} is no rewrite`, () => {
    assert.throws(() => apply("tool.before", before, rewrite), { code: "SWARM_ANSWER_INVALID" });
  });
}

test("a rewritten field must have its declared type", () => {
  const cases: readonly (readonly [EventName, object, string])[] = [
    ["tool.before", { tool_input: "ls" }, 'tool.before: tool_input is "ls", expected an object'],
    ["tool.before", { tool_input: null }, "tool.before: tool_input is null, expected an object"],
    ["tool.before", { tool_input: ["ls"] }, "tool.before: tool_input is an array of 1, expected an object"],
    ["prompt.submit", { prompt: 7 }, "prompt.submit: prompt is 7, expected a string"],
    ["turn.end", { messages: {} }, "turn.end: messages is an object with no keys, expected an array"],
    ["turn.end", { context: "x" }, 'turn.end: context is "x", expected an object or null'],
    [
      "compaction.before",
      { preserve: ["a", 1] },
      "compaction.before: preserve is an array of 2, expected an array of strings",
    ],
  ];
  for (const [event, rewrite, message] of cases) {
    assert.throws(() => apply(event, {}, rewrite), { code: "SWARM_PAYLOAD_INVALID", message });
  }
});

const circular: Record<string, unknown> = {};
circular.self = circular;
let deep: object = {};
for (let level = 0; level < 300; level++) deep = { deep };

/** A payload that may not arrive like this may not be made like this by a hook either. */
const unfit: readonly (readonly [what: string, value: object, code: string])[] = [
  ["contains itself", circular, "SWARM_PAYLOAD_CIRCULAR"],
  ["holds ten million characters", { content: "x".repeat(10_000_000) }, "SWARM_PAYLOAD_TOO_LARGE"],
  ["is nested too deeply", deep, "SWARM_PAYLOAD_TOO_DEEP"],
  ["holds a function", { run: () => 0 }, "SWARM_PAYLOAD_NOT_JSON"],
  ["holds a bigint", { size: 7n }, "SWARM_PAYLOAD_NOT_JSON"],
];

for (const [what, value, code] of unfit) {
  test(`a rewritten field that ${what} is refused, replaced or merged`, () => {
    assert.throws(() => apply("tool.before", before, { tool_input: value }), { code });
    assert.throws(() => apply("tool.after", after, { tool_output: value }), { code });
    assert.throws(() => apply("turn.end", {}, { messages: [value] }), { code });
  });
}

test("merging does not get a field past the limit that each of its parts keeps", () => {
  const half = "x".repeat(limits.payloadChars / 2 + 1);
  const data = { ...after, tool_output: { stdout: half } };
  assert.throws(() => apply("tool.after", data, { tool_output: { stderr: half } }), {
    code: "SWARM_PAYLOAD_TOO_LARGE",
  });
});

const forbidden = ["__proto__", "constructor", "prototype"];

for (const key of forbidden) {
  const own = () => Object.defineProperty({ fine: 1 }, key, { value: { polluted: true }, enumerable: true });

  test(`${key} is refused as the name of a rewritten field`, () => {
    for (const event of ["tool.before", "tool.after", "turn.end"] as const) {
      assert.throws(() => apply(event, {}, own()), { code: "SWARM_REWRITE_ILLEGAL" });
    }
  });

  test(`${key} is refused as a key of merged output`, () => {
    assert.throws(() => apply("tool.after", after, { tool_output: own() }), {
      code: "SWARM_REWRITE_ILLEGAL",
      message: new RegExp(`^hook redact rewrote "tool_output\\.${key}" of tool\\.after, expected `),
    });
  });

  test(`${key} is refused in output that may be merged later, whatever was there before`, () => {
    for (const tool_output of ["text", null, ["a"]]) {
      assert.throws(() => apply("tool.after", { ...after, tool_output }, { tool_output: own() }), {
        code: "SWARM_REWRITE_ILLEGAL",
      });
    }
  });
}

test("what a rewrite inherits is not part of it", () => {
  const rewrite = Object.create({ tool_input: { path: "inherited" } });
  assert.deepEqual(apply("tool.before", before, rewrite), before);
  const output = Object.create({ content: "inherited" });
  assert.deepEqual(apply("tool.after", after, { tool_output: output }).tool_output, after.tool_output);
});

test("the result of a merge is a plain object, whatever class the parts are of", () => {
  class Output {
    readonly content = "XXXX";
  }
  const { tool_output } = apply("tool.after", after, { tool_output: new Output() });
  assert.equal(Object.getPrototypeOf(tool_output), Object.prototype);
  assert.deepEqual(tool_output, { ...after.tool_output, content: "XXXX" });
});
