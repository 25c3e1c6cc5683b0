import assert from "node:assert/strict";
import { test } from "node:test";
import { Answer, allow, ask, context, defer, deny, rewrite, stop } from "../events/answer.ts";
import { defineHook } from "./definition.ts";
import { readAnswer } from "./read-answer.ts";

const hook = defineHook("tool.before", { name: "gate" }, () => undefined, 1);

const nothing = {
  by: undefined,
  verdict: undefined,
  reason: undefined,
  rewrite: undefined,
  context: undefined,
  stop: undefined,
};

const read = (returned: unknown) => ({ ...readAnswer(hook, returned) });

const understood: readonly (readonly [returned: object, answer: Partial<typeof nothing> | object])[] = [
  [{}, {}],
  [{ verdict: "none" }, { verdict: "none" }],
  [{ verdict: "allow" }, { verdict: "allow" }],
  [
    { verdict: "ask", reason: "why" },
    { verdict: "ask", reason: "why" },
  ],
  [{ verdict: "defer" }, { verdict: "defer" }],
  [
    { verdict: "deny", reason: "no" },
    { verdict: "deny", reason: "no" },
  ],
  [{ rewrite: { tool_input: {} } }, { rewrite: { tool_input: {} } }],
  [
    { context: "text", stop: "enough" },
    { context: "text", stop: "enough" },
  ],
  [
    { verdict: "allow", reason: "r", rewrite: {}, context: "c", stop: "s" },
    { verdict: "allow", reason: "r", rewrite: {}, context: "c", stop: "s" },
  ],
  [{ verdict: null, reason: null, rewrite: null, context: null, stop: null }, {}],
  [{ verdict: undefined, rewrite: undefined }, {}],
  [{ carry_on: true }, {}],
  [{ carry_on: true, reason: "fine" }, { reason: "fine" }],
  [{ carry_on: true, mutation: null }, {}],
  [{ mutation: { tool_input: { a: 1 } } }, { rewrite: { tool_input: { a: 1 } } }],
  [{ carry_on: true, mutation: { arguments: { a: 1 } } }, { rewrite: { tool_input: { a: 1 } } }],
  [
    { carry_on: true, mutation: { result: { content: "X" } } },
    { rewrite: { tool_output: { content: "X" } } },
  ],
  [{ carry_on: true, mutation: { output: "X" } }, { rewrite: { tool_output: "X" } }],
  [
    { carry_on: true, mutation: { messages: [], context: null } },
    { rewrite: { messages: [], context: null } },
  ],
  [{ carry_on: false }, { verdict: "deny" }],
  [
    { carry_on: false, reason: "blocked" },
    { verdict: "deny", reason: "blocked" },
  ],
  [{ carry_on: false, mutation: { arguments: {} } }, { verdict: "deny" }],
];

for (const [returned, answer] of understood) {
  test(`${JSON.stringify(returned)} is understood`, () => {
    assert.ok(readAnswer(hook, returned) instanceof Answer);
    assert.deepEqual(read(returned), { ...nothing, ...answer });
  });
}

test("a plain copy of what a helper made means the same", () => {
  const made = [
    allow(),
    allow("r"),
    deny("no"),
    ask(),
    ask("r"),
    defer("r"),
    rewrite({ tool_input: { a: 1 } }),
    context("text"),
    stop("enough"),
  ];
  for (const answer of made) {
    assert.deepEqual(read({ ...answer }), { ...answer });
    assert.deepEqual(read(JSON.parse(JSON.stringify(answer))), { ...answer });
  }
});

/** Fail closed: whatever else is wrong with it, a denial is a denial. */
const denials: readonly object[] = [
  { verdict: "deny" },
  { verdict: "deny", reason: 42 },
  { verdict: "deny", reason: null },
  { verdict: "deny", reasn: "typo" },
  { verdict: "deny", rewrite: "garbage" },
  { verdict: "deny", context: 7, stop: {} },
  { verdict: "deny", mutation: { arguments: {} } },
  { verdict: "deny", carry_on: true },
  { verdict: "allow", carry_on: false },
  { carry_on: false, reason: ["not", "text"] },
  { carry_on: false, mutaton: {} },
  { carry_on: false, mutation: "garbage" },
  { carry_on: false, rewrite: {} },
];

for (const returned of denials) {
  test(`${JSON.stringify(returned)} denies`, () => {
    const answer = read(returned);
    assert.equal(answer.verdict, "deny");
    assert.equal(answer.rewrite, undefined);
    assert.ok(answer.reason === undefined || typeof answer.reason === "string");
  });
}

