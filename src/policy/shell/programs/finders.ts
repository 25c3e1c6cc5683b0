import type { Stream } from "../interpret/stream.ts";
import type { Launching } from "./launching.ts";
import { named, type Program, type Programs } from "./program.ts";
import { fitsGlob } from "../../rules/files/fits-pattern.ts";
import { hasUnknown, marks } from "../marks.ts";
import { firstOperand, optionValue } from "./options.ts";

/** Programs that start others for what they find or read. */
export const finders: Programs = {
  ...named("xargs gxargs", {
    runs: "command",
    opensFiles: true,
    short: "adEIJLnPRSs",
    long: ["arg-file", "delimiter", "max-lines", "max-args", "max-procs", "max-chars", "process-slot-var"],
    follow: runXargs,
  }),
  parallel: {
    short: "jaCSINnL",
    long: ["jobs", "arg-file", "colsep", "delay", "timeout", "sshlogin"],
    follow: runParallel,
  },
  ...named("find gfind", { follow: runFind }),
  ...named("fd fdfind", { follow: runFd }),
};

function runXargs({ command, run, opaque }: Launching, program: Program): Stream | undefined {
  const { args, stdin } = command;
  const at = firstOperand(args, program);
  const rest = args.slice(at);
  const read =
    stdin === null || hasUnknown(stdin) ? [marks.unknown] : wordsOf(stdin, separatorOf(args.slice(0, at)));
  if (rest.length === 0) return undefined;
  const placeholder = replaced(args.slice(0, at));
  // `-n1` and its like: one after the other.
  const isDealt = args.slice(0, at).some((arg) => /^-[nL]|^--max-(?:args|lines)/.test(arg));
  if (placeholder === null) {
    if (isDealt) for (const word of read.slice(0, maxDealt)) run([...rest, word], "");
    return run([...rest, ...read], "");
  }
  const lines = stdin === null || hasUnknown(stdin) ? read : stdin.split("\n").filter(Boolean);
  const fill = (text: string) =>
    run(
      rest.map((word) => word.replaceAll(placeholder, () => text)),
      "",
    );
  for (const line of lines.slice(0, maxDealt)) fill(line.trim());
  return fill(withinBounds(read, rest, placeholder, opaque).join(" "));
}

/** Between spaces quotes are taken off. */
function wordsOf(text: string, separator: RegExp | string): string[] {
  const plain = typeof separator === "string" ? text : text.replaceAll(/["'\\]/g, "");
  return plain.split(separator).filter(Boolean);
}

/** Between its words: what `-d` names, with `-0` a zero byte, else space. */
function separatorOf(options: readonly string[]): RegExp | string {
  if (options.some((option) => /^-[a-z]*0$|^--null$/.test(option))) return "\0";
  const given = optionValue(options, "d", "delimiter");
  return given === undefined || given === "\\n" ? /\s+/ : given === "\\0" ? "\0" : given;
}

/** As many words are followed one by one, where a program is started for each. */
const maxDealt = 32;

/** A line has room for thousands of words and thousands of places that each stand for all of them. */
const maxFilledChars = 256 * 1024;

/** What is put into words wherever they have a placeholder; something unknown if that would be too much. */
function withinBounds(
  found: readonly string[],
  words: readonly string[],
  placeholder: string,
  opaque: Launching["opaque"],
): readonly string[] {
  const places = words.reduce((count, word) => count + word.split(placeholder).length - 1, 0);
  const chars = found.reduce((count, { length }) => count + length + 1, 0);
  if (places <= 1 || places * chars <= maxFilledChars) return found;
  opaque("it has too many words");
  return [marks.unknown];
}

/** What `-I{}` names; null when words are put at the end. */
function replaced(options: readonly string[]): string | null {
  for (const [at, option] of options.entries()) {
    if (option === "-I" || option === "-J") return options[at + 1] ?? null;
    if (/^-[Ii]./.test(option)) return option.slice(2);
    if (option === "-i" || option === "--replace") return "{}";
    if (option.startsWith("--replace=")) return option.slice("--replace=".length);
  }
  return null;
}

function runParallel(launching: Launching, program: Program): Stream | undefined {
  const { command, run, runText, opaque } = launching;
  const { args } = command;
  const at = firstOperand(args, program);
  const end = args.findIndex((arg) => arg.startsWith(":::"));
  const words = args.slice(at, end === -1 ? undefined : end);
  const read = end === -1 ? [marks.unknown] : args.slice(end + 1);
  if (words.length === 0) return read.map((line) => runText(line)).at(-1);
  const text = withinBounds(read, words, "{}", opaque).join(" ");
  const filled = words.map((word) => word.replaceAll("{}", () => text));
  const isFilled = words.some((word) => word.includes("{}"));
  for (const one of end === -1 ? [] : read.slice(0, maxDealt)) {
    const line = words.map((word) => word.replaceAll("{}", () => one));
    if (line.length > 1) run(isFilled ? line : [...line, one], "");
  }
  const [only = ""] = filled;
  // A single word is a line for a shell.
  if (filled.length === 1 && only.includes(" ")) return runText(only);
  return run(isFilled ? filled : [...filled, ...read], "");
}

/** `find PATHS … -exec COMMAND {} \;`: the command gets the paths, or anything below them. */
function runFind({ command, run, opaque }: Launching): Stream | undefined {
  const { args } = command;
  const all = withinBounds(startingPoints(args), args, "{}", opaque);
  const name = ownNameAmong(args);
  const [some, isNarrow] = [all.map((path) => `${path}/${name}`), nameTests(args)];
  let printed: Stream | undefined;
  for (let at = 0; at < args.length; at++) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(args[at] as string)) continue;
    const paths = isNarrow[at] === true ? some : all;
    const words: string[] = [];
    for (; at + 1 < args.length && !/^[;+]$/.test(args[at + 1] as string); at++) {
      const word = args[at + 1] as string;
      if (word === "{}") for (const path of paths) words.push(path);
      else words.push(word.replaceAll("{}", () => paths.join(" ")));
    }
    printed = run(words, "");
  }
  return printed;
}

