import type { ShellCommand } from "../command.ts";
import type { State } from "../interpret/state.ts";
import type { Stream } from "../interpret/stream.ts";

/** A command that starts others, and the ways it can. */
export interface Launching {
  readonly command: ShellCommand;
  readonly state: State;
  /** Starts a program with its arguments; `stdin` where it does not read what this command would. */
  run(fields: readonly string[], stdin?: string): Stream;
  /** Gives a text to a shell; `words` are its `$0`, `$1` and so on, if it has its own. */
  runText(text: string, words?: readonly string[]): Stream;
  /** Follows a text that may be a line for a shell, and may be none: that part of it cannot be told does not count. */
  tryText(text: string): void;
  /** What the line itself has put into a file; undefined when it has written none there, null when that is not known. */
  written(file: string): string | null | undefined;
  assign(name: string, value: string): void;
  /** Gives a variable one of these, the first to begin with. */
  assignSeveral(name: string, values: readonly string[]): void;
  /** Part of what it starts cannot be told. */
  opaque(why: string): void;
}

/** Follows what a command starts. What it returns is printed in place of the command's own output. */
export type Launcher = (launching: Launching) => Stream | undefined;
