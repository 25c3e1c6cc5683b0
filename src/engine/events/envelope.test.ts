import assert from "node:assert/strict";
import { test } from "node:test";
import { envelope } from "./envelope.ts";

test("an envelope says when in seconds, with fractions, and null for what nobody said", () => {
  const data = { tool_name: "Bash", tool_input: {} };
  assert.deepEqual(envelope("tool.before", "evt_1", 1_712_345_678_250, undefined, data), {
    event: "tool.before",
    id: "evt_1",
    timestamp: 1_712_345_678.25,
    session: null,
    agent: null,
    task: null,
    cwd: null,
    source: null,
    native_event: null,
    tool: { name: "shell", names: ["shell"], command: null, path: null, paths: [] },
    data,
  });
  assert.equal("tool" in envelope("prompt.submit", "evt_2", 0, undefined, { prompt: "hi" }), false);
});

test("an envelope carries everything its origin says, and keeps the payload as it is", () => {
  const origin = {
    session: "s",
    agent: "a",
    task: "t",
    cwd: "/project",
    source: "claude-code",
    native_event: "PreToolUse",
  };
  const data = { tool_name: "Write", tool_input: { file_path: "a" } };
  const tool = { name: "write", names: ["write"], command: null, path: "a", paths: ["a"] };
  const made = envelope("tool.before", "evt_1", 0, origin, data);
  assert.deepEqual(made, { event: "tool.before", id: "evt_1", timestamp: 0, ...origin, tool, data });
  assert.equal(made.data, data);
});