/** What the action that stands there gets: what find looks through, or something in it if only some names count. */
export function foundAt(args: readonly string[], action: number): string[] {
  const paths = startingPoints(args);
  return nameTests(args)[action] === true ? paths.map(someIn) : paths;
}

/** Our program, where a search by name may find it; it may be started by `{}`. */
function ownNameAmong(args: readonly string[]): string {
  const isOwn = args.some(
    (arg, at) =>
      /^-i?(?:name|path|wholename)$/.test(args[at - 1] ?? "") &&
      /\w/.test(arg) &&
      ["swarm", "swarm-hooks"].some((name) => fitsGlob(arg.slice(arg.lastIndexOf("/") + 1), name)),
  );
  return isOwn ? "swarm" : "some";
}

function someIn(path: string): string {
  return `${path}/some`;
}

/**
 * Before each argument, whether a test since the last `-o` asks for a name; `! -name x` and `-name '*'` take nearly all
 * there is, `-name .git` the repository.
 */
function nameTests(args: readonly string[]): boolean[] {
  let depth = 0;
  let isNarrow = false;
  return args.map((arg, at) => {
    const isNarrowBefore = isNarrow;
    const isNegated = /^(?:!|-not)$/.test(args[at - 1] ?? "");
    if (arg === "(") depth++;
    else if (arg === ")") depth--;
    else if (/^-(?:o|or)$/.test(arg) && depth === 0) isNarrow = false;
    else if (arg === "-empty") isNarrow ||= !isNegated;
    else if (/^-i?(?:name|path|wholename|regex)$/.test(arg) && !isNegated) {
      const name = args[at + 1] ?? "";
      isNarrow ||= /[A-Za-z0-9]/.test(name) && !/(?:^|\/)\.git(?:$|[/*?\uE001\uE002])/.test(name);
    }
    return isNarrowBefore;
  });
}

/** What find looks through: everything before its first test. */
export function startingPoints(args: readonly string[]): string[] {
  const from = args.findIndex((arg) => !/^-([HLP]|O\d|D)$/.test(arg));
  const rest = from === -1 ? [] : args.slice(from);
  const end = rest.findIndex((arg) => /^[-(!]/.test(arg));
  const paths = end === -1 ? rest : rest.slice(0, end);
  return paths.length === 0 ? ["."] : [...paths];
}

function runFd({ command, run }: Launching): Stream | undefined {
  const at = command.args.findIndex((arg) => /^(-x|-X|--exec|--exec-batch)$/.test(arg));
  if (at === -1) return undefined;
  const words = command.args.slice(at + 1).filter((word) => word !== ";");
  const filled = words.map((word) => word.replaceAll(/\{[./]{0,2}\}/g, marks.unknown));
  return run(words.some((word) => word.includes("{")) ? filled : [...words, marks.unknown], "");
}
