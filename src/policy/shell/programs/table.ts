import { builtins } from "./builtins.ts";
import { finders } from "./finders.ts";
import { git } from "./git.ts";
import { interpreters } from "./interpreters.ts";
import type { Launcher } from "./launching.ts";
import { others } from "./others.ts";
import type { Program } from "./program.ts";
import { shells } from "./shells.ts";
import { wrappers } from "./wrappers.ts";

/** Every program that is known to start others or to run code. */
const table: ReadonlyMap<string, Program> = new Map(
  Object.entries<Program>({ ...others, ...wrappers, ...shells, ...finders, ...interpreters, git }),
);

/** The row of a program by its name, as `programName` gives it; an interpreter's may have its version in it: `python3.12`. */
export function findProgram(name: string): Program | undefined {
  const program = table.get(name);
  if (program !== undefined) return program;
  let end = name.length;
  while (end > 0 && isOfVersion(name.charCodeAt(end - 1))) end--;
  if (end === name.length) return undefined;
  const base = table.get(name.slice(0, end));
  return base?.runs === "script" ? base : undefined;
}

/** A digit or a full stop. By codes: a regular expression took a twentieth of the time a shell line is judged in. */
function isOfVersion(code: number): boolean {
  return code === 46 || (code >= 48 && code <= 57);
}

/** Returns what follows a program or a shell's own command. */
export function launcherOf(name: string): Launcher | undefined {
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  if (builtin !== undefined) return builtin;
  const program = findProgram(name);
  const follow = program?.follow;
  return program && follow && ((launching) => follow(launching, program));
}

/** The language of an interpreter whose code is looked into; null when a program is none. */
export function interpreterOf(name: string): string | null {
  return findProgram(name)?.language ?? null;
}

/** Whether it only starts another command, which is looked at by itself. */
export function onlyStarts(name: string): boolean {
  const { runs, opensFiles } = findProgram(name) ?? {};
  return (runs === "command" || runs === "lines") && opensFiles !== true;
}

/** Where what it starts happens: in the shell itself, later in the shell, or in another program. */
export function reachOf(name: string): "shell" | "later" | "program" {
  if (name === "trap") return "later";
  return Object.hasOwn(builtins, name) || keywords.has(name) ? "shell" : "program";
}

const keywords: ReadonlySet<string> = new Set([
  ...["command", "builtin", "eval", "source", ".", "time", "noglob", "nocorrect", "-"],
  ...["iex", "invoke-expression"],
]);
