import assert from "node:assert/strict";
import { test } from "node:test";
import { nativeValue, toNativeFields, toOurFields } from "./fields.ts";

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
    const data = toOurFields("tool.before", payload);
    assert.equal(typeof data.tool_input, "object");
    assert.ok(data.tool_input !== null && !Array.isArray(data.tool_input));
    assert.deepEqual(nativeValue(data.tool_input), tool_input);
    assert.deepEqual(toNativeFields("tool.before", "PreToolUse", data), payload);
  });
}

test("a field under one of our names, which is not ours, does not take its place", () => {
  const payload = { hook_event_name: "PostToolUse", tool_response: "real", tool_output: "forged" };
  const data = toOurFields("tool.after", payload);
  assert.deepEqual(data, { tool_output: "real", "native:tool_output": "forged" });
  assert.deepEqual(toNativeFields("tool.after", "PostToolUse", data), payload);
});

test("a field of another type than ours is kept aside", () => {
  const payload = { hook_event_name: "SessionStart", source: null, cwd: "/w" };
  assert.deepEqual(toOurFields("session.start", payload), { "native:source": null, cwd: "/w" });
});

test("a key that sets the prototype elsewhere is a key here, for the check of payloads to refuse", () => {
  const data = toOurFields("session.start", JSON.parse('{"__proto__": {"source": "x"}}'));
  assert.deepEqual([Object.hasOwn(data, "__proto__"), data.source], [true, undefined]);
});

test("what a hook made of the wrapper is not unwrapped", () => {
  const rewritten = { "native:value": 1, more: 2 };
  assert.equal(nativeValue(rewritten), rewritten);
});
