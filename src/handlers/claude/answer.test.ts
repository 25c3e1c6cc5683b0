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
  ["keys we do not know are left alone", "tool.before", { suppressOutput: true, terminalSequence: "x" }, {}],
] as const;

for (const [name, event, answer, expected] of cases) {
  test(name, () => {
    assert.deepEqual(readClaudeAnswer(event, answer), { ...silent, ...expected });
  });
}
