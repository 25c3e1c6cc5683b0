import assert from "node:assert/strict";
import { test } from "node:test";
import { compileMatcher } from "../../engine/hooks/matcher.ts";
import { problemOf } from "../harness.cases.ts";
import { translateMatcher } from "./claude-matcher.ts";

const translate = (matcher: string | undefined) =>
  translateMatcher("f.json", matcher, { line: 3, column: 7 });

const translated: readonly (readonly [matcher: string | undefined, ours: string])[] = [
  [undefined, "*"],
  ["", "*"],
  ["*", "*"],
  ["Bash", "Bash"],
  ["Bash|Write", "Bash|Write"],
  ["Bash, Write", "Bash|Write"],
  [" Bash ,Write|", "Bash|Write"],
  ["general-purpose", "general-purpose"],
  ["mcp__server", "mcp__server"],
  [".*", "/.*/"],
  ["^B.*", "/^B.*/"],
  ["mcp__memory__.*", "/mcp__memory__.*/"],
  ["Bash(echo *)", "/Bash(echo *)/"],
  ["a/b/i", "/a/b/i/"],
  ["\\\\A", "/\\\\A/"],
];

for (const [matcher, ours] of translated) {
  test(`the matcher ${JSON.stringify(matcher)} is ${JSON.stringify(ours)} in our syntax`, () => {
    assert.equal(translate(matcher), ours);
  });
}

/** Measured against the tool `Bash` with Claude Code itself. */
const measured = {
  Bash: true,
  "Bash|Write": true,
  "Bash, Write": true,
  "a.h": true,
  "^B.*": true,
  ".*": true,
  "*": true,
  "": true,
  bash: false,
  ash: false,
  Write: false,
  "Bash(echo *)": false,
};

test("a translated matcher matches what Claude Code matches", () => {
  const found = Object.keys(measured).map((matcher) => [
    matcher,
    compileMatcher("test", translate(matcher)).test("Bash"),
  ]);
  assert.deepEqual(Object.fromEntries(found), measured);
});

const refused: Readonly<Record<string, readonly [matcher: string, problem: string]>> = {
  "nothing but separators": [" | ", 'matcher is " | ", expected a name in it'],
  "no regular expression": [
    "(unclosed",
    'matcher "(unclosed" is no regular expression, it would never match',
  ],
  "a flag JavaScript has not": [
    "(?i)bash",
    'matcher "(?i)bash" is no regular expression, it would never match',
  ],
  "a look ahead, which takes more than linear time": [
    "^(?!Bash)",
    'matcher: matcher "/^(?!Bash)/" is invalid: error parsing regexp: invalid or unsupported Perl syntax: `(?!`',
  ],
  "a back reference": [
    "(a)\\1",
    'matcher: matcher "/(a)\\\\1/" is invalid: error parsing regexp: invalid escape sequence: `\\1`',
  ],
  "an anchor that is a letter in JavaScript": [
    "Bash\\z",
    'matcher "Bash\\\\z": \\z means different things to different engines',
  ],
  "a code point that is a count in JavaScript": [
    "\\x{42}ash",
    'matcher "\\\\x{42}ash": \\x{ means different things to different engines',
  ],
  "a class that is a set of letters in JavaScript": [
    "[[:alpha:]]",
    'matcher "[[:alpha:]]": [:alpha:] means different things to different engines',
  ],
};

for (const [says, [matcher, problem]] of Object.entries(refused)) {
  test(`a matcher that is ${says} is refused`, () => {
    assert.equal(
      problemOf(() => translate(matcher)),
      `SWARM_CONFIG_INVALID f.json:3:7: ${problem}`,
    );
  });
}
