import { programName } from "../shell/command.ts";
import { isPlain, marks } from "../shell/marks.ts";
import { optionValue } from "../shell/programs/options.ts";
import type { Program } from "../shell/programs/program.ts";
import { findProgram } from "../shell/programs/table.ts";
import { findCommand } from "../shell/programs/unwrap.ts";

/** A word of a command that names a file the command runs. */
export interface CodeWord {
  /** Which word. */
  readonly index: number;
  /** What of the word stands before the path: `--import=`. */
  readonly prefix: string;
  readonly path: string;
  /** Where a relative path begins, from the folder the command is started in; null when only the shell will know. */
  readonly folder: string | null;
}

/**
 * Which words of one command name code: the program, and what an interpreter is given to run. A position decides, never a
 * look at the file: `grep -q config/deploy.sh` is about a file's name, and a guard that asks for it must go on doing so.
 * `words` are null where only the shell will know.
 */
export function codeWords(words: readonly (string | null)[]): CodeWord[] {
  const found = codeIn(words.map((word) => word ?? marks.unknown));
  return found.filter(({ path }) => isPlain(path) && path !== "");
}

function codeIn([program = "", ...args]: readonly string[]): CodeWord[] {
  if (!isPlain(program)) return [];
  const own = program.includes("/") ? [{ index: 0, prefix: "", path: program, folder: "" }] : [];
  const row = findProgram(programName(program));
  const inside =
    row?.runs === "command" ? startedBy(args, row) : row?.runs === "script" ? runBy(args, row) : [];
  return [...own, ...inside.map((word) => ({ ...word, index: word.index + 1 }))];
}

/** What the command runs that is given to a program. */
function startedBy(args: readonly string[], program: Program): CodeWord[] {
  const found = program.changesRoot === true ? null : findCommand(args, program);
  if (found === null) return [];
  const options = args.slice(found.options, found.firstOperand + 1);
  if (program.line !== undefined && optionValue(options, ...program.line) !== undefined) return [];
  const into = program.folder && optionValue(options, ...program.folder);
  const folder = into === undefined ? "" : isPlain(into) ? into : null;
  const rest = args.slice(found.command);
  const [first = ""] = rest;
  // `uv run hook.py` runs a file by its name alone; a program by that name is looked for in PATH.
  const isFile = program.after !== undefined && /\.\w+$/.test(first) && !first.includes("/");
  const words = isFile ? [{ index: 0, prefix: "", path: first, folder: "" }] : codeIn(rest);
  return words.map((word) => ({
    ...word,
    index: word.index + found.command,
    folder: folder === null || word.folder === null ? null : `${folder}${folder && "/"}${word.folder}`,
  }));
}

/** What an interpreter runs: the first operand, and what some of its options name. */
function runBy(args: readonly string[], program: Program): CodeWord[] {
  const { files = [], modules = [], verb, hasNoFile } = program;
  const found: CodeWord[] = [];
  const add = (index: number, prefix: string, path: string) =>
    void found.push({ index, prefix, path, folder: "" });
  let hasVerb = false;
  for (let index = 0; index < args.length; index++) {
    const word = args[index] as string;
    // A variable may be anything, and `-` is its input.
    if (!isPlain(word) || word === "-") return found;
    if (/^[-+]./.test(word)) {
      const option = readOption(word, program);
      if (option === null) return found;
      const { name, value = args[++index] ?? "", prefix } = option;
      const isOurs = files.includes(name) || (modules.includes(name) && /^(?:\.{0,2}\/|\.\.?$)/.test(value));
      if (isOurs) add(index, prefix, value);
    } else if (hasNoFile !== true) {
      if (word !== verb || hasVerb) {
        if (!hasVerb || /[/.]/.test(word)) add(index, "", word);
        return found;
      }
      hasVerb = true;
    }
  }
  return found;
}

interface Option {
  readonly name: string;
  /** Undefined: the next word is its value. */
  readonly value: string | undefined;
  /** What of the word stands before the value. */
  readonly prefix: string;
}

const noValue = { name: "", value: "", prefix: "" };

/** Reads one word of options; null when the program is given code by it, or runs no file. */
function readOption(word: string, program: Program): Option | null {
  const { short = "", attached = "", long = [], code = "", longCode = [], module, hasOneDash } = program;
  if (word.startsWith("--") || hasOneDash === true) {
    const [, name = "", value] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const known = hasOneDash === true ? name.toLowerCase() : name;
    if (longCode.includes(known)) return null;
    if (value !== undefined) return { name, value, prefix: `--${name}=` };
    return long.includes(known) ? { name, value, prefix: "" } : noValue;
  }
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] as string;
    if (code.includes(letter) || letter === module) return null;
    if (attached.includes(letter)) return noValue;
    if (!short.includes(letter)) continue;
    const value = word.slice(at + 1);
    return {
      name: letter,
      value: value === "" ? undefined : value,
      prefix: word.slice(0, value === "" ? 0 : at + 1),
    };
  }
  return noValue;
}
