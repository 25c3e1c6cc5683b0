import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { shellQuoted } from "../../base/shell-quote.ts";
import { isFolder } from "../rules/files/is-folder.ts";
import { analyseShell } from "./analyse.ts";
import type { ShellCommand } from "./command.ts";
import { marks } from "./marks.ts";

/** Lines that change variables, arguments and folders in every way that may not come to run, and `rec` in between. */
const { line: anyLine } = fc.letrec<Record<"line" | "stage" | "simple", string>>((tie) => {
  const word = fc.constantFrom(
    "u",
    "v",
    "$x",
    '"$x"',
    "$y",
    '"$@"',
    `"\${a[@]}"`,
    `\${x:-u}`,
    "$(echo w)",
    "p$x",
  );
  const words = fc.array(word, { minLength: 1, maxLength: 2 }).map((some) => some.join(" "));
  const simple = fc.oneof(
    { weight: 4, arbitrary: words.map((some) => `rec ${some}`) },
    { weight: 3, arbitrary: word.map((one) => `x=${one}`) },
    { weight: 3, arbitrary: fc.constantFrom("cd d", "cd ..", "cd d/e", "cd nowhere", "cd -- d") },
    { weight: 2, arbitrary: words.map((some) => `a=(${some})`) },
    words.map((some) => `a+=(${some})`),
    words.map((some) => `set -- ${some}`),
    words.map((some) => `x=z rec ${some}`),
    fc.constantFrom(
      "true",
      "false",
      "unset x",
      "shift",
      "exit",
      "f",
      "f v",
      "export x=v",
      "local x",
      "read x",
    ),
  );
  const inner = fc.oneof({ weight: 4, arbitrary: tie("simple") }, tie("line"));
  const stage = fc.oneof(
    { depthSize: "small" },
    { weight: 8, arbitrary: tie("simple") },
    inner.map((one) => `{ ${one}; }`),
    inner.map((one) => `( ${one} )`),
    fc.tuple(tie("stage"), inner, inner).map(([a, b, c]) => `if ${a}; then ${b}; else ${c}; fi`),
    fc.tuple(tie("stage"), inner).map(([a, b]) => `if ! ${a}; then ${b}; fi`),
    inner.map((one) => `while false; do ${one}; done`),
    fc.tuple(words, inner).map(([some, one]) => `for x in ${some}; do ${one}; done`),
    fc.tuple(word, inner, inner).map(([one, a, b]) => `case ${one} in u) ${a};; *) ${b};; esac`),
    inner.map((one) => `f() { ${one.replaceAll(/\bf\b/g, "true")}; }`),
    inner.map((one) => `eval ${shellQuoted(one)}`),
    inner.map((one) => `sh -c ${shellQuoted(one.replaceAll(/a\+?=\([^)]*\)|"\$\{a\[@\]\}"/g, "true"))}`),
    fc
      .tuple(fc.constantFrom("env", "nice", "command", "builtin"), tie("simple"))
      .map(([by, one]) => `${by} ${one}`),
    fc.tuple(tie("stage"), tie("stage")).map(([a, b]) => `${a} | ${b}`),
  );
  const separator = fc.constantFrom("; ", "; ", "\n", " && ", " || ", " & ");
  const line = fc
    .array(fc.tuple(tie("stage"), separator), { minLength: 1, maxLength: 5, depthIdentifier: "line" })
    .map((some) => some.map(([one, by], at) => one + (at < some.length - 1 ? by : "")).join(""));
  return { line, stage, simple };
});

const bash = "/bin/bash";

test("whatever a real shell runs is among what is followed, with its words and in its folder", {
  skip: existsSync(bash) ? false : "there is no bash",
}, (t) => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "swarm-shell-")));
  // A line that exits leaves what it has in the background to end by itself, which may write meanwhile.
  t.after(() => rmSync(place, { recursive: true, maxRetries: 20, retryDelay: 50 }));
  const lines = fc.sample(anyLine, 600);
  const missed = runAll(lines, place).flatMap((started, at) => {
    const line = lines[at] as string;
    const { commands, opaque } = analyseShell(line, { cwd: join(place, "home"), home: place, isFolder });
    if (opaque.length > 0) return [];
    const unseen = started.find((one) => !commands.some((command) => fits(command, one)));
    return unseen === undefined ? [] : { line, unseen };
  });
  assert.deepEqual(missed.slice(0, 3), []);
});

interface Started {
  readonly cwd: string;
  readonly words: readonly string[];
}

/** What each line has `rec` called with. */
function runAll(lines: readonly string[], place: string): Started[][] {
  const home = join(place, "home");
  mkdirSync(join(home, "d/e/d/e"), { recursive: true });
  const rec = `#!/bin/sh\nr=$(printf '%s\\037' "$PWD" "$@")\nprintf '%s\\036' "$r" >> "$OUT"\n`;
  writeFileSync(join(place, "rec"), rec, { mode: 0o755 });
  const outputs = lines.map((_, at) => join(place, `out-${at}`));
  const scripts = lines.map(
    (line, at) =>
      `(cd ${shellQuoted(home)}; export OUT=${shellQuoted(outputs[at] as string)}; eval ${shellQuoted(line)}; wait)\n`,
  );
  const env = { PATH: `${place}${delimiter}${process.env.PATH}` };
  const script = join(place, "script");
  writeFileSync(script, `${scripts.join("")}exit 0\n`);
  execFileSync(bash, [script], { env, stdio: "ignore" });
  return outputs.map((file) => (existsSync(file) ? startedIn(readFileSync(file, "utf8")) : []));
}

function startedIn(text: string): Started[] {
  return text.split("\x1e").flatMap((one) => {
    const [cwd = "", ...words] = one.split("\x1f").slice(0, -1);
    return cwd === "" ? [] : { cwd, words };
  });
}

/** A word that is not known may be any number of words, also none. */
function fits({ program, args, cwd }: ShellCommand, started: Started): boolean {
  if (program !== "rec" || (cwd !== null && cwd !== started.cwd)) return false;
  const open = "[^]*";
  const parts = args.map((arg) =>
    arg === marks.unknown ? `(?:\x1f${open})?` : `\x1f${arg.split(marks.unknown).join(open)}`,
  );
  return new RegExp(`^${parts.join("")}$`).test(started.words.map((word) => `\x1f${word}`).join(""));
}
