import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, fixture } from "../answer-to.cases.ts";
import { qwenCode } from "./adapter.ts";
import { qwenQuirks } from "./quirks.ts";
import { readQwen } from "./reader.cases.ts";

const agent = "qwen-code";
const before = fixture(agent, "captured/PreToolUse");
const after = fixture(agent, "captured/PostToolUse");
const stop = fixture(agent, "captured/Stop");
const decode = (payload: typeof before) => qwenCode.decode({ payload, env: {} });

const denied = (reason: string) => ({
  continue: false,
  stopReason: reason,
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: reason,
  },
});

/** One proof per quirk: the compiler refuses one that is left out. */
const proofs: Readonly<Record<(typeof qwenQuirks)[number]["id"], () => void>> = {
  tools_behind_tool_call: () => {
    const { toolNames } = decode({ ...before, tool_name: "monitor" }).origin;
    assert.deepEqual(toolNames, { readings: [{ name: "shell", spelling: "exact" }], isBuiltIn: true });
  },
  rewrites_are_not_applied: () => {
    const { json, notes } = answerTo(qwenCode, before, {}, { tool_input: { command: "ls" } });
    const why = "tool_input cannot be changed at Qwen Code's PreToolUse";
    assert.deepEqual(json, denied(`${why}. Suggested instead, as tool_input: {"command":"ls"}`));
    assert.deepEqual(notes, [`rewrite of tool_input: ${why}, so it is denied`]);
  },
  another_allow_undoes_a_denial: () => {
    const { json } = answerTo(qwenCode, before, { verdict: "deny", reason: "no" });
    assert.deepEqual(json, denied("no"));
    // As it merges the answers of two hooks: the last field counts, but nothing takes `continue: false` back.
    const other = {
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      permissionDecisionReason: "fine",
    };
    const merged = { ...json, hookSpecificOutput: { ...(json?.hookSpecificOutput as object), ...other } };
    assert.throws(() => readQwen("PreToolUse", answer({ hookSpecificOutput: other })), /grants nothing/);
    assert.equal(merged.continue, false);
  },
  allow_grants_nothing: () => {
    assert.equal(answerTo(qwenCode, before, { verdict: "allow" }).native.stdout, "");
    const dialog = fixture(agent, "made-up/PermissionRequest");
    assert.deepEqual(answerTo(qwenCode, dialog, { verdict: "allow" }).json, {
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
    });
  },
  ask_headless: () => {
    const { json, notes } = answerTo(qwenCode, before, { verdict: "ask", hook: "guard" });
    assert.deepEqual(json, {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "ask",
        permissionDecisionReason: "guard asks",
      },
    });
    assert.deepEqual(notes, []);
  },
  prompt_before_every_model_call: () => {
    assert.equal(decode(fixture(agent, "captured/UserPromptSubmit")).event, "prompt.submit");
    const continued = fixture(agent, "captured/UserPromptSubmit.continued");
    assert.equal(decode(continued).event, "native.unknown");
    assert.equal(answerTo(qwenCode, continued, { verdict: "deny" }).native.stdout, "");
  },
  block_after_tools_is_ignored: () => {
    assert.deepEqual(answerTo(qwenCode, after, { verdict: "deny", reason: "no", context: ["c"] }).json, {
      continue: false,
      stopReason: "no",
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "c" },
    });
    const masked = answerTo(qwenCode, after, {}, { tool_output: "[masked]" });
    assert.match(String(masked.json?.stopReason), /Suggested instead, as tool_output: \[masked\]$/);
  },
  context_before_tools_is_dropped: () => {
    const { native, notes } = answerTo(qwenCode, before, { context: ["by the way"] });
    assert.equal(native.stdout, "");
    assert.deepEqual(notes, ["context: does not reach the model at Qwen Code's PreToolUse"]);
  },
  stop_keeps_working: () => {
    const { native, notes } = answerTo(qwenCode, stop, { stop: "enough" });
    assert.equal(native.stdout, "");
    assert.deepEqual(notes, ["stop (enough): the run cannot be ended at Qwen Code's Stop"]);
    const { json } = answerTo(qwenCode, stop, { verdict: "deny", reason: "tests fail" });
    assert.deepEqual(json, { decision: "block", reason: "tests fail" });
  },
  failed_tools_take_context_only: () => {
    const failed = fixture(agent, "made-up/PostToolUseFailure");
    assert.deepEqual(answerTo(qwenCode, failed, { verdict: "deny", reason: "again", context: ["c"] }).json, {
      hookSpecificOutput: {
        hookEventName: "PostToolUseFailure",
        additionalContext: "A hook objects: again\n\nc",
      },
    });
  },
  stderr_that_is_json: () => {
    assert.equal(readQwen("PreToolUse", { stdout: "", stderr: "{}", exitCode: 2 }).isDenied, false);
    const { stdout, stderr, exitCode } = qwenCode.refuse("{}");
    assert.deepEqual([stdout, exitCode], ["", 2]);
    assert.deepEqual(JSON.parse(stderr), {
      decision: "deny",
      reason: "{}",
      continue: false,
      stopReason: "{}",
    });
  },
  seconds_below_a_thousand: () => {
    for (const timeoutS of [60, 999, 1_000, 1_800]) {
      const hook = { native: "PreToolUse", argv: ["/bin/swarm-hook", agent], timeoutS } as const;
      const text = qwenCode.settings.install(null, [hook]);
      const written = JSON.parse(text).hooks.PreToolUse[0].hooks[0].timeout;
      assert.equal(written, timeoutS < 1_000 ? timeoutS : timeoutS * 1_000);
      assert.equal(qwenCode.settings.installed(text)[0]?.timeoutS, timeoutS);
    }
  },
  compaction_takes_rules: () => {
    const compact = fixture(agent, "made-up/PreCompact");
    assert.deepEqual(answerTo(qwenCode, compact, {}, { preserve: ["the plan"] }).json, {
      hookSpecificOutput: {
        hookEventName: "PreCompact",
        additionalContext: "Keep in the summary:\n- the plan",
      },
    });
    const { notes } = answerTo(qwenCode, compact, { verdict: "deny" });
    assert.deepEqual(notes, ["deny has no effect at Qwen Code's PreCompact"]);
  },
  names_of_others: () => {
    const env = { QWEN_PROJECT_DIR: "/", GEMINI_PROJECT_DIR: "/", CLAUDE_PROJECT_DIR: "/" };
    assert.equal(qwenCode.recognises({ payload: before, env }), true);
  },
  failed_output_reaches_the_model: () => {
    const failed = fixture(agent, "made-up/PostToolUseFailure");
    const { notes } = answerTo(qwenCode, failed, {}, { error: "masked" });
    const why = "error cannot be changed at Qwen Code's PostToolUseFailure";
    assert.deepEqual(notes, [`rewrite of error: ${why}, so it is denied`]);
    assert.equal(qwenCode.failedCommandEvent, "tool.failed");
  },
};

function answer(value: object) {
  return { stdout: JSON.stringify(value), stderr: "", exitCode: 0 };
}

for (const { id, behaviour, whatWeDo } of qwenQuirks) {
  test(`${behaviour} ${whatWeDo}`, proofs[id]);
}
