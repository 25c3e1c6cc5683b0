import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { show } from "../../base/show.ts";
import {
  type CommandLine,
  isSameLine,
  readArguments,
  readCommandLine,
  showCommandLine,
  type Word,
} from "../../config/command-line.ts";
import type { CommandAction, HookConfig, ShellSettings } from "../../config/hook-config.ts";
import { launcherProblem, linkedProblem } from "./launchers.ts";
import { realRoot } from "./snapshot.ts";

/** Where programs of the system are looked for, whatever PATH says; also the PATH they get. */
export const systemFolders: readonly string[] = [
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  ...(process.platform === "darwin" ? ["/opt/homebrew/bin"] : []),
];

/** Where what they lead to may lie. Not in a home, not in a temporary folder: what agents write must not become a program. */
const systemPlaces = /^\/(usr|bin|opt|nix\/store|snap|System|Library)\//;

export interface VettedCommand {
  readonly argv: readonly [string, ...string[]];
  /** It is a file of the plugin, or runs one. */
  readonly isOwn: boolean;
}

/** What is wrong with a file of the plugin that is to be run, or handed to what is run; null when nothing is. */
export type CheckOwnFile = (path: string, isProgram: boolean) => string | null;

export interface RefusedCommand {
  readonly deniedWhy: string;
}

/**
 * Whether a plugin's hook may run its program now. What is allowed is a shape, not all that is not forbidden: a list of
 * plain words that never meets a shell; the whole of it, to the last argument, declared by the plugin and listed by
 * the user; a program that is a file of the plugin as it was approved, or one of the system in a fixed place.
 */
export function vetCommand(
  plugin: string,
  action: CommandAction,
  settings: ShellSettings,
  /** Folders of whoever the event comes from: what lies there was written by an agent. */
  projects: readonly string[],
  checkOwn?: CheckOwnFile,
): VettedCommand | RefusedCommand {
  const { approved, pluginRoot } = action;
  if (!settings.isShellEnabled)
    return refuse("programs of plugins are off, the flag plugin_shell_hooks_enabled turns them on");
  if (approved === undefined || pluginRoot === null) return refuse("it belongs to no installed plugin");
  const line = commandLineOf(plugin, action);
  if (typeof line === "string") return refuse(line);
  const [program, ...args] = line;
  const problem =
    shapeProblem(program, args) ??
    listProblem(line, approved.commands, "allowed_shell_commands of the plugin") ??
    listProblem(line, settings.shellAllowlist, "plugin_shell_allowlist of the user") ??
    ownFilesProblem(line, checkOwn ?? checkCopy(pluginRoot, approved.files));
  if (problem !== null || program === undefined) return refuse(problem ?? "there is no program");
  const found = program.plugin === null ? findProgram(program.text, args, projects) : { path: "" };
  if ("deniedWhy" in found) return found;
  const pathOf = ({ plugin: owner, text }: Word) => (owner === null ? text : join(pluginRoot, text));
  const argv = [program.plugin === null ? found.path : pathOf(program), ...args.map(pathOf)] as const;
  return { argv, isOwn: line.some(({ plugin: owner }) => owner !== null) };
}

/** The words of a plugin's program; a text says why it has none. */
export function commandLineOf(plugin: string, { argv, line }: CommandAction): CommandLine | string {
  const folderOf = (variable: string) => (variable === "CLAUDE_PLUGIN_ROOT" ? plugin : null);
  return argv === null ? readCommandLine(line ?? "", folderOf) : readArguments(argv, folderOf);
}

/** Why a hook's program would be refused now; null when it would run, or is none. */
export function refusalOf(hook: HookConfig, settings: ShellSettings, checkOwn?: CheckOwnFile): string | null {
  if (hook.plugin === null || !("argv" in hook.action)) return null;
  const vetted = vetCommand(hook.plugin, hook.action, settings, [], checkOwn);
  return "deniedWhy" in vetted ? vetted.deniedWhy : null;
}

/** A name alone: no path of anywhere, however much it looks like one of the system's. */
function shapeProblem(program: Word | undefined, args: CommandLine): string | null {
  if (program === undefined || program.plugin !== null) return null;
  if (!/^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/.test(program.text))
    return `the program ${show(program.text)} is neither a name nor a file of the plugin, \${CLAUDE_PLUGIN_ROOT}/…`;
  return launcherProblem(program.text, args);
}

function listProblem(line: CommandLine, listed: readonly CommandLine[], where: string): string | null {
  if (listed.some((one) => isSameLine(one, line))) return null;
  return `${where} does not have this very line: ${show(showCommandLine(line))}`;
}

function ownFilesProblem(line: CommandLine, check: CheckOwnFile): string | null {
  for (const [at, { plugin, text }] of line.entries()) {
    const problem = plugin === null ? null : check(text, at === 0);
    if (problem !== null) return problem;
  }
  return null;
}

/** What runs is what was approved: the copy is private, but so are the hands of an agent that runs as its user. */
function checkCopy(root: string, approved: ReadonlyMap<string, string>): CheckOwnFile {
  return (path, isProgram) => {
    const expected = approved.get(path);
    if (expected === undefined) return `the plugin has no file ${show(path)}`;
    try {
      const file = join(root, path);
      if (realpathSync.native(file) !== join(realRoot(root), path) || !statSync(file).isFile())
        return `${show(path)} is not the file that was approved but a link`;
      if (createHash("sha256").update(readFileSync(file)).digest("hex") !== expected)
        return `${show(path)} is not the file that was approved`;
      if (isProgram) accessSync(file, constants.X_OK);
      return null;
    } catch (error) {
      return `${show(path)} cannot be run: ${(error as NodeJS.ErrnoException).code}`;
    }
  };
}

/** The first of the name in the folders of the system. */
function findProgram(
  name: string,
  args: CommandLine,
  projects: readonly string[],
): { readonly path: string } | RefusedCommand {
  for (const folder of systemFolders) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || !found.isFile() || (found.mode & 0o111) === 0) continue;
    const real = realpathSync.native(path);
    if (!systemPlaces.test(real) || projects.some((project) => real.startsWith(`${project}${sep}`)))
      return refuse(`${path} leads to ${show(real)}, expected a program of the system`);
    if ((found.mode & 0o022) !== 0) return refuse(`${path} can be written by others than its owner`);
    const problem = linkedProblem(basename(real), args);
    return problem === null ? { path } : refuse(problem);
  }
  return refuse(`there is no program ${show(name)} in ${systemFolders.join(", ")}`);
}

function refuse(deniedWhy: string): RefusedCommand {
  return { deniedWhy };
}
