import { shellQuoted } from "../../base/shell-quote.ts";
import type { ShellCommand, ShellLine } from "./command.ts";
import { withoutMarks } from "./marks.ts";
import { ShellState } from "./variables.ts";
import { type BranchEnds, Walk } from "./walk.ts";

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
  const ambiguous = new Set<string>();
  const first = walk(text, place, ambiguous, "kept");
  // A variable that takes several values may have any of them where it is used.
  const { commands, opaque } = ambiguous.size === 0 ? first : walk(text, place, ambiguous, "kept");
  if (first.goesOnAfterBranch) {
    // A branch may not be taken, and then has changed nothing. What is unknown only for that is what people leave to the
    // environment: it is not taken for an attempt to hide something.
    const other = walk(text, place, ambiguous, "undone");
    if (!isSame(commands, other.commands)) commands.push(...other.commands);
  }
  return { commands, opaque: [...opaque], isSingle: isSingle(commands) };
}

/** A program and its arguments, as some agents send it: nothing in it is expanded. */
export function analyseArgv(argv: readonly string[], place: ShellPlace): ShellLine {
  return analyseShell(argv.map(shellQuoted).join(" "), place);
}

/** Known from the start: a line that sets them anew is then followed no further than it can be. */
const knownVariables = [
  ["IFS", " \t\n"],
  ["TMPDIR", "/tmp"],
  ["SHELL", "/bin/sh"],
  ["BASH", "/bin/bash"],
] as const;

function walk(text: string, { cwd, home }: ShellPlace, ambiguous: Set<string>, branchEnds: BranchEnds): Walk {
  const state = new ShellState(cwd);
  for (const [name, value] of [["HOME", home] as const, ...knownVariables]) state.variables.set(name, value);
  const made = new Walk(ambiguous, branchEnds);
  made.text(text, state);
  return made;
}

/** In what branches can change. Which of them read from which is the line's own. */
function isSame(some: readonly ShellCommand[], others: readonly ShellCommand[]): boolean {
  const texts = ({ path, cwd, stdin, args, redirects, assignments }: ShellCommand) => [
    ...[path, cwd, stdin, ...args],
    ...redirects.map(({ target }) => target),
    ...assignments.map(([, value]) => value),
  ];
  return (
    some.length === others.length &&
    some.every((command, at) => {
      const [own, other] = [texts(command), texts(others[at] as ShellCommand)];
      return own.length === other.length && own.every((text, place) => text === other[place]);
    })
  );
}

const harmless = /^(&?\d|-|\/dev\/null)$/;

function isSingle(commands: ShellLine["commands"]): boolean {
  const [only] = commands;
  if (commands.length !== 1 || only === undefined) return false;
  return only.assignments.length === 0 && only.redirects.every(({ target }) => harmless.test(target));
}
