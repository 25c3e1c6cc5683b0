import assert from "node:assert/strict";
import { test } from "node:test";
import { maskSecretsIn, redact } from "./redact.ts";

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
    command: "curl -H 'Authorization: Bearer [redacted]' x && export K=[redacted] # [redacted]",
  });
});

test("what a command line assigns to a telling name is replaced, references to it are not", () => {
  const lines = [
    ["PGPASSWORD=hunter2 psql -h db", "PGPASSWORD=[redacted] psql -h db"],
    ["export MY_API_KEY='a b c'; ls", "export MY_API_KEY=[redacted]; ls"],
    ['deploy --auth-token="x y" --dry', "deploy --auth-token=[redacted] --dry"],
    ["git clone https://ada:s3cret@host/r.git", "git clone https://ada:[redacted]@host/r.git"],
    ["TOKEN=$OTHER run --password=$PW", "TOKEN=$OTHER run --password=$PW"],
    ['curl -d "token=$TOKEN"', 'curl -d "token=$TOKEN"'],
    ["max_tokens=400 tokens=3", "max_tokens=400 tokens=3"],
    ["if (password == null) x = token", "if (password == null) x = token"],
    ["https://host:8080/a@b ssh://git@host/x", "https://host:8080/a@b ssh://git@host/x"],
  ] as const;
  for (const [given, shown] of lines) assert.equal(redact(given), shown);
});

test("everything else stays as it is, and the original untouched", () => {
  const data = { tool_name: "Bash", tool_input: { command: "ls", n: 1, on: true, none: null } };
  assert.deepEqual(redact(data), data);
  assert.notEqual(redact(data), data);
});

test("data that goes on to be used keeps its shape: only texts are masked", () => {
  const output = { stdout: "PGPASSWORD=hunter2", has_token: true, max_tokens: 5, token: "", list: ["ls"] };
  assert.deepEqual(maskSecretsIn(output), { ...output, stdout: "PGPASSWORD=[redacted]" });
  assert.deepEqual(maskSecretsIn({ access_token: "x", credentials: { user: "u", n: 1, on: [null, "p"] } }), {
    access_token: "[redacted]",
    credentials: { user: "[redacted]", n: 1, on: [null, "[redacted]"] },
  });
});

test("data without a secret is the very same data", () => {
  const output = { stdout: "a\nb", nested: { list: [1, "x", null] } };
  assert.equal(maskSecretsIn(output), output);
  assert.equal(maskSecretsIn("plain"), "plain");
});
