import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { shellQuoted } from "../../base/shell-quote.ts";
import { readShellLine } from "./shell-words.ts";

const variables = { CLAUDE_PROJECT_DIR: "/p" };
const textsOf = (line: string) =>
  readShellLine(line, variables)?.map(({ words }) => words.map(({ text }) => text)) ?? null;

const read: Readonly<Record<string, readonly (readonly (string | null)[])[]>> = {
  "": [],
  "./a.sh": [["./a.sh"]],
  "  sh\t'a b' \"c d\" e\\ f ": [["sh", "a b", "c d", "e f"]],
  "a && b || c; d & e | f\ng": [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]],
  '"$CLAUDE_PROJECT_DIR"/x.sh': [["/p/x.sh"]],
  "${CLAUDE_PROJECT_DIR}/x $HOME $1 $x": [["/p/x", null, null, null]],
  "x=$(cat) y=1 ./a.sh": [["cat"], ["x=", "y=1", "./a.sh"]],
  'echo "$(sh \'a)b\' "c")" d': [
    ["sh", "a)b", "c"],
    ["echo", null, "d"],
  ],
  "(cd a; ./b) | c": [["cd", "a"], ["./b"], ["c"]],
  "a > b 2>&1 < c >> d; e 2> f": [["a"], ["e"]],
  "a *.sh ~/b {c,d} e~": [["a", null, null, null, "e~"]],
  "{ a; }": [["{", "a"], ["}"]],
  "a # b ' c\nd": [["a"], ["d"]],
  "a#b 'c'\"d\"e": [["a#b", "cde"]],
  'echo "a\\"b\\$c\\d"': [["echo", 'a"b$c\\d']],
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
  "alias a=case; a",
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
]) {
  test(`what is not read is not read at all: ${JSON.stringify(line)}`, () => {
    assert.equal(textsOf(line), null);
  });
}

test("a quoted text is one word to a real shell, and to the reader, whatever is in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
      fc.pre(!text.includes("\0") && text.isWellFormed() && !text.includes("\\\n"));
      assert.deepEqual(textsOf(`printf %s ${shellQuoted(text)}`), [["printf", "%s", text]]);
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
    const words = textsOf(`set -- ${line}`)?.[0]?.slice(2);
    if (words === undefined || words.includes(null)) continue;
    compared++;
    assert.equal(words.length === 0 ? "<>" : words.map((word) => `<${word}>`).join(""), said[index], line);
  }
  assert.ok(compared > 100, `${compared} of ${lines.length}`);
});
