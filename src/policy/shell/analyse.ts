import { shellQuoted } from "../../base/shell-quote.ts";
import { folderVariables } from "../rules/folder-variables.ts";
import { isBeyondBounds, type ShellCommand, type ShellLine } from "./command.ts";
import { readingsOf } from "./syntax/control-characters.ts";
import { Budget } from "./interpret/budget.ts";
import { Folders } from "./interpret/folders.ts";
import { withoutMarks } from "./marks.ts";
import { State } from "./interpret/state.ts";
import { Run } from "./interpret/run.ts";
import { interpretText } from "./interpret/script.ts";
import type { Exploration } from "./interpret/exploration.ts";

/** Where a line would run. */
export interface ShellPlace {
  readonly cwd: string | null;
  readonly home: string;
  isFolder(path: string): boolean;
}

/** A longer line is not read at all. Agents' longest, with files in here-documents, are near 100 kB. */
const maxLineChars = 256 * 1024;

/**
 * What a line would run, as far as it tells: the commands behind quotes, variables, substitutions, wrappers, `eval` and
 * `sh -c`. Nothing is run, and no file is looked at but whether a folder is there that it goes to. Time and depth are bounded; what is beyond them is said to be opaque.
 */
export function analyseShell(line: string, place: ShellPlace, budget = new Budget()): ShellLine {
  if (line.length > maxLineChars) return { commands: [], opaque: ["it is too long"], isSingle: false };
  const readings = readingsOf(withoutMarks(line));
  const [only] = readings;
  if (readings.length === 1 && only !== undefined) return analyseText(only, place, budget);
  const lines = readings.map((reading) => analyseText(reading, place, budget.another()));
  return {
    commands: lines.flatMap(({ commands }) => commands),
    opaque: [...new Set([...lines.flatMap(({ opaque }) => opaque), "it has control characters in it"])],
    isSingle: false,
  };
}

function analyseText(text: string, place: ShellPlace, budget: Budget): ShellLine {
  const first = explore(text, place, { assumeBranch: "taken", variables: "last" }, budget, null);
  const { opaque } = first;
  const commands = [...first.commands];
  for (const exploration of otherExplorations(first)) {
    const other = explore(text, place, exploration, budget.another(), first);
    if (!isSame(first.commands, other.commands)) commands.push(...other.commands);
    // What is unknown only where a branch is not taken is what people leave to the environment: it hides nothing.
    for (const why of other.opaque) {
      if (exploration.variables === "unknown" || isBeyondBounds(why)) opaque.add(why);
    }
  }
  return { commands, opaque: [...opaque], isSingle: isSingle(commands) };
}

/** Values that make another command of one: `-f`, `+main`, `:main`. Of too many, only these are tried. */
const turning = /(?:^|\s)[-+:]/;
const maxTurning = 16;

/** Ways a line may go as well: a branch is not taken, or a variable that takes several values has another one of them. */
function otherExplorations({ assigning, hasBranches, goesOnAfterBranch, opaque }: Run): Exploration[] {
  const { ambiguous } = assigning;
  const others: Exploration[] = [];
  if (goesOnAfterBranch) others.push({ assumeBranch: "skipped", variables: "last" });
  if (ambiguous.size === 0) return others;
  others.push({ assumeBranch: "taken", variables: "unknown" });
  if (!hasBranches) return others;
  const all = [...ambiguous].flatMap(([name, values]) => [...values].map((value) => ({ name, value })));
  const turns = all.length <= maxTurning ? all : all.filter(({ value }) => turning.test(value));
  if (turns.length > maxTurning) opaque.add("its variables take too many values");
  else for (const variables of turns) others.push({ assumeBranch: "taken", variables });
  return others;
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

let folders: { readonly home: string; readonly values: readonly (readonly [string, string])[] } | null = null;

/** Where they really are does not matter: rules protect the usual place by its name as well. */
function foldersIn(home: string): readonly (readonly [name: string, value: string])[] {
  if (folders?.home !== home) {
    const values = Object.entries(folderVariables).map(
      ([name, folder]) => [name, folder.replace(/^~/, () => home)] as const,
    );
    folders = { home, values };
  }
  return folders.values;
}

/** Follows the line once; what the first exploration found tells the others what to assume. */
function explore(
  text: string,
  { cwd, home, isFolder }: ShellPlace,
  exploration: Exploration,
  budget: Budget,
  first: Run | null,
): Run {
  const state = new State(new Folders(cwd), isFolder);
  // What was given a value only in a branch that is not taken is mostly empty then.
  if (exploration.assumeBranch === "skipped") {
    for (const name of first?.assigning.names ?? []) state.variables.set(name, "");
  }
  for (const [name, value] of [["HOME", home] as const, ...knownVariables, ...foldersIn(home)]) {
    state.variables.set(name, value);
    state.exported.set(name, "yes");
  }
  const run = new Run(exploration, budget, first);
  interpretText(run, text, state);
  run.end();
  return run;
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
