import assert from "node:assert/strict";
import { test } from "node:test";
import type { HandlerCall } from "../../ports/handler.ts";
import { claudeInput } from "./input.ts";

test("a script written for Claude Code reads its names of fields, whatever ours are", () => {
  const call = { id: "evt_1", event: "subagent.stop", origin: {} } as HandlerCall;
  const read = claudeInput("SubagentStop", { agent_name: "reviewer", tool_output: "x" }, call, "/w");
  assert.deepEqual(
    [read.agent_type, read.agent_name, read.tool_response, read.tool_output],
    ["reviewer", undefined, "x", undefined],
  );
});
