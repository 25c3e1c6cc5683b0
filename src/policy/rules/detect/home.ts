import type { ShellCommand } from "../../shell/command.ts";
import { hasFlag, operands } from "./flags.ts";
import { absolutePath, type Place } from "./place.ts";

/** Programs that take in folders with all they hold, and when they do. */
const recursive: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  tar: (args) => args.some((arg) => /^-?[a-zA-Z]*[cru]|^--(?:create|append|update)/.test(arg)),
  bsdtar: (args) => args.some((arg) => /^-?[a-zA-Z]*[cru]/.test(arg)),
  zip: () => true,
  "7z": () => true,
  rsync: () => true,
  pax: () => true,
  scp: (args) => hasFlag(args, "r"),
  cp: (args) => hasFlag(args, "r", "recursive", "archive") || hasFlag(args, "R") || hasFlag(args, "a"),
  grep: (args) => hasFlag(args, "r", "recursive", "dereference-recursive") || hasFlag(args, "R"),
  rg: (args) => hasFlag(args, ".", "hidden", "no-ignore") || args.some((arg) => /^-u/.test(arg)),
};

/** The user's folder with everything in it, credentials too, or a folder around it. */
export function readsWholeHome(command: ShellCommand, { home }: Place): string | null {
  if (!isRecursive(command)) return null;
  const found = operands(command.args).find((word) => {
    // `~/*` and `~/.*` are all of it, too.
    const path = absolutePath(word.replace(/\/\.?\uE001$/, "/"), command.cwd);
    return path === home || path === "/" || home.startsWith(`${path}/`);
  });
  return found === undefined ? null : `${command.program} ${found}`;
}

export function isRecursive({ program, args }: ShellCommand): boolean {
  return Object.hasOwn(recursive, program) && recursive[program]?.(args) === true;
}
