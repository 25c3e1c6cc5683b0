import { SwarmError } from "../../../base/errors.ts";
import { compileMatcher, type Matcher } from "../../../engine/hooks/matcher.ts";
import type { ShellCommand, ShellLine } from "../../shell/command.ts";
import { shellQuoted } from "../../../base/shell-quote.ts";
import { isPlain, shown } from "../../shell/marks.ts";

/**
 * A command in words: `git push --force`, `npm publish !--dry-run`, `kubectl delete|drain`. The first word is the program,
 * each is a matcher. Variables it is started with may stand before it: `CLAUDE_CONFIG_DIR=* claude`. Options may stand anywhere, `!` says what must not be there, `*` at the end stands for more
 * arguments. To forbid, more arguments never matter; to allow, they have to be covered.
 */
export interface CommandPattern {
  /** The names its program may have; null where it is no list of whole names. */
  readonly programs: readonly string[] | null;
  /** Whether a command is one of these, whatever else it is given. */
  isIn(command: ShellCommand): boolean;
  /** Whether it is this and nothing else. */
  covers(command: ShellCommand): boolean;
}

export function compileCommandPattern(where: string, text: string): CommandPattern {
  const given = text.trim().split(/\s+/);
  const start = given.findIndex((word) => !isAssignment.test(word));
  const variables = given.slice(0, Math.max(start, 0)).map((word) => compileAssignment(where, word));
  const [program, ...words] = start === -1 ? [] : given.slice(start);
  if (program === undefined || program === "") {
    throw new SwarmError("SWARM_MATCHER_INVALID", { where, pattern: text, problem: "expected a program" });
  }
  const isOpen = words.at(-1) === "*";
  const wanted = isOpen ? words.slice(0, -1) : words;
  const name = compileMatcher(where, program);
  const compile = (list: readonly string[]) => list.map((word) => compileMatcher(where, word));
  const excluded = wanted
    .filter((word) => word.startsWith("!"))
    .map((word) => compileExcluded(where, word.slice(1)));
  const options = wanted.filter((word) => word.startsWith("-"));
  const operands = compile(wanted.filter((word) => !/^[-!]/.test(word)));
  const inOrder = compile(wanted.filter((word) => !word.startsWith("!")));
  return {
    programs: name.globs?.every((glob) => !glob.includes("*")) ? name.globs : null,
    isIn(command) {
      if (command.program === "" || !name.test(command.program)) return false;
      if (!variables.every((isSet) => isSet(command))) return false;
      if (!options.every((option) => hasOption(command.args, option))) return false;
      if (!hasOperands(command.args, operands)) return false;
      return !excluded.some((isGiven) => isGiven(command.args));
    },
    covers(command) {
      const { args } = command;
      // By the path it was called with: `./git` is another program.
      if (!name.test(command.path) || !args.every(isPlain)) return false;
      if (!variables.every((isSet) => isSet(command))) return false;
      if (isOpen ? args.length < inOrder.length : args.length !== inOrder.length) return false;
      if (!inOrder.every((matcher, at) => matcher.test(args[at] ?? ""))) return false;
      return !excluded.some((isGiven) => isGiven(args));
    },
  };
}

const isAssignment = /^[A-Za-z_]\w*=/;

/** Whether a command is started with a variable, or is given it to set: `env X=1 claude`, `export X=1`, `docker run -e X=1`. */
function compileAssignment(where: string, word: string): (command: ShellCommand) => boolean {
  const name = word.slice(0, word.indexOf("="));
  const matcher = compileMatcher(where, word.slice(name.length + 1) || "*");
  return ({ assignments, args }) =>
    assignments.some(([set, value]) => set === name && matcher.test(value)) ||
    args.some((arg) => arg.startsWith(`${name}=`) && matcher.test(arg.slice(name.length + 1)));
}

