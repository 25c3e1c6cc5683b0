import assert from "node:assert/strict";
import { test } from "node:test";
import { readClaudeAnswer } from "./answer.ts";

const silent = {
  verdict: undefined,
  reason: undefined,
  rewrite: undefined,
  context: undefined,
  stop: undefined,
};
const pre = (specific: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...specific } });

const cases = [
  ["an empty object says nothing", "tool.before", {}, {}],
  [
    "permissionDecision deny denies with its reason",
    "tool.before",
    pre({ permissionDecision: "deny", permissionDecisionReason: "no" }),
    { verdict: "deny", reason: "no" },
  ],
  [
    "the old decision: block denies",
    "tool.before",
    { decision: "block", reason: "no" },
    { verdict: "deny", reason: "no" },
  ],
  ["the old decision: approve allows", "tool.before", { decision: "approve" }, { verdict: "allow" }],
  ["ask asks", "tool.before", pre({ permissionDecision: "ask" }), { verdict: "ask" }],
  [
    "updatedInput replaces the tool's input",
    "tool.before",
    pre({ updatedInput: { command: "ls" } }),
    { rewrite: { tool_input: { command: "ls" } } },
  ],
  [
    "a permission request is denied by its behavior",
    "permission.request",
    { hookSpecificOutput: { decision: { behavior: "deny", message: "no" } } },
    { verdict: "deny", reason: "no" },
  ],
  [
    "updatedToolOutput replaces the tool's output",
    "tool.after",
    { hookSpecificOutput: { updatedToolOutput: { stdout: "x" }, additionalContext: "masked" } },
    { rewrite: { tool_output: { stdout: "x" } }, context: "masked" },
  ],
  ["continue: false stops", "turn.end", { continue: false, stopReason: "enough" }, { stop: "enough" }],
  ["what a terminal shows is left alone", "tool.before", { suppressOutput: true, terminalSequence: "x" }, {}],
] as const;

for (const [name, event, answer, expected] of cases) {
  test(name, () => {
    assert.deepEqual(readClaudeAnswer(event, answer), { ...silent, ...expected });
  });
}

test("an answer in our words counts in a file of Claude Code's shape too, and so does seed 000's", () => {
  const masked = { carry_on: true, mutation: { result: { content: "XXXX" } } };
  assert.deepEqual(readClaudeAnswer("tool.after", masked), masked);
  const denial = { carry_on: false, reason: "no" };
  assert.deepEqual(readClaudeAnswer("tool.before", denial), { ...denial });
  const plain = { verdict: "deny", reason: "no" };
  assert.deepEqual(readClaudeAnswer("tool.before", plain), plain);
  const rewrite = { rewrite: { tool_input: { command: "ls" } }, context: "note", stop: "enough" };
  assert.deepEqual(readClaudeAnswer("tool.before", rewrite), rewrite);
});

test("of an answer in both languages the stricter verdict counts, and nothing is lost", () => {
  const both = { verdict: "allow", ...pre({ permissionDecision: "deny", additionalContext: "c" }) };
  assert.deepEqual(readClaudeAnswer("tool.before", both), { verdict: "deny", context: "c" });
  const other = { verdict: "deny", ...pre({ permissionDecision: "allow" }) };
  assert.equal(readClaudeAnswer("tool.before", other).verdict, "deny");
  const goesOn = { carry_on: true, decision: "block", reason: "no" };
  assert.equal(readClaudeAnswer("tool.before", goesOn).verdict, "deny");
});

const unread = [
  [
    "a misspelt key",
    "tool.before",
    pre({ permisionDecision: "deny" }),
    'the key "hookSpecificOutput.permisionDecision" (did you mean hookSpecificOutput.permissionDecision?)',
  ],
  ["a key at the top", "tool.before", { block: true }, 'the key "block"'],
  [
    "a key of another event",
    "tool.after",
    { hookSpecificOutput: { updatedInput: {} } },
    'the key "hookSpecificOutput.updatedInput"',
  ],
  [
    "a decision that is none",
    "tool.before",
    pre({ permissionDecision: "denied" }),
    'permissionDecision "denied"',
  ],
  [
    "a decision by an object's own method",
    "tool.before",
    { decision: "constructor" },
    'decision "constructor"',
  ],
] as const;

for (const [name, event, answer, part] of unread) {
  test(`${name} is warned of by its name, and stands in the record`, () => {
    const warned: string[] = [];
    const { reason, verdict } = readClaudeAnswer(event, answer, (problem) => warned.push(problem));
    assert.deepEqual(warned, [`its answer has ${part}, which has no effect`]);
    assert.deepEqual([reason, verdict], [warned[0], undefined]);
  });
}

test("what has an effect is not warned of", () => {
  const warned: string[] = [];
  for (const [, event, answer] of cases) readClaudeAnswer(event, answer, (problem) => warned.push(problem));
  assert.deepEqual(warned, []);
});
