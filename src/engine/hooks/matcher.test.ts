import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { limits } from "../../base/limits.ts";
import { compileMatcher } from "./matcher.ts";

interface Case {
  readonly pattern: string;
  readonly matches?: readonly string[];
  readonly passes?: readonly string[];
}

const cases: readonly Case[] = [
  { pattern: "*", matches: ["", "Bash", "a b\nc", "*"] },
  { pattern: "Bash", matches: ["Bash"], passes: ["bash", "BashOutput", "MyBash", "", "Bash ", "B*"] },
  { pattern: "mcp__files__read.v2", matches: ["mcp__files__read.v2"], passes: ["mcp__files__readxv2"] },
  { pattern: "feature/x-1", matches: ["feature/x-1"], passes: ["feature/x-2", "feature"] },
  { pattern: "Read|Write", matches: ["Read", "Write"], passes: ["Read|Write", "ReadWrite", "", "Edit"] },
  { pattern: " Read |\tWrite\n", matches: ["Read", "Write"], passes: [" Read ", "Edit"] },
  { pattern: "Web Fetch", matches: ["Web Fetch"], passes: ["WebFetch", "Web", "Fetch"] },
  { pattern: "write_*", matches: ["write_file", "write_"], passes: ["write", "rewrite_file", "WRITE_file"] },
  { pattern: "*_file", matches: ["read_file", "_file", "a_file_b_file"], passes: ["_files", "file", ""] },
  { pattern: "a*b", matches: ["ab", "aab", "a*b", "a\nb", "abab"], passes: ["a", "b", "ba", "aba", ""] },
  { pattern: "ab*ba", matches: ["abba", "abxba"], passes: ["aba", "ab", "ba"] },
  { pattern: "a*b*c", matches: ["abc", "axbxc", "abcbc", "abbc"], passes: ["acb", "ac", "abcd"] },
  { pattern: "*ab*ab*", matches: ["abab", "xabxabx"], passes: ["ab", "aba", "aabb"] },
  { pattern: "*a", matches: ["a", "ba", "aa"], passes: ["", "ab"] },
  { pattern: "a**b", matches: ["ab", "axb"], passes: ["a", "b"] },
  { pattern: "**", matches: ["", "x"] },
  {
    pattern: "mcp__*__read|write_*|Bash",
    matches: ["mcp__files__read", "write_file", "Bash"],
    passes: ["mcp__files__write", "rewrite_file", "bash", "mcp__read"],
  },
  { pattern: "/^(Read|Write)$/", matches: ["Read", "Write"], passes: ["ReadWrite", "read"] },
  { pattern: "/ash/", matches: ["Bash", "ash", "flash"], passes: ["BASH", "as"] },
  { pattern: "/ash/i", matches: ["Bash", "BASH", "aSh"], passes: ["as"] },
  { pattern: "/^write_.*_file$/", matches: ["write_a_file"], passes: ["write_file"] },
  { pattern: "/a/b/", matches: ["xa/bx"], passes: ["a", "b"] },
  { pattern: "/\\d{3}/", matches: ["a123"], passes: ["a12"] },
  { pattern: "/^é+$/", matches: ["éé"], passes: ["e"] },
  { pattern: "/^.$/", matches: ["x", "😀"], passes: ["", "xy"] },
  { pattern: "constructor", matches: ["constructor"], passes: ["__proto__"] },
];

for (const { pattern, matches = [], passes = [] } of cases) {
  test(`${JSON.stringify(pattern)} matches what it says and nothing else`, () => {
    const matcher = compileMatcher("hook x", pattern);
    for (const value of matches) assert.equal(matcher.test(value), true, JSON.stringify(value));
    for (const value of passes) assert.equal(matcher.test(value), false, JSON.stringify(value));
    // Compiled once, asked often: no state is left behind.
    for (const value of matches) assert.equal(matcher.test(value), true, `${JSON.stringify(value)} again`);
  });
}

test("only * matches where there is no value", () => {
  assert.equal(compileMatcher("hook x", "*").isAlways, true);
  for (const pattern of ["**", "a*", "*|a", "/.*/", "Bash"]) {
    assert.equal(compileMatcher("hook x", pattern).isAlways, false, pattern);
  }
});

