import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import { canonicalByName, canonicalName, eventNames, rowOf, unknownEvent } from "./names.ts";

/** Every vocabulary, one event. */
const oneEvent: Readonly<Record<string, readonly string[]>> = {
  "session.start": ["session.start", "SESSION_START", "SessionStart", "on_start"],
  "session.end": ["session.end", "SessionEnd", "on_end"],
  "prompt.submit": ["prompt.submit", "UserPromptSubmit"],
  "turn.end": ["turn.end", "Stop"],
  "tool.before": ["tool.before", "PreToolUse", "PRE_TOOL", "PreTool", "on_tool_start"],
  "tool.after": ["tool.after", "PostToolUse", "POST_TOOL", "PostTool", "on_tool_end"],
  "tool.failed": ["tool.failed", "PostToolUseFailure"],
  "model.before": ["model.before", "on_llm_start"],
  "model.after": ["model.after", "on_llm_end"],
  "compaction.before": ["compaction.before", "PRE_COMPACTION", "PreCompact"],
  "compaction.after": ["compaction.after", "POST_COMPACTION", "PostCompact"],
  "subagent.start": ["subagent.start", "SubagentStart", "on_subagents_start"],
  "subagent.stop": ["subagent.stop", "SubagentStop", "on_subagents_end"],
  "permission.request": ["permission.request", "PermissionRequest"],
  notification: ["notification", "Notification"],
};

for (const [canonical, written] of Object.entries(oneEvent)) {
  test(`${written.join(", ")} are one event`, () => {
    assert.deepEqual([...new Set(written.map(canonicalName))], [canonical]);
  });
}

test("every canonical name and alias of the catalogue resolves to its own row", () => {
  for (const name of eventNames) {
    assert.equal(canonicalName(name), name);
    for (const alias of rowOf(name).aliases) assert.equal(canonicalName(alias), name);
  }
  const written = eventNames.flatMap((name) => [name, ...rowOf(name).aliases]);
  assert.equal(canonicalByName.size, written.length);
});

for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "", "tool", "tool.*", "*"]) {
  test(`${JSON.stringify(name)} is no event`, () => {
    assert.throws(() => canonicalName(name), { name: "SwarmError", code: "SWARM_EVENT_UNKNOWN" });
  });
}

test("a mistyped event is refused with the name that was meant", () => {
  assert.throws(() => canonicalName("PreToolsUse"), {
    code: "SWARM_EVENT_UNKNOWN",
    message: 'unknown event "PreToolsUse", did you mean "PreToolUse"?',
  });
  assert.throws(() => canonicalName("Tool_Before"), {
    message: 'unknown event "Tool_Before", did you mean "tool.before"?',
  });
});

test("an event that is not a string is refused by its value", () => {
  for (const [written, text] of [
    [42, "42"],
    [null, "null"],
    [{ event: "x" }, "an object with keys event"],
  ] as const) {
    const error = unknownEvent(written);
    assert.ok(error instanceof SwarmError);
    assert.equal(error.message, `unknown event ${text}`);
  }
});
