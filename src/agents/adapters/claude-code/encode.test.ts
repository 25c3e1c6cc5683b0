import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, fixture } from "../answer-to.cases.ts";
import { claudeCode } from "./adapter.ts";

const tell = (name: string, ...rest: [Parameters<typeof answerTo>[2], Parameters<typeof answerTo>[3]?]) =>
  answerTo(claudeCode, fixture("claude-code", name), ...rest);

test("a denied tool call says so as a permission, with exit code 0", () => {
  const { native } = tell("captured/PreToolUse", { verdict: "deny", reason: "no", context: ["a", "b"] });
  assert.deepEqual(native, {
    stdout:
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",' +
      '"permissionDecisionReason":"no","additionalContext":"a\\n\\nb"}}\n',
    stderr: "",
    exitCode: 0,
  });
});

test("an allowed one says so, with its reason and new arguments", () => {
  const tool_input = { command: "ls" };
  assert.deepEqual(tell("captured/PreToolUse", { verdict: "allow", reason: "safe" }, { tool_input }).json, {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      permissionDecisionReason: "safe",
      updatedInput: tool_input,
    },
  });
});

test("new arguments do not go out with a denial", () => {
  const { json } = tell("captured/PreToolUse", { verdict: "deny", reason: "no" }, { tool_input: {} });
  assert.deepEqual(Object.keys(json?.hookSpecificOutput as object), [
    "hookEventName",
    "permissionDecision",
    "permissionDecisionReason",
  ]);
});

test("a masked output goes out even with feedback, so that the original does not", () => {
  const tool_output = {
    stdout: "***",
    stderr: "",
    interrupted: false,
    isImage: false,
    noOutputExpected: false,
  };
  assert.deepEqual(
    tell("captured/PostToolUse", { verdict: "deny", reason: "secret" }, { tool_output }).json,
    {
      decision: "block",
      reason: "secret",
      hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: tool_output },
    },
  );
});

test("a permission dialog is answered by behaviour, and left alone when a person has to decide", () => {
  const denied = tell("captured/PermissionRequest", { verdict: "deny", reason: "no", stop: "enough" });
  assert.deepEqual(denied.json, {
    hookSpecificOutput: {
      hookEventName: "PermissionRequest",
      decision: { behavior: "deny", message: "no", interrupt: true },
    },
  });
  assert.equal(tell("captured/PermissionRequest", { verdict: "ask" }).native.stdout, "");
});

test("a failed tool's feedback goes out by exit code 2, context and all", () => {
  const { native } = tell("captured/PostToolUseFailure", {
    verdict: "deny",
    reason: "again",
    context: ["c"],
  });
  assert.deepEqual(native, { stdout: "", stderr: "again\n\nc\n", exitCode: 2 });
});

test("rules to preserve become instructions for the summary", () => {
  const { native, notes } = tell("captured/PreCompact", {}, { preserve: ["the plan", "{open} questions"] });
  assert.deepEqual(native.stdout, "Keep in the summary:\n- the plan\n- {open} questions\n");
  assert.deepEqual(notes, []);
});

test("a stop where none is known becomes a denial, or a note where that would do nothing", () => {
  const compact = tell("captured/PreCompact", { stop: "enough" });
  assert.deepEqual(compact.json, { decision: "block", reason: "the run should end: enough" });
  const start = tell("captured/SessionStart", { stop: "enough" });
  assert.equal(start.native.stdout, "");
  assert.deepEqual(start.notes, ["stop (enough): the run cannot be ended at Claude Code's SessionStart"]);
});

test("to end the run and to keep working cannot both be had", () => {
  const { json, notes } = tell("captured/Stop", { verdict: "deny", reason: "tests fail", stop: "enough" });
  assert.deepEqual(json, { continue: false, stopReason: "enough", decision: "block", reason: "tests fail" });
  assert.deepEqual(notes, ["deny: the run ends at Claude Code's Stop, which another hook asked for"]);
});
