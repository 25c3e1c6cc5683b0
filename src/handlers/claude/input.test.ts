import assert from "node:assert/strict";
import { test } from "node:test";
import type { HandlerCall } from "../../engine/hooks/handler.ts";
import { claudeInput } from "./input.ts";

test("a script written for Claude Code reads its names of fields, whatever ours are", () => {
  const call = { id: "evt_1", event: "subagent.stop", origin: {} } as HandlerCall;
  const read = claudeInput("SubagentStop", { agent_name: "reviewer", tool_output: "x" }, call, "/w");
  assert.deepEqual(
    [read.agent_type, read.agent_name, read.tool_response, read.tool_output],
    ["reviewer", undefined, "x", undefined],
  );
});

test("a script for its tasks reads what it calls their title and goal", () => {
  const call = { id: "evt_1", event: "task.created", origin: {} } as HandlerCall;
  const read = claudeInput("TaskCreated", { task_id: "1", title: "Write docs", goal: "all" }, call, "/w");
  const { hook_event_name, task_id, task_subject, task_description, title, goal } = read;
  assert.deepEqual(
    [hook_event_name, task_id, task_subject, task_description, title, goal],
    ["TaskCreated", "1", "Write docs", "all", undefined, undefined],
  );
});
