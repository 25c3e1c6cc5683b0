import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { shellLine, shellWords } from "./shell-line.ts";

const words = fc.array(
  fc.oneof(
    fc.constantFrom(
      "a b",
      "it's",
      "\\",
      "'\\''",
      "$HOME",
      "`id`",
      "~",
      "*",
      "",
      "!x",
      "=ls",
      "%1",
      "\n",
      "ü",
      "#",
    ),
    fc.string({ maxLength: 8 }).filter((word) => !word.includes("\0")),
  ),
  { minLength: 1, maxLength: 5 },
);

test("a line is read back word for word", () => {
  fc.assert(fc.property(words, (argv) => assert.deepEqual(shellWords(shellLine(argv)), argv)));
});

for (const shell of ["/bin/sh", "/bin/bash"]) {
  test(`${shell} reads a line word for word`, () => {
    const lines = fc.sample(words, { numRuns: 60, seed: 7 });
    const script = lines.map((argv) => shellLine(["printf", "%s\\0", "-", ...argv])).join("; printf '\\1'; ");
    const read = execFileSync(shell, ["-c", script], { encoding: "utf8" });
    assert.deepEqual(
      read.split("\u0001").map((line) => line.split("\0").slice(1, -1)),
      lines,
    );
  });
}

test("nothing stands within quotes that shells read differently there", () => {
  // In fish a backslash escapes a quote and itself even between single quotes.
  const quotes = (line: string) => line.match(/\\.|'[^']*'/gs)?.filter((part) => part.startsWith("'")) ?? [];
  fc.assert(fc.property(words, (argv) => assert.ok(!quotes(shellLine(argv)).join("").includes("\\"))));
  assert.equal(shellLine(["it's", "a\\b"]), "'it'\\''s' 'a'\\\\'b'");
});

test("a line that does more than start a program is nobody's", () => {
  for (const line of [
    "a && b",
    "a; b",
    "a | b",
    "$(a)",
    "a > b",
    "a $B",
    'a "$B"',
    "(a)",
    "a `b`",
    "a &",
    "a\nb",
  ]) {
    assert.equal(shellWords(line), null, line);
  }
  assert.deepEqual(shellWords('swarm  hook "codex x" '), ["swarm", "hook", "codex x"]);
});
