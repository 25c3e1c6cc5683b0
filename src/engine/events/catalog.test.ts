import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "./catalog.ts";
import { type EventName, eventNames, rewritableFields, rowOf } from "./names.ts";

interface Expected {
  /** Names configuration files use for the event. */
  readonly aliases?: readonly string[];
  readonly matches: string | null;
  readonly rewrites?: readonly string[];
}

/** The design's table, typed a second time on purpose: a row that is lost or renamed has to be lost twice. */
const designed: Readonly<Record<string, Expected>> = {
  "session.start": {
    aliases: ["SESSION_START", "SessionStart", "on_start"],
    matches: "source",
    rewrites: ["system_prompt"],
  },
  "session.end": { aliases: ["SessionEnd", "on_end"], matches: "reason" },
  "prompt.submit": { aliases: ["UserPromptSubmit"], matches: null, rewrites: ["prompt"] },
  "turn.end": { aliases: ["Stop"], matches: null },
  "tool.before": {
    aliases: ["PRE_TOOL", "PreTool", "PreToolUse", "on_tool_start"],
    matches: "tool_name",
    rewrites: ["tool_input"],
  },
  "tool.after": {
    aliases: ["POST_TOOL", "PostTool", "PostToolUse", "on_tool_end"],
    matches: "tool_name",
    rewrites: ["tool_output"],
  },
  "tool.failed": { aliases: ["PostToolUseFailure"], matches: "tool_name" },
  "model.before": { aliases: ["on_llm_start"], matches: "model" },
  "model.after": { aliases: ["on_llm_end"], matches: "model" },
  "compaction.before": {
    aliases: ["PRE_COMPACTION", "PreCompact"],
    matches: "trigger",
    rewrites: ["preserve"],
  },
  "compaction.after": { aliases: ["POST_COMPACTION", "PostCompact"], matches: "trigger" },
  "subagent.start": { aliases: ["SubagentStart", "on_subagents_start"], matches: "agent_name" },
  "subagent.stop": { aliases: ["SubagentStop", "on_subagents_end"], matches: "agent_name" },
  "permission.request": { aliases: ["PermissionRequest"], matches: "tool_name", rewrites: ["tool_input"] },
  notification: { aliases: ["Notification"], matches: "level" },
  "task.created": { matches: "role" },
  "task.claimed": { matches: "role" },
  "agent.spawned": { matches: "role" },
  "merge.started": { matches: "branch" },
  "task.completed": { matches: "role" },
  "task.failed": { matches: "role" },
  "task.retried": { matches: "role" },
  "task.cancelled": { matches: "role" },
  "agent.heartbeat": { matches: "role" },
  "agent.completed": { matches: "role" },
  "agent.killed": { matches: "role" },
  "agent.stalled": { matches: "role" },
  "merge.completed": { matches: "branch" },
  "merge.conflict": { matches: "branch" },
  "quality_gate.passed": { matches: "gate" },
  "quality_gate.failed": { matches: "gate" },
  "budget.threshold": { matches: "scope" },
  "budget.exceeded": { matches: "scope" },
  "approval.requested": { matches: "name" },
  "approval.decided": { matches: "name" },
  "cron.fired": { matches: "name" },
  "cron.completed": { matches: "name" },
  "cron.failed": { matches: "name" },
  "cron.missed": { matches: "name" },
  "batch.started": { matches: "name" },
  "batch.checkpoint": { matches: "name" },
  "batch.completed": { matches: "name" },
  "batch.failed": { matches: "name" },
  "alert.raised": { matches: "name" },
  "hook.failed": { matches: "name" },
  "config.changed": { matches: "name" },
  "native.unknown": { matches: "name" },
};

test("the catalogue holds the events of the design and no others", () => {
  assert.deepEqual(Object.keys(catalog).sort(), Object.keys(designed).sort());
  assert.deepEqual(eventNames, Object.keys(catalog));
});

for (const [name, { aliases = [], matches, rewrites = [] }] of Object.entries(designed)) {
  test(`${name} is written, matched and rewritten as the design says`, () => {
    const row = rowOf(name as EventName);
    for (const alias of aliases) assert.ok(row.aliases.includes(alias), `${alias} is an alias`);
    assert.equal(row.matches, matches);
    assert.deepEqual(row.rewrites, rewrites);
  });
}