const invalid: readonly (readonly [pattern: unknown, problem: RegExp])[] = [
  ["", /name/],
  [" ", /name/],
  ["|", /name on each side/],
  ["a|", /name on each side/],
  ["|a", /name on each side/],
  ["a||b", /name on each side/],
  ["a| |b", /name on each side/],
  ["Bash(ls)", /\( has no meaning/],
  ["Bash(rm *)", /\( has no meaning/],
  ["[ab]*", /\[ has no meaning/],
  ["write_?", /\? has no meaning/],
  ["{a,b}", /\{ has no meaning/],
  ["^Bash$", /\^ has no meaning/],
  ["Bash$", /\$ has no meaning/],
  ["a+", /\+ has no meaning/],
  ["a\\*", /\\ has no meaning/],
  ["ok|b?d", /\? has no meaning/],
  ["/(/", /missing closing/],
  ["/[a/", /missing closing/],
  ["/a**/", /repetition/],
  ["/(?=a)/", /syntax/],
  ["/(?<!a)b/", /invalid/],
  ["/(a)\\1/", /escape/],
  ["/(a{1000}){1000}/", /repeat/],
  [42, /expected a string/],
  [null, /expected a string/],
  [undefined, /expected a string/],
  [["Bash"], /expected a string/],
  [/Bash/, /expected a string/],
  ["a".repeat(limits.patternChars + 1), /expected at most 1000 characters/],
  [`/${"a".repeat(limits.patternChars)}/`, /expected at most 1000 characters/],
];

for (const [pattern, problem] of invalid) {
  test(`the matcher ${String(pattern).slice(0, 40)} (${typeof pattern}) is an error when it is loaded`, () => {
    assert.throws(
      () => compileMatcher("hook x on tool.before", pattern),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, "SWARM_MATCHER_INVALID");
        assert.match(error.message, /^hook x on tool\.before: matcher .+ is invalid: /);
        assert.match(error.message, problem);
        if (typeof pattern === "string") {
          assert.ok(error.message.includes(JSON.stringify(pattern.slice(0, 40)).slice(0, -1)), error.message);
        }
        return true;
      },
    );
  });
}

/** Each is meant as a regular expression; taken as a name, it would silently never match. */
const almostRegex = ["/Bash/g", "/Bash/im", "//", " /Bash/ ", "/Bash/ ", "Read|/Bash.*/", "/Read/|/Write/"];

for (const pattern of almostRegex) {
  test(`${JSON.stringify(pattern)} is an error or the regular expression it was meant to be`, () => {
    let matcher: ReturnType<typeof compileMatcher>;
    try {
      matcher = compileMatcher("hook x", pattern);
    } catch (error) {
      assert.equal((error as { code?: string }).code, "SWARM_MATCHER_INVALID");
      return;
    }
    const meant = pattern.includes("Write") ? ["Read", "Write"] : ["Bash"];
    for (const value of meant) assert.equal(matcher.test(value), true, `${value} is not matched`);
  });
}

test("a pattern of exactly the longest length is compiled", () => {
  const name = "a".repeat(limits.patternChars);
  assert.equal(compileMatcher("hook x", name).test(name), true);
});

/** A backtracking engine would not return from any of these. */
const hostile: readonly (readonly [pattern: string, value: string])[] = [
  ["/(a+)+$/", `${"a".repeat(100_000)}!`],
  ["/^(a|aa)+$/", `${"a".repeat(100_000)}!`],
  ["/^(.*a){20}$/", `${"a".repeat(10_000)}!`],
  ["/(x+x+)+y/", "x".repeat(100_000)],
  [`${"*a".repeat(400)}*b`, "a".repeat(100_000)],
  [`a*${"b*".repeat(400)}c`, `a${"b".repeat(100_000)}`],
];

for (const [pattern, value] of hostile) {
  test(`${pattern.slice(0, 30)} gives up on ${value.length} hostile characters`, () => {
    assert.equal(compileMatcher("hook x", pattern).test(value), false);
  });
}

const letters = fc.constantFrom("a", "b", "_");
const globs = fc.string({ unit: fc.oneof(letters, fc.constant("*")), minLength: 1, maxLength: 10 });
const values = fc.string({ unit: letters, maxLength: 12 });

test("a glob matches exactly what the definition of * says", () => {
  fc.assert(
    fc.property(globs, values, (glob, value) => {
      assert.equal(compileMatcher("hook x", glob).test(value), isGlobMatch(glob, value));
    }),
    { numRuns: 20_000 },
  );
});

test("a glob matches every value it was made from", () => {
  const parts = fc.array(values, { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(parts, fc.array(values, { minLength: 4, maxLength: 4 }), (kept, filled) => {
      const value = kept.map((part, at) => part + (at < kept.length - 1 ? (filled[at] ?? "") : "")).join("");
      assert.equal(compileMatcher("hook x", kept.join("*")).test(value), true);
    }),
    { numRuns: 2_000 },
  );
});

test("alternatives match what one of them matches", () => {
  fc.assert(
    fc.property(fc.array(globs, { minLength: 1, maxLength: 4 }), values, (alternatives, value) => {
      const expected = alternatives.some((glob) => isGlobMatch(glob, value));
      assert.equal(compileMatcher("hook x", alternatives.join(" | ")).test(value), expected);
    }),
    { numRuns: 3_000 },
  );
});

test("the first and last text of a glob are read as text, whatever characters they hold", () => {
  const text = fc.string({ unit: fc.constantFrom(".", "-", "/", ":", "#", "@", "é", "😀", "a", " ") });
  fc.assert(
    fc.property(text, text, values, (first, last, middle) => {
      const glob = `x${first}*${last}y`;
      assert.equal(compileMatcher("hook x", glob).test(`x${first}${middle}${last}y`), true);
    }),
  );
});

/** By the definition, cell by cell: whether the first `i` of the glob match the first `j` of the value. */
function isGlobMatch(glob: string, value: string): boolean {
  let row = [true, ...Array.from(value, () => false)];
  for (const character of glob) {
    const next: boolean[] = [];
    for (let j = 0; j <= value.length; j++) {
      if (character === "*") next.push(row[j] === true || next[j - 1] === true);
      else next.push(j > 0 && row[j - 1] === true && value[j - 1] === character);
    }
    row = next;
  }
  return row[value.length] === true;
}
