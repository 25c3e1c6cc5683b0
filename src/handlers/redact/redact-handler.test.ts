import assert from "node:assert/strict";
import { test } from "node:test";
import { filler } from "../../base/secrets/form.ts";
import { secretForms } from "../../base/secrets/mask.ts";
import type { Answer } from "../../engine/events/answer.ts";
import { redactHandler } from "./redact-handler.ts";

const all = secretForms.map(({ id }) => id);
const token = `ghp_${filler(36)}`;

function redact(tool_output: unknown, forms: readonly string[] = all) {
  return redactHandler(forms)({ tool_output }, {} as never) as Answer<never, object> | undefined;
}

test("texts are masked wherever they stand, and the output keeps its shape", () => {
  const output = {
    stdout: `a ${token}\nb`,
    stderr: "",
    interrupted: false,
    content: [{ type: "text", text: token }, null, 7],
    nested: { access_token: "swordfish", note: "fine", isToken: true },
  };
  const answer = redact(output);
  assert.deepEqual(answer?.rewrite, {
    tool_output: {
      stdout: "a [redacted]\nb",
      stderr: "",
      interrupted: false,
      content: [{ type: "text", text: "[redacted]" }, null, 7],
      nested: { access_token: "[redacted]", note: "fine", isToken: true },
    },
  });
  assert.equal(answer?.reason, "3 masked (github-token 2, quoted-declaration 1)");
  assert.equal(answer?.verdict, undefined);
});

test("a value is masked by the name that stands beside it", () => {
  const answer = redact({
    env: [
      { Name: "DB_PASSWORD", Value: "swordfish" },
      { name: "HOST", value: "db1" },
    ],
  });
  assert.deepEqual(answer?.rewrite, {
    tool_output: {
      env: [
        { Name: "DB_PASSWORD", Value: "[redacted]" },
        { name: "HOST", value: "db1" },
      ],
    },
  });
});

test("an output without a secret is not rewritten", () => {
  for (const output of ["fine", { stdout: "fine", next_page_token: "CAUQAA9" }, [], null, 3])
    assert.equal(redact(output), undefined);
});

test("only the forms that were asked for are masked", () => {
  const text = `${token} postgres://u:hunter2@h`;
  assert.deepEqual(redact(text, ["url-password"])?.rewrite, {
    tool_output: `${token} postgres://u:[redacted]@h`,
  });
  assert.equal(redact({ password: "swordfish" }, ["url-password"]), undefined);
});

test("the largest output is masked", () => {
  const answer = redact({ stdout: `${token}\n${"a".repeat(8 * 1024 * 1024)}` });
  assert.equal(answer?.reason, "1 masked (github-token 1)");
});
