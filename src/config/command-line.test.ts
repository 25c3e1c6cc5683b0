import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { parsePortable } from "../policy/shell/syntax/parse.ts";
import { readWord } from "../policy/trust/read-words.ts";
import { isSameLine, readArguments, readCommandLine, showCommandLine } from "./command-line.ts";

const folderOf = (variable: string) => (variable === "CLAUDE_PLUGIN_ROOT" ? "acme" : null);
const read = (line: string) => readCommandLine(line, folderOf);
const text = (word: string) => ({ plugin: null, text: word });
const own = (path: string) => ({ plugin: "acme", text: path });

test("a line of plain words is its words", () => {
  assert.deepEqual(read("git diff --stat"), [text("git"), text("diff"), text("--stat")]);
  assert.deepEqual(read("  jq   -r .a.b "), [text("jq"), text("-r"), text(".a.b")]);
  assert.deepEqual(read(`cp "two words" 'and more'`), [text("cp"), text("two words"), text("and more")]);
});

test("a file of the plugin is one however its folder is written", () => {
  for (const line of [
    `\${CLAUDE_PLUGIN_ROOT}/hooks/redact_pan.sh`,
    `"\${CLAUDE_PLUGIN_ROOT}/hooks/redact_pan.sh"`,
    "$CLAUDE_PLUGIN_ROOT/hooks/redact_pan.sh",
  ])
    assert.deepEqual(read(line), [own("hooks/redact_pan.sh")], line);
});

test("words that come one by one are read the same, and nothing in them is split", () => {
  const argv = ["python3", `\${CLAUDE_PLUGIN_ROOT}/a b.py`, "two words"];
  assert.deepEqual(readArguments(argv, folderOf), [text("python3"), own("a b.py"), text("two words")]);
});

suite("refuses what only a shell could make sense of, and what a reader could take for something else", () => {
  const refused = [
    "git status; id",
    "git status | sh",
    "git status & id",
    "git status && id",
    "echo $HOME",
    `echo \${HOME}/x`,
    "echo `id`",
    "echo $(id)",
    "echo > /tmp/x",
    "cat < /etc/passwd",
    "ls *",
    "ls ?",
    "ls [a]",
    "ls {a,b}",
    "ls ~",
    "ls # all",
    "a\\ b",
    'x"y"',
    "'x'y",
    'open "quote',
    "git status\nid",
    "git\tstatus",
    "git status\r",
    "git \u0000status",
    "git ../x",
    "git a/../../b",
    "git --file=../x",
    "gіt status", // a Cyrillic letter
    "∕usr∕bin∕id",
    `'\${CLAUDE_PLUGIN_ROOT}/x'`,
    `x\${CLAUDE_PLUGIN_ROOT}/x`,
    `\${CLAUDE_PLUGIN_ROOT}x`,
    `\${CLAUDE_PLUGIN_ROOT}`,
    `\${CLAUDE_PLUGIN_ROOT}/`,
    `\${CLAUDE_PLUGIN_ROOT}/../x`,
    `\${CLAUDE_PLUGIN_ROOT}/./x`,
    `\${CLAUDE_PLUGIN_ROOT}//x`,
    "",
    "   ",
    '""',
    "x ".repeat(65),
    "x".repeat(5_000),
  ];
  for (const line of refused)
    test(JSON.stringify(line.slice(0, 40)), () => assert.equal(typeof read(line), "string"));
});

test("a line is shown as the user's list takes it, and read back it is the same", () => {
  const line = read(`\${CLAUDE_PLUGIN_ROOT}/hooks/mask.sh "two words" --fast`);
  assert.ok(typeof line !== "string");
  const shown = showCommandLine(line);
  assert.equal(shown, `\${acme}/hooks/mask.sh "two words" --fast`);
  const again = readCommandLine(shown, (plugin) => plugin);
  assert.ok(typeof again !== "string" && isSameLine(line, again));
});

test("lines are the same only to the last word, and a file is no text that looks like it", () => {
  const same = (a: string, b: string) => {
    const [one, other] = [read(a), read(b)];
    assert.ok(typeof one !== "string" && typeof other !== "string");
    return isSameLine(one, other);
  };
  assert.ok(same("git status", "git  status"));
  for (const other of ["git", "git status -s", "git statu", "Git status"])
    assert.ok(!same("git status", other));
  assert.ok(!same(`\${CLAUDE_PLUGIN_ROOT}/x`, "x"));
  assert.ok(!same(`\${CLAUDE_PLUGIN_ROOT}/x`, "acme/x"));
});

test("what is read is read as the reader of shell lines reads it", () => {
  const pieces = `a|b c| |  |'|"|'x y'|"z"|/|-|#|$|\\|;|~`.split("|");
  const piece = fc.constantFrom(...pieces);
  let compared = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (some) => {
      const line = some.join("");
      const words = read(line);
      if (typeof words === "string") return;
      compared++;
      const shell = parsePortable(line);
      assert.ok(shell !== null, line);
      const texts = [...shell.places.keys()]
        .filter((word) => word.length > 0)
        .map((word) => readWord(word, {}));
      const own = words.map(({ text }) => text);
      assert.deepEqual(own, texts, line);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(compared > 100, `${compared}`);
});
