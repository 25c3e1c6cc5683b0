import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, fixture } from "./answer-to.cases.ts";
import { claudeCode } from "./claude-code/adapter.ts";
import { codex } from "./codex/adapter.ts";

const before = fixture("codex", "captured/PreToolUse");

test("an event nobody knows takes nothing, and each thing it does not take is reported", () => {
  const payload = fixture("claude-code", "made-up/Later");
  const decision = { verdict: "deny", reason: "no", context: ["c"], stop: "enough" } as const;
  const { native, notes } = answerTo(claudeCode, payload, decision, { messages: [1] });
  assert.equal(native.stdout, "");
  const at = "at Claude Code's SomethingLater";
  assert.deepEqual(notes, [
    `deny has no effect ${at}`,
    `rewrite of messages: messages cannot be changed ${at}`,
    `stop (enough): the run cannot be ended ${at}`,
    `context: does not reach the model ${at}`,
  ]);
});

test("a denial without effect stays in the record", () => {
  const payload = fixture("codex", "captured/SessionEnd");
  const { outcome } = answerTo(codex, payload, { verdict: "deny", reason: "no" });
  assert.equal(outcome.decision.verdict, "deny");
});

test("what the agent never sent can be lost without refusing the action", () => {
  const { notes, native, outcome } = answerTo(codex, before, {}, { messages: [], context: {} });
  assert.equal(native.stdout, "");
  assert.equal(notes.length, 2);
  assert.ok(!("messages" in outcome.data) && !("context" in outcome.data));
});

test("all that is refused is in the reason, each on its line", () => {
  const decision = { verdict: "ask", reason: "sure?", stop: "enough" } as const;
  const { outcome } = answerTo(codex, before, decision, { tool_input: {} });
  assert.deepEqual(outcome.decision.reason?.split("\n"), [
    "sure? (no person can be asked at Codex's PreToolUse)",
    "tool_input cannot be changed at Codex's PreToolUse: the new one has no command. Suggested instead, as tool_input: {}",
    "the run should end: enough",
  ]);
  assert.deepEqual((outcome.data as { tool_input: unknown }).tool_input, before.tool_input);
});

test("a rewrite to what it was is none", () => {
  const { notes, native } = answerTo(codex, before, {}, { tool_input: { command: "echo hi" } });
  assert.deepEqual([notes, native.stdout], [[], ""]);
});

test("a suggestion is as long as a text for the model may be", () => {
  const payload = fixture("codex", "captured/PostToolUse");
  const { outcome } = answerTo(codex, payload, {}, { tool_output: "x".repeat(100_000) });
  assert.equal(outcome.decision.reason?.length, 20_000);
});

test("an allow is lost without a word only where there is nothing to allow", () => {
  assert.equal(answerTo(codex, fixture("codex", "captured/Stop"), { verdict: "allow" }).notes.length, 0);
  const { notes, outcome } = answerTo(codex, before, { verdict: "allow" });
  assert.deepEqual([notes.length, outcome.decision.verdict], [1, "none"]);
});
