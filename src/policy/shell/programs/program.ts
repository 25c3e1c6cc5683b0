import type { Stream } from "../interpret/stream.ts";
import type { Launching } from "./launching.ts";
import type { OptionTable } from "./options.ts";
import { words } from "./words.ts";

/** An option by its letter and its long names; null: it has no letter. */
export type OptionNames = readonly [letter: string | null, ...long: string[]];

/** Follows what a program starts. What it returns is printed in place of the program's own output. */
export type Follow = (launching: Launching, program: Program) => Stream | undefined;

/**
 * A program that starts others or runs code: all that is known of it, for rules on shell lines, for the files of a hook that
 * are approved with it, and for what plugins may run. Names are keys of `table.ts`.
 */
export interface Program extends OptionTable {
  /** What rules follow of it; without this it is to them a program like any other. */
  readonly follow?: Follow;
  /** What its operands are: another command, a file with code and its arguments, lines for a shell each. */
  readonly runs?: "command" | "script" | "lines";
  /** It opens files of its own besides. */
  readonly opensFiles?: true;

  /** How many operands of its own come before the command: the duration of `timeout`. */
  readonly operands?: number;
  /** It takes `NAME=value` before the command. */
  readonly takesAssignments?: true;
  /** Only after these words does a command follow: `uv run`. */
  readonly after?: readonly string[];
  /** What is no word of its own is a program of the project: `yarn rimraf dist`. */
  readonly runsByName?: true;
  /** It takes a package for a program: `npx npm@latest publish`. */
  readonly takesPackages?: true;
  /** The option whose value is a line for a shell. */
  readonly line?: OptionNames;
  /** The option that names the folder it starts the command in. */
  readonly folder?: OptionNames;
  /** With such an option and no command it is a shell. */
  readonly shell?: RegExp;
  /** What is a path to it is another one elsewhere. */
  readonly changesRoot?: true;

  /** The language of the code it runs. */
  readonly language?: string;
  /** Letters and long names of options whose value is code, or with which it runs no file. */
  readonly code?: string;
  readonly longCode?: readonly string[];
  /** Letters of options whose value is the rest of their own word, and of the one that names a module to run in place of a file. */
  readonly attached?: string;
  readonly module?: string;
  /** Its long options have one dash, and may be written in any case. */
  readonly hasOneDash?: true;
  /** Options whose value names a file that it runs as well, and those whose value is a module, a file where it is written as a path. */
  readonly files?: readonly string[];
  readonly modules?: readonly string[];
  /** A word that may stand before its file; after that a bare name is one of a list elsewhere: `bun run lint`. */
  readonly verb?: string;
  /** It runs no file but those its options name: `sed -f`. */
  readonly hasNoFile?: true;
  /** Letters of options with which it reads no commands from its input. */
  readonly ends?: string;

  /** What plugins may do with it: run a file of theirs, or anything. Left out: nothing, it could run whatever it is told. */
  readonly forPlugins?: "nothing" | "own file" | "anything";
}

/** Rows of the table, by the names of the programs. */
export type Programs = Readonly<Record<string, Program>>;

/** Adds to rows what they have in common; what a row says itself counts. */
export function withCommon(rows: Programs, common: Program): Programs {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...common, ...row }]));
}

/** The same row under several names. */
export function named(names: string, program: Program): Programs {
  return Object.fromEntries([...words(names)].map((name) => [name, program]));
}
