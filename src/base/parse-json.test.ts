import assert from "node:assert/strict";
import { test } from "node:test";
import { NotJson, parseJson } from "./parse-json.ts";

test("JSON is read as JSON.parse reads it", () => {
  assert.deepEqual(parseJson('{"a": [1, null]}'), { a: [1, null] });
});

test("what is not JSON is refused without a word of it", () => {
  const texts = [
    "hunter2",
    "-----BEGIN hunter2",
    '{"a": hunter2}',
    '{"hunter2": 1 hunter2',
    '"hunter2',
    "[1, hunter2]",
  ];
  const others = [
    "{hunter2: 1}",
    '{"a":1}hunter2',
    '"\\hunter2"',
    '"hunter2\n"',
    `${"x".repeat(99)} hunter2`,
    "\u0000",
    "",
  ];
  for (const text of [...texts, ...others]) {
    assert.throws(
      () => parseJson(text),
      (error: Error) =>
        error instanceof NotJson &&
        /^(it ends too early|it holds something else|at line \d+, column \d+)$/.test(error.message),
      text,
    );
  }
});
