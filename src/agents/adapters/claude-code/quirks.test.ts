import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, fixture } from "../answer-to.cases.ts";
import { claudeCode } from "./adapter.ts";
import { claudeQuirks } from "./quirks.ts";

const agent = "claude-code";
const before = fixture(agent, "captured/PreToolUse");
const after = fixture(agent, "captured/PostToolUse");
const stop = fixture(agent, "captured/Stop");
const dialog = fixture(agent, "captured/PermissionRequest");

/** One proof per quirk: the compiler refuses one that is left out. */
const proofs: Readonly<Record<(typeof claudeQuirks)[number]["id"], () => void>> = {
  stop_runs_the_tool: () => {
    const { json, notes } = answerTo(claudeCode, before, { verdict: "allow", stop: "enough" });
    assert.deepEqual(json, {
      continue: false,
      stopReason: "enough",
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "enough",
      },
    });
    assert.deepEqual(notes, [
      "stop: the action at hand would still happen at Claude Code's PreToolUse, so it is denied",
    ]);
  },
  defer_is_ignored: () => {
    const { json, notes } = answerTo(claudeCode, before, { verdict: "defer", reason: "later" });
    assert.deepEqual(json?.hookSpecificOutput, {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "later (the call cannot wait at Claude Code's PreToolUse)",
    });
    assert.deepEqual(notes, ["defer: the call cannot wait at Claude Code's PreToolUse, so it is denied"]);
  },
  ask_headless: () => {
    const { json, notes } = answerTo(claudeCode, before, { verdict: "ask", reason: "sure?" });
    assert.deepEqual(json?.hookSpecificOutput, {
      hookEventName: "PreToolUse",
      permissionDecision: "ask",
      permissionDecisionReason: "sure?",
    });
    assert.deepEqual(notes, []);
  },
  context_keeps_working: () => {
    const silent = answerTo(claudeCode, stop, { context: ["by the way"] });
    assert.equal(silent.native.stdout, "");
    assert.deepEqual(silent.notes, ["context: does not reach the model at Claude Code's Stop"]);
    const denied = answerTo(claudeCode, stop, {
      verdict: "deny",
      reason: "tests fail",
      context: ["see log"],
    });
    assert.deepEqual(denied.json, { decision: "block", reason: "tests fail\n\nsee log" });
    assert.deepEqual(denied.notes, ["context: told within the reason at Claude Code's Stop"]);
  },
  input_is_replaced: () => {
    const tool_input = { command: "echo bye", description: "say hi" };
    const { json, notes } = answerTo(claudeCode, before, {}, { tool_input });
    assert.deepEqual(json, { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: tool_input } });
    assert.deepEqual(notes, []);
  },
  output_has_to_fit: () => {
    const tool_output = { ...(after.tool_response as object), stdout: "[masked]" };
    const fitting = answerTo(claudeCode, after, {}, { tool_output });
    assert.deepEqual(fitting.json, {
      hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: tool_output },
    });
    for (const unfit of ["[masked]", { stdout: "[masked]" }, { ...tool_output, stdout: 7 }, null]) {
      const { json, notes } = answerTo(claudeCode, after, {}, { tool_output: unfit });
      assert.equal(json?.decision, "block");
      assert.match(String(json.reason), /not the shape of the tool's own output.*Suggested instead/);
      assert.equal(notes.length, 1);
    }
  },
  event_name_has_to_match: () => {
    for (const { native } of claudeCode.events) {
      const payload = {
        session_id: "s",
        hook_event_name: native,
        tool_name: "Bash",
        tool_input: {},
        prompt: "",
      };
      const { json } = answerTo(claudeCode, payload, { verdict: "deny", reason: "no", context: ["c"] });
      const output = json?.hookSpecificOutput as { hookEventName: string } | undefined;
      assert.ok(output === undefined || output.hookEventName === native, native);
    }
  },
  permission_request_rewrites_by_allowing: () => {
    const tool_input = { command: "true" };
    const allowed = answerTo(claudeCode, dialog, { verdict: "allow" }, { tool_input });
    assert.deepEqual(allowed.json?.hookSpecificOutput, {
      hookEventName: "PermissionRequest",
      decision: { behavior: "allow", updatedInput: tool_input },
    });
    for (const verdict of ["none", "ask"] as const) {
      const { json } = answerTo(claudeCode, dialog, { verdict }, { tool_input });
      const output = json?.hookSpecificOutput as { decision: { behavior: string; message: string } };
      assert.equal(output.decision.behavior, "deny");
      assert.match(output.decision.message, /together with an allow.*\{"command":"true"\}/);
    }
  },
  failure_passes: () => {
    const argv = ["/bin/swarm-hook", agent, "--guard"] as const;
    const text = claudeCode.settings.install(null, [
      { native: "PreToolUse", argv, timeoutS: 60 },
      { native: "Stop", argv: ["/bin/swarm-hook", agent], timeoutS: 60 },
    ]);
    const { PreToolUse, Stop } = JSON.parse(text).hooks;
    assert.deepEqual([PreToolUse[0].hooks[0].onFailure, Stop[0].hooks[0].onFailure], ["block", undefined]);
  },
  worktree_create: () => {
    assert.ok(!claudeCode.events.some(({ native }) => native === "WorktreeCreate"));
    const payload = fixture(agent, "made-up/WorktreeCreate");
    const { outcome, native, notes } = answerTo(claudeCode, payload, { verdict: "deny", stop: "no" });
    assert.equal(outcome.event, "native.unknown");
    assert.deepEqual(native, { stdout: "", stderr: "", exitCode: 0 });
    assert.equal(notes.length, 2);
  },
  empty_agent_type: () => {
    const payload = fixture(agent, "captured/SubagentStop.2");
    const { event, data, origin } = claudeCode.decode({ payload, env: {} });
    assert.deepEqual([event, data.agent_name, origin.agent], ["subagent.stop", "", "a093bcb954be79c88"]);
  },
  prompt_cannot_be_changed: () => {
    const payload = fixture(agent, "captured/UserPromptSubmit");
    const { json, notes } = answerTo(claudeCode, payload, {}, { prompt: "please, without the key" });
    assert.deepEqual(json, {
      decision: "block",
      reason:
        "prompt cannot be changed at Claude Code's UserPromptSubmit. " +
        "Suggested instead, as prompt: please, without the key",
    });
    assert.equal(notes.length, 1);
  },
  failed_output_reaches_the_model: () => {
    const failed = fixture(agent, "captured/PostToolUseFailure");
    const { notes } = answerTo(claudeCode, failed, {}, { error: "masked" });
    const why = "error cannot be changed at Claude Code's PostToolUseFailure";
    assert.deepEqual(notes, [`rewrite of error: ${why}, so it is denied`]);
    assert.equal(claudeCode.failedCommandEvent, "tool.failed");
  },
};

for (const { id, behaviour, whatWeDo } of claudeQuirks) {
  test(`${behaviour} ${whatWeDo}`, proofs[id]);
}