const refused: readonly (readonly [returned: unknown, message: string])[] = [
  [true, "hook gate answered true, expected an answer or nothing"],
  [false, "hook gate answered false, expected an answer or nothing"],
  ["deny", 'hook gate answered "deny", expected an answer or nothing'],
  [2, "hook gate answered 2, expected an answer or nothing"],
  [[], "hook gate answered an array of 0, expected an answer or nothing"],
  [[{ verdict: "deny" }], "hook gate answered an array of 1, expected an answer or nothing"],
  [() => 0, "hook gate answered function (anonymous), expected an answer or nothing"],
  [7n, "hook gate answered a bigint, expected an answer or nothing"],
  [
    { decision: "block" },
    'hook gate answered an object with key "decision", expected only verdict, reason, rewrite, context, stop',
  ],
  [
    { carry_on: true, rewrite: {} },
    'hook gate answered an object with key "rewrite", expected only carry_on, mutation, reason',
  ],
  [{ verdict: "Deny" }, 'hook gate answered verdict "Deny", expected none, allow, ask, defer or deny'],
  [{ verdict: "block" }, 'hook gate answered verdict "block", expected none, allow, ask, defer or deny'],
  [
    { verdict: "constructor" },
    'hook gate answered verdict "constructor", expected none, allow, ask, defer or deny',
  ],
  [{ verdict: true }, "hook gate answered verdict true, expected none, allow, ask, defer or deny"],
  [{ verdict: "allow", reason: 1 }, "hook gate answered reason 1, expected a string"],
  [{ context: ["a"] }, "hook gate answered context an array of 1, expected a string"],
  [{ stop: true }, "hook gate answered stop true, expected a string"],
  [{ rewrite: "x" }, 'hook gate answered rewrite "x", expected an object of fields'],
  [{ rewrite: [] }, "hook gate answered rewrite an array of 0, expected an object of fields"],
  [{ carry_on: "false" }, 'hook gate answered carry_on "false", expected true or false'],
  [{ carry_on: 0 }, "hook gate answered carry_on 0, expected true or false"],
  [
    { carry_on: true, mutation: [] },
    "hook gate answered mutation an array of 0, expected an object of fields",
  ],
  [
    JSON.parse('{"__proto__":{"verdict":"allow"}}'),
    'hook gate answered an object with key "__proto__", expected only verdict, reason, rewrite, context, stop',
  ],
];

for (const [returned, message] of refused) {
  test(`refused: ${message}`, () => {
    assert.throws(() => readAnswer(hook, returned), {
      name: "SwarmError",
      code: "SWARM_ANSWER_INVALID",
      message,
    });
  });
}

test("an inherited verdict is nobody's answer, and an object of a class is none at all", () => {
  class Verdict {
    readonly reason = "fine";
    get verdict(): string {
      return "deny";
    }
  }
  for (const returned of [
    Object.create({ verdict: "deny", carry_on: false }),
    new Verdict(),
    new Map(),
    new Date(),
  ]) {
    assert.throws(() => readAnswer(hook, returned), { code: "SWARM_ANSWER_INVALID" });
  }
});

test("the other dialect's names are only mapped at the top of a mutation, never inside a tool's arguments", () => {
  const mutation = { arguments: { arguments: 1, result: 2, output: 3 } };
  assert.deepEqual(read({ carry_on: true, mutation }).rewrite, { tool_input: mutation.arguments });
  const rewritten = { tool_input: { output: 1 } };
  assert.deepEqual(read({ rewrite: rewritten }).rewrite, rewritten);
});

test("a mutation that names one field in both dialects is refused: masking one name must not leak the other", () => {
  for (const mutation of [
    { tool_output: { content: "XXXX" }, result: { content: "4111" } },
    { result: { content: "XXXX" }, output: { content: "4111" } },
    { arguments: { a: 1 }, tool_input: { a: 2 } },
  ]) {
    assert.throws(() => readAnswer(hook, { carry_on: true, mutation }), { code: "SWARM_ANSWER_INVALID" });
  }
});

test("an own __proto__ in a mutation stays a key and reaches no prototype", () => {
  const mutation = JSON.parse('{"__proto__":{"tool_input":{"a":1}}}') as object;
  const { rewrite: rewritten } = read({ carry_on: true, mutation });
  assert.deepEqual(Object.keys(rewritten ?? {}), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(rewritten), Object.prototype);
});
