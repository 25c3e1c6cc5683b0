import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answerTo, fixture } from "../answer-to.cases.ts";
import { codex } from "./adapter.ts";
import { codexQuirks } from "./quirks.ts";
import { readCodex } from "./reader.cases.ts";

const before = fixture("codex", "captured/PreToolUse");
const after = fixture("codex", "captured/PostToolUse");

/** One proof per quirk: the compiler refuses one that is left out. */
const proofs: Readonly<Record<(typeof codexQuirks)[number]["id"], () => void>> = {
  one_key_too_many: () => {
    const { native } = answerTo(codex, before, { verdict: "deny", reason: "no", context: ["see log"] });
    assert.equal(readCodex("PreToolUse", native).isDenied, true);
    const answer = { ...JSON.parse(native.stdout), extra: 1 };
    assert.throws(
      () => readCodex("PreToolUse", { ...native, stdout: JSON.stringify(answer) }),
      /unknown field/,
    );
  },
  ask_runs_the_tool: () => {
    for (const verdict of ["ask", "defer"] as const) {
      const { json, notes } = answerTo(codex, before, { verdict });
      const output = json?.hookSpecificOutput as Record<string, unknown>;
      assert.deepEqual(Object.keys(output), [
        "hookEventName",
        "permissionDecision",
        "permissionDecisionReason",
      ]);
      assert.equal(output.permissionDecision, "deny");
      assert.match(notes.join(), new RegExp(`^${verdict}: .* at Codex's PreToolUse, so it is denied$`));
    }
  },
  allow_needs_a_rewrite: () => {
    const allowed = answerTo(codex, before, { verdict: "allow", reason: "fine" });
    assert.equal(allowed.native.stdout, "");
    assert.deepEqual(allowed.notes, ["allow grants nothing at Codex's PreToolUse"]);
    const rewritten = answerTo(codex, before, {}, { tool_input: { command: "echo bye" } });
    assert.deepEqual(rewritten.json, {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { command: "echo bye" },
      },
    });
  },
  denial_needs_a_reason: () => {
    for (const reason of [null, "", " \n"]) {
      const { json } = answerTo(codex, before, { verdict: "deny", reason, hook: "guard" });
      assert.deepEqual(json?.hookSpecificOutput, {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "denied by guard",
      });
    }
  },
  exit_2_needs_stderr: () => {
    assert.deepEqual(codex.refuse(" "), { stdout: "", stderr: "denied by a hook\n", exitCode: 2 });
    assert.deepEqual(codex.refuse("no disk"), { stdout: "", stderr: "no disk\n", exitCode: 2 });
  },
  stop_at_pre_tool_use: () => {
    const { json, notes, outcome } = answerTo(codex, before, { stop: "enough" });
    assert.deepEqual(json?.hookSpecificOutput, {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "the run should end: enough",
    });
    assert.deepEqual(notes, [
      "stop (enough): the run cannot be ended at Codex's PreToolUse, so it is denied",
    ]);
    assert.equal(outcome.decision.stop, null);
  },
  stop_at_post_tool_use: () => {
    const { json } = answerTo(codex, after, { stop: "enough" });
    assert.deepEqual(json, { decision: "block", reason: "the run should end: enough" });
  },
  feedback_replaces_the_result: () => {
    const { json, outcome } = answerTo(codex, after, {}, { tool_output: "[masked]\n" });
    assert.deepEqual(json, {
      decision: "block",
      reason:
        "tool_output cannot be changed at Codex's PostToolUse. Suggested instead, as tool_output: [masked]",
    });
    // The record shows what the tool returned, next to the note that it was not shown.
    assert.equal((outcome.data as { tool_output: unknown }).tool_output, "hi\n");
  },
  text_output: () => {
    assert.equal(codex.decode({ payload: after, env: {} }).data.tool_output, "hi\n");
  },
  command_has_to_stay: () => {
    for (const tool_input of [{}, { cmd: "true" }, { command: ["true"] }]) {
      const { json } = answerTo(codex, before, {}, { tool_input });
      const output = json?.hookSpecificOutput as Record<string, unknown>;
      assert.equal(output.permissionDecision, "deny");
      assert.match(String(output.permissionDecisionReason), /the new one has no command/);
    }
    const mcp = { ...before, tool_name: "mcp__a__b", tool_input: { number: 5 } };
    assert.equal(answerTo(codex, mcp, {}, { tool_input: {} }).notes.length, 0);
  },
  deep_answers: () => {
    let deep: unknown = "x";
    for (let level = 0; level < 120; level++) deep = [deep];
    const { json, notes } = answerTo(codex, before, {}, { tool_input: { command: "x", deep } });
    const output = json?.hookSpecificOutput as Record<string, unknown>;
    assert.equal(output.permissionDecision, "deny");
    assert.match(notes.join(), /nested more than 100 levels/);
  },
  half_characters: () => {
    const { native } = answerTo(codex, before, { verdict: "deny", reason: "a\ud800b \\ud800 😀" });
    assert.match(native.stdout, /a\ufffdb \\\\ud800 😀/);
    assert.equal(readCodex("PreToolUse", native).reason, "a\ufffdb \\ud800 😀");
  },
  compaction_ends_the_turn: () => {
    const payload = fixture("codex", "made-up/PreCompact");
    const denied = answerTo(codex, payload, { verdict: "deny", reason: "not now" });
    assert.deepEqual(denied.json, { continue: false, stopReason: "not now" });
    const rewritten = answerTo(codex, payload, {}, { preserve: ["the plan"] });
    assert.equal(rewritten.native.stdout, "");
    assert.deepEqual(rewritten.notes, [
      "rewrite of preserve: preserve cannot be changed at Codex's PreCompact",
    ]);
  },
  root_keys: () => {
    const hook = { native: "Stop", argv: ["/bin/swarm-hook", "codex"], timeoutS: 60 } as const;
    for (const text of [null, "{}", '{"description":"mine"}']) {
      const root = JSON.parse(codex.settings.install(text, [hook]));
      assert.ok(Object.keys(root).every((key) => ["description", "hooks"].includes(key)));
    }
  },
  no_exec_form: () => {
    const argv = ["/a b/swarm-hook", "codex", "it's"] as const;
    const text = codex.settings.install(null, [{ native: "Stop", argv, timeoutS: 60 }]);
    assert.deepEqual(JSON.parse(text).hooks.Stop, [
      { hooks: [{ type: "command", command: "'/a b/swarm-hook' codex 'it'\\''s'", timeout: 60 }] },
    ]);
  },
  typing_calls_no_hook: () => {
    assert.equal(codex.typing, "unhooked");
    // The rule names the agent; that it denies is shown by test/policies/interactive.yaml.
    const rules = readFileSync(join(import.meta.dirname, "../../../../policies/self.yaml"), "utf8");
    assert.match(rules, /self\/typed-input\n(?: {4}.*\n)* {6}agent: codex\n/);
  },
  short_session_end: () => {
    for (const native of ["SessionEnd", "Interrupt"]) {
      const event = codex.events.find((row) => row.native === native);
      assert.deepEqual([event?.timeoutS, event?.maxTimeoutS], [1, 3]);
    }
  },
};

for (const { id, behaviour, whatWeDo } of codexQuirks) {
  test(`${behaviour} ${whatWeDo}`, proofs[id]);
}
