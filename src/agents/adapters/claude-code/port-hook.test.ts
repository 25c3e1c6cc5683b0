import assert from "node:assert/strict";
import { test } from "node:test";
import type { OtherHook } from "../../port/adapter.ts";
import { portClaudeHook } from "./port-hook.ts";

const own = (native: string, matcher?: string, hook: object = {}): OtherHook => ({
  place: { native, groupIndex: 0, hookIndex: 0 },
  group: matcher === undefined ? {} : { matcher },
  hook: { type: "command", command: "./check.sh", ...hook },
});

test("a hook is taken as it is, matcher, deadline, async and all", () => {
  const hook = own("PreToolUse", "Bash|mcp__.*", { timeout: 5, async: true, onFailure: "continue" });
  assert.deepEqual(portClaudeHook(hook), { group: hook.group, hook: hook.hook });
});

test("where Claude Code waits less than 600 seconds by itself, the hook says so", () => {
  const timeoutOf = (native: string, hook?: object) => {
    const ported = portClaudeHook(own(native, undefined, hook));
    return typeof ported === "string" ? ported : ported.hook.timeout;
  };
  assert.deepEqual(
    [timeoutOf("UserPromptSubmit"), timeoutOf("SessionEnd"), timeoutOf("Stop")],
    [30, 1.5, undefined],
  );
  assert.equal(timeoutOf("UserPromptSubmit", { timeout: 90 }), 90);
  assert.equal(timeoutOf("Stop", { type: "http" }), 600, "an endpoint has 10 here");
});

test("a list with a tool's old name also has the new one; an expression is left alone", () => {
  const matcherOf = (matcher: string) => {
    const ported = portClaudeHook(own("PreToolUse", matcher));
    return typeof ported === "string" ? ported : ported.group.matcher;
  };
  assert.equal(matcherOf("Bash, Task"), "Bash, Task|Agent");
  assert.equal(matcherOf("Task|Agent"), "Task|Agent");
  assert.equal(matcherOf("^Task$"), "^Task$");
});

test("what has no counterpart here is told apart, and why", () => {
  assert.match(String(portClaudeHook(own("Notification", "idle_prompt"))), /type of a notification/);
  assert.equal(typeof portClaudeHook(own("Notification", "*")), "object");
  assert.match(String(portClaudeHook(own("Stop", undefined, { asyncRewake: true }))), /asyncRewake/);
});
