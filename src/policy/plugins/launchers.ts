import { findProgram } from "../shell/programs/table.ts";
import { words } from "../shell/programs/words.ts";

/** The system's loader runs any program, and goes by many names: `ld.so`, `ld-linux-x86-64.so.2`. */
const loader = /\.so(\.|$)/;

/** One file with the programs of many names: its own name tells nothing about the one that is called. */
const multiCall = words("busybox coreutils toybox");

/** What of git only looks. Its other commands, and every option before the command, can run programs. */
const gitReads = words("branch describe diff log ls-files rev-parse show status version");

interface Argument {
  readonly plugin: string | null;
  readonly text: string;
}

/**
 * Why a program of the system may not be run with these arguments, whoever lists it; null if it may. It goes by names:
 * the last of several checks, and the only one that is a list of what is bad.
 */
export function launcherProblem(program: string, args: readonly Argument[]): string | null {
  for (const name of namesOf(program)) {
    if (name === "git" && !gitReads.has(args[0]?.text ?? ""))
      return `git may only look, expected ${[...gitReads].join(" or ")} as its first argument`;
    const row = name === "git" ? undefined : findProgram(name);
    if (row?.forPlugins === "own file" && (args[0]?.plugin ?? null) === null)
      return `${name} runs code, expected a file of the plugin as its first argument`;
    if ((row !== undefined && (row.forPlugins ?? "nothing") === "nothing") || loader.test(name))
      return `${name} can run other programs, expected a file of the plugin that does, for the user to approve`;
  }
  return null;
}

/** The same for the file a program's name leads to: under another name it is still what it is. */
export function linkedProblem(file: string, args: readonly Argument[]): string | null {
  return multiCall.has(file) ? null : launcherProblem(file, args);
}

/** Many have their version or flavour in the name: `python3.12`, `gcc-12`, `vim.basic`. */
function namesOf(program: string): string[] {
  const name = program.toLowerCase();
  const parts = [name, name.split(".")[0] ?? ""];
  return [...parts, ...parts.map((part) => part.replace(/[-.]?\d[\d.]*$/, ""))];
}
