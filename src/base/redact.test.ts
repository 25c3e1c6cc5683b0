import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "./redact.ts";

test("values under telling names are replaced, at any depth", () => {
  assert.deepEqual(
    redact({ api_key: "x", headers: [{ Authorization: "y", accept: "z" }], passwords: { a: 1 } }),
    {
      api_key: "[redacted]",
      headers: [{ Authorization: "[redacted]", accept: "z" }],
      passwords: "[redacted]",
    },
  );
});

test("numbers of tokens are no tokens", () => {
  const data = { tokens_used: 45_000, max_tokens: 1, usage: { input_tokens: 7 } };
  assert.deepEqual(redact(data), data);
  assert.deepEqual(redact({ tokens: "x", pin_token: 1234 }), {
    tokens: "[redacted]",
    pin_token: "[redacted]",
  });
});

test("texts that give themselves away are replaced wherever they stand", () => {
  const command =
    "curl -H 'Authorization: Bearer abcdef123456' x && export K=sk-abcdefghijklmnopqrstu # AKIAIOSFODNN7EXAMPLE";
  assert.deepEqual(redact({ command }), {
    command: "curl -H 'Authorization: [redacted]' x && export K=[redacted] # [redacted]",
  });
});

test("everything else stays as it is, and the original untouched", () => {
  const data = { tool_name: "Bash", tool_input: { command: "ls", n: 1, on: true, none: null } };
  assert.deepEqual(redact(data), data);
  assert.notEqual(redact(data), data);
});
