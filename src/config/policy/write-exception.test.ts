import assert from "node:assert/strict";
import { test } from "node:test";
import { withException } from "./write-exception.ts";

const exception = { rule: "starter/publish", line: 'npm publish "x" # y', until: "2027-01-01T00:00:00.000Z" };
const lines = `- rule: "starter/publish"\n    line: "npm publish \\"x\\" # y"\n    until: "2027-01-01T00:00:00.000Z"\n`;
const add = (text: string) => withException("config.yaml", text, exception);

test("the first exception is added at the end, and nothing else of the file changes", () => {
  for (const text of ["", "policy: starter # mine\n", "# only a remark\n", "policy: starter"])
    assert.equal(
      add(text),
      `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}policy_exceptions:\n  ${lines}`,
    );
});

test("another one is added beside the others, as far in as they are", () => {
  const text = "policy_exceptions:\n  # mine\n  - rule: a\n    line: b\npolicy: starter\n";
  assert.equal(
    add(text),
    `policy_exceptions:\n  # mine\n  ${lines}  - rule: a\n    line: b\npolicy: starter\n`,
  );
  const flush = "policy_exceptions:\n- { rule: a, line: b }\n";
  assert.equal(
    add(flush),
    `${flush}${lines.replaceAll("\n    ", "\n  ")}`,
    "where the list is last, after them",
  );
});

test("a file in another form is left alone", () => {
  for (const text of [
    '{"policy": "starter"}',
    "policy_exceptions: [{ rule: a, line: b }]\n",
    "policy_exceptions: []\n",
    "policy_exceptions:\n",
    "policy: |\n  text\n...\n",
  ])
    assert.equal(add(text), null, text);
});
