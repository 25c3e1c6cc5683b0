import assert from "node:assert/strict";
import { test } from "node:test";
import { claudeFields } from "./claude-fields.ts";
import { fieldNames, nativeValue, toNativeFields, toOurFields } from "./fields.ts";

for (const tool_input of [
  "text",
  null,
  7,
  ["a"],
  {},
  { command: "ls" },
  { "native:value": 1 },
  { "native:value": { "native:value": 1 } },
  { "native:value": 1, more: 2 },
]) {
  test(`arguments ${JSON.stringify(tool_input)} are an object for hooks, and themselves again for the agent`, () => {
    const payload = { hook_event_name: "PreToolUse", tool_name: "x", tool_input };
    const data = toOurFields("tool.before", payload, claudeFields("tool.before"));
    assert.equal(typeof data.tool_input, "object");
    assert.ok(data.tool_input !== null && !Array.isArray(data.tool_input));
    assert.deepEqual(nativeValue(data.tool_input), tool_input);
    assert.deepEqual(toNativeFields("PreToolUse", data, claudeFields("tool.before")), payload);
  });
}

test("a field under one of our names, which is not ours, does not take its place", () => {
  const payload = { hook_event_name: "PostToolUse", tool_response: "real", tool_output: "forged" };
  const data = toOurFields("tool.after", payload, claudeFields("tool.after"));
  assert.deepEqual(data, { tool_output: "real", "native:tool_output": "forged" });
  assert.deepEqual(toNativeFields("PostToolUse", data, claudeFields("tool.after")), payload);
});

test("a field of another type than ours is kept aside", () => {
  const payload = { hook_event_name: "SessionStart", source: null, cwd: "/w" };
  assert.deepEqual(toOurFields("session.start", payload, claudeFields("session.start")), {
    "native:source": null,
    cwd: "/w",
  });
});

test("a key that sets the prototype elsewhere is a key here, for the check of payloads to refuse", () => {
  const data = toOurFields("session.start", JSON.parse('{"__proto__": {"source": "x"}}'), fieldNames({}));
  assert.deepEqual([Object.hasOwn(data, "__proto__"), data.source], [true, undefined]);
});

test("what a hook made of the wrapper is not unwrapped", () => {
  const rewritten = { "native:value": 1, more: 2 };
  assert.equal(nativeValue(rewritten), rewritten);
});

const moving = fieldNames(
  {
    command: "tool_input.command",
    "llm.model": "model",
    "llm.messages": "messages",
    llm: "request",
    "a.b.c": "x.y",
  },
  null,
  { tool_name: "Shell" },
);

for (const payload of [
  { command: "ls", llm: { model: "m", messages: [], top_k: 1 }, a: { b: { c: 1, d: 2 } } },
  { command: "ls" },
  { llm: { model: 7, messages: "none" } },
  { llm: "text", a: { b: 3 } },
  { llm: {}, model: "another", tool_input: { command: "forged" }, tool_name: "forged" },
  { "llm.model": "a name with a dot", x: { y: 1 } },
  {},
]) {
  test(`fields that stand elsewhere come back: ${JSON.stringify(payload)}`, () => {
    const data = toOurFields("model.before", payload, moving);
    assert.equal(data.tool_name, "Shell");
    assert.deepEqual(toNativeFields("BeforeModel", data, moving), payload);
  });
}

test("fields are taken out of objects and put into objects", () => {
  const payload = { command: "ls", llm: { model: "m", messages: [], top_k: 1 }, a: { b: { c: 1, d: 2 } } };
  assert.deepEqual(toOurFields("model.before", payload, moving), {
    tool_name: "Shell",
    tool_input: { command: "ls" },
    model: "m",
    messages: [],
    request: { top_k: 1 },
    a: { b: { d: 2 } },
    x: { y: 1 },
  });
});
