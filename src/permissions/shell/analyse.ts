import type { ShellLine } from "./command.ts";
import { withoutMarks } from "./marks.ts";
import { ShellState } from "./variables.ts";
import { Walk } from "./walk.ts";

/** Where a line would run. */
export interface ShellPlace {
  readonly cwd: string | null;
  readonly home: string;
}

/** A longer line is not read at all. Agents' longest, with files in here-documents, are near 100 kB. */
const maxLineChars = 256 * 1024;

/**
 * What a line would run, as far as it tells: the commands behind quotes, variables, substitutions, wrappers, `eval` and
 * `sh -c`. Nothing is run and no file is looked at. Time and depth are bounded; what is beyond them is said to be opaque.
 */
export function analyseShell(line: string, place: ShellPlace): ShellLine {
  if (line.length > maxLineChars) return { commands: [], opaque: ["it is too long"], isSingle: false };
  const text = withoutMarks(line);
  const first = walk(text, place, new Set());
  // A variable that takes several values may have any of them where it is used.
  const { commands, opaque } = first.ambiguous.size === 0 ? first : walk(text, place, first.ambiguous);
  return { commands, opaque: [...opaque], isSingle: isSingle(commands) };
}

/** A program and its arguments, as some agents send it: nothing in it is expanded. */
export function analyseArgv(argv: readonly string[], place: ShellPlace): ShellLine {
  return analyseShell(argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" "), place);
}

function walk(text: string, { cwd, home }: ShellPlace, ambiguous: Set<string>): Walk {
  const state = new ShellState(cwd, [
    ["HOME", home],
    // Known from the start: a line that sets it anew is then followed no further than it can be.
    ["IFS", " \t\n"],
    ["TMPDIR", "/tmp"],
    ["SHELL", "/bin/sh"],
    ["BASH", "/bin/bash"],
  ]);
  const made = new Walk(ambiguous);
  made.text(text, state);
  return made;
}

const harmless = /^(&?\d|-|\/dev\/null)$/;

function isSingle(commands: ShellLine["commands"]): boolean {
  const [only] = commands;
  if (commands.length !== 1 || only === undefined) return false;
  return only.assignments.length === 0 && only.redirects.every(({ target }) => harmless.test(target));
}