/**
 * Whether what must not be there is. A long option may be taken back: by `false` after it, by `--no-dry-run`, by
 * `--dry-run=false`. What was said last counts, and after `--` nothing does.
 */
function compileExcluded(where: string, word: string): (args: readonly string[]) => boolean {
  const matcher = compileMatcher(where, word);
  if (!word.startsWith("--")) return (args) => args.some((arg) => matcher.test(arg));
  const isTakenBack = (arg: string) =>
    arg.startsWith(`${word}=`) || (arg.length > "--no-".length && `--no-${word.slice(2)}`.startsWith(arg));
  return (args) => {
    let isGiven = false;
    for (const [at, arg] of args.entries()) {
      if (arg === "--") break;
      if (matcher.test(arg)) isGiven = args[at + 1] !== "false";
      else if (isTakenBack(arg)) isGiven = false;
    }
    return isGiven;
  };
}

/** The command of a line that is one of these, as it would be run. Most programs are named by none of them, which one look tells. */
export function commandFinder(patterns: readonly CommandPattern[]): (line: ShellLine) => string | null {
  const ofAny = patterns.filter(({ programs }) => programs === null);
  const byProgram = new Map<string, readonly CommandPattern[]>();
  for (const program of patterns.flatMap(({ programs }) => programs ?? []))
    byProgram.set(
      program,
      patterns.filter(({ programs }) => programs?.includes(program) ?? true),
    );
  return ({ commands }) => {
    for (const command of commands) {
      const concerned = byProgram.get(command.program) ?? ofAny;
      if (concerned.some((pattern) => pattern.isIn(command))) return commandText(command);
    }
    return null;
  };
}

/** What a person recognises: the program and its words, not the pattern that found them. */
function commandText({ program, args, assignments }: ShellCommand): string {
  const variables = assignments.map(([name, value]) => `${name}=${quotedWord(value)}`);
  return [...variables, program, ...args.map(quotedWord)].map(shown).join(" ");
}

function quotedWord(word: string): string {
  return word === "" || /[\s"'`$&|;<>()*?]/.test(word) ? shellQuoted(word) : word;
}

/** Whether a line runs these commands and nothing else, and all of it is known. */
export function coversLine(line: ShellLine, patterns: readonly CommandPattern[]): boolean {
  if (line.opaque.length > 0 || line.commands.length === 0) return false;
  return line.commands.every(
    (command) =>
      command.redirects.every(({ target }) => /^(?:&?\d|\/dev\/null)$/.test(target)) &&
      command.assignments.length === 0 &&
      command.substituted.length === 0 &&
      patterns.some((pattern) => pattern.covers(command)),
  );
}

/** `-f` may stand among other letters, `--force` may be cut short or have a value. */
function hasOption(args: readonly string[], option: string): boolean {
  const isShort = /^-[A-Za-z]$/.test(option);
  return args.some((arg) => {
    if (arg === option || arg.startsWith(`${option}=`)) return true;
    if (isShort) return /^-[A-Za-z0-9]+$/.test(arg) && arg.includes(option.slice(1));
    const [name = ""] = arg.split("=", 1);
    return option.startsWith("--") && name.length > 3 && option.startsWith(name);
  });
}

/** The operands in order, from the first: what comes right after an option may be its value and is passed over. */
function hasOperands(args: readonly string[], operands: readonly Matcher[]): boolean {
  let next = 0;
  let isAfterOption = false;
  for (const arg of args) {
    const matcher = operands[next];
    if (matcher === undefined) return true;
    // `+nightly` is an option of cargo's, `+publish` a task of sbt's.
    if (arg.startsWith("+") && !matcher.isAlways && matcher.test(arg.slice(1).trimStart())) next++;
    else if (/^[-+]/.test(arg)) isAfterOption = arg.startsWith("-") && !arg.includes("=");
    else {
      if (matcher.test(arg)) next++;
      else if (!isAfterOption) return false;
      isAfterOption = false;
    }
  }
  return next === operands.length;
}
