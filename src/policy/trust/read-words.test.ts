import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { shellQuoted } from "../../base/shell-quote.ts";
import { parsePortable } from "../shell/syntax/parse.ts";
import { readWord } from "./read-words.ts";

const variables = { CLAUDE_PROJECT_DIR: "/p" };

/** Every word of a line in the order they stand; null: it is not read. */
function textsOf(line: string): (string | null)[] | null {
  const read = parsePortable(line);
  if (read === null) return null;
  const words = [...read.places]
    .filter(([word]) => word.length > 0)
    .toSorted(([, a], [, b]) => a.start - b.start);
  return words.map(([word]) => readWord(word, variables));
}

const read: Readonly<Record<string, readonly (string | null)[]>> = {
  "": [],
  "./a.sh": ["./a.sh"],
  "  sh\t'a b' \"c d\" e\\ f ": ["sh", "a b", "c d", "e f"],
  "a && b || c; d & e | f\ng": ["a", "b", "c", "d", "e", "f", "g"],
  '"$CLAUDE_PROJECT_DIR"/x.sh': ["/p/x.sh"],
  "${CLAUDE_PROJECT_DIR}/x $HOME $1 $x": ["/p/x", null, null, null],
  "x=$(cat) y=1 ./a.sh": [null, "cat", "1", "./a.sh"],
  'echo "$(sh \'a)b\' "c")" d': ["echo", null, "sh", "a)b", "c", "d"],
  "(cd a; ./b) | c": ["cd", "a", "./b", "c"],
  "a > b 2>&1 < c >> d; e 2> f": ["a", "b", "1", "c", "d", "e", "f"],
  "a *.sh ~/b {c,d} e~": ["a", null, null, null, "e~"],
  "'*.sh' \"a?b\" \\{x '~/c' \"d\"~e": ["*.sh", "a?b", "{x", "~/c", "d~e"],
  "{ a; }": ["a"],
  "a # b ' c\nd": ["a", "d"],
  "a#b 'c'\"d\"e": ["a#b", "cde"],
  'echo "a\\"b\\$c\\d"': ["echo", 'a"b$c\\d'],
  "if a; then b; fi; for x in c d; do e; done; f() { g; }": ["a", "b", "c", "d", "e", "f", "g"],
  "[[ -f a && b ]]": [null, "-f", "a", "b", null],
};
for (const [line, expected] of Object.entries(read)) {
  test(`words are read as a shell reads them: ${JSON.stringify(line)}`, () => {
    assert.deepEqual(textsOf(line), expected);
  });
}

for (const line of [
  "cat <<END\n./a.sh\nEND",
  "`./a.sh`",
  'echo "`./a.sh`"',
  "case $x in ./a.sh) ;; esac",
  "echo $((1 + 2))",
  "((x))",
  `echo \${x:-./a.sh}`,
  "echo $'\\n'",
  'echo $"a"',
  "a \\\n b",
  "echo 'a",
  'echo "a',
  "a)",
  "(a",
  "$(a",
  "diff <(a) b",
  "a >",
  "a \\",
  "a <<< ./a.sh",
  "a=(./a.sh)",
  "declare -a x=(./a.sh)",
  "a[$(./a.sh)]=1",
  "echo $[1]",
  "for ((i = 0; i < 2; i++)); do ./a.sh; done",
  "exec {fd}> ./a.sh",
  "a\r./b.sh",
  "function f`./a.sh` { b; }",
  "fi",
]) {
  test(`what is not read is not read at all: ${JSON.stringify(line)}`, () => {
    assert.equal(textsOf(line), null);
  });
}

test("a quoted text is one word to a real shell, and to the reader, whatever is in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
      fc.pre(!text.includes("\0") && text.isWellFormed() && !text.includes("\\\n"));
      assert.deepEqual(textsOf(`printf %s ${shellQuoted(text)}`), ["printf", "%s", text]);
    }),
  );
  for (const text of ["it's", '$(x) `y` \\ "z"', "a\nb", "''"]) {
    const { stdout } = spawnSync("/bin/sh", ["-c", `printf %s ${shellQuoted(text)}`], { encoding: "utf8" });
    assert.equal(stdout, text);
  }
});

test("every line of generated words that is read is read as /bin/sh reads it", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    " ",
    "'",
    '"',
    "\\",
    "#",
    "\t",
    "c d",
    "'x y'",
    '"z"',
    "\\'",
    ".",
    "/",
  );
  const lines = fc.sample(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join("")),
    { numRuns: 300, seed: 7 },
  );
  // Each on its own: a line that is not valid must not hide the others.
  const script = lines
    .map((line) => `(eval ${shellQuoted(`set -- ${line}\nprintf '<%s>' "$@"`)}) 2>/dev/null; echo`)
    .join("\n");
  const { stdout } = spawnSync("/bin/sh", ["-c", script], { encoding: "utf8" });
  const said = stdout.split("\n");
  let compared = 0;
  for (const [index, line] of lines.entries()) {
    const words = textsOf(`set -- ${line}`)?.slice(2);
    if (words === undefined || words.includes(null)) continue;
    compared++;
    assert.equal(words.length === 0 ? "<>" : words.map((word) => `<${word}>`).join(""), said[index], line);
  }
  assert.ok(compared > 100, `${compared} of ${lines.length}`);
});