/** Fields the described systems send: none may be an unknown field that merely passes. */
const described: Readonly<Partial<Record<EventName, readonly string[]>>> = {
  "session.start": ["session_id", "resumed", "system_prompt", "source"],
  "session.end": ["session_id", "reason"],
  "prompt.submit": ["prompt"],
  "turn.end": ["stop_hook_active", "last_assistant_message"],
  "tool.before": ["tool_name", "tool_input", "tool_use_id", "cwd", "permission_mode", "transcript_path"],
  "tool.after": ["tool_name", "tool_input", "tool_output", "duration_ms"],
  "tool.failed": ["tool_name", "tool_input", "error"],
  "compaction.before": ["message_count", "token_count", "trigger", "custom_instructions", "preserve"],
  "compaction.after": ["message_count", "token_count", "trigger"],
  "subagent.start": ["agent_name", "initial_message"],
  "subagent.stop": ["agent_name", "reason", "agent_transcript_path"],
  "permission.request": ["tool_name", "tool_input", "permission_suggestions"],
  notification: ["message", "level"],
  "task.created": ["task_id", "goal", "role", "priority", "scope", "complexity"],
  "task.completed": ["task_id", "agent_id", "summary", "files_changed", "duration_s", "tokens_used"],
  "task.failed": ["task_id", "error", "agent_id"],
  "agent.spawned": ["agent_id", "task_id", "model", "role", "worktree"],
  "merge.conflict": ["agent_id", "branch", "conflicting_files", "base_branch"],
};

for (const [name, fields] of Object.entries(described)) {
  test(`${name} declares every field it is known to carry`, () => {
    const declared = Object.keys(rowOf(name as EventName).payload);
    assert.deepEqual(
      fields.filter((field) => !declared.includes(field)),
      [],
    );
  });
}

test("no two events share a name or an alias", () => {
  const written = eventNames.flatMap((name) => [name, ...rowOf(name).aliases]);
  const twice = written.filter((name, at) => written.indexOf(name) !== at);
  assert.deepEqual(twice, []);
});

for (const name of eventNames) {
  const row = rowOf(name);

  test(`${name} is a complete row whose columns name fields of its payload`, () => {
    const fields = Object.keys(row.payload);
    assert.match(name, /^[a-z_]+(\.[a-z_]+)?$/);
    if (row.matches !== null) assert.equal(row.payload[row.matches]?.type, "string");
    for (const field of rewritableFields(row)) assert.ok(fields.includes(field), `rewrites ${field}`);
    for (const field of row.merges) assert.ok(row.rewrites.includes(field), `merges ${field}`);
    assert.ok(row.when.length > 0 && row.deny.length > 0);
    assert.equal(new Set(row.verdicts).size, row.verdicts.length);
  });

  test(`${name} carries messages and context, like every event`, () => {
    assert.equal(row.payload.messages?.type, "array");
    assert.equal(row.payload.context?.type, "object");
    assert.equal(row.payload.context?.isNullable, true);
  });

  test(`${name} has documented fields in snake case, one per concept`, () => {
    for (const [field, spec] of Object.entries(row.payload)) {
      assert.match(field, /^[a-z]+(_[a-z]+)*$/);
      assert.match(spec.doc, /^[A-Z].*\.$/s, `${field} is documented`);
    }
    for (const other of ["arguments", "tool_response", "tool_result", "result", "output_text"]) {
      assert.ok(!Object.hasOwn(row.payload, other), `${other} is another dialect's name`);
    }
  });
}

test("only tool output is merged, everything else is replaced", () => {
  const merged = eventNames.filter((name) => rowOf(name).merges.length > 0);
  assert.deepEqual(merged, ["tool.after"]);
  assert.deepEqual(rowOf("tool.after").merges, ["tool_output"]);
});

test("only a denied tool call leaves something in place of its result", () => {
  const replaced = eventNames.filter((name) => rowOf(name).deniedStatus !== null);
  assert.deepEqual(replaced, ["tool.before"]);
  assert.equal(rowOf("tool.before").deniedStatus, "skipped_by_hook");
});
