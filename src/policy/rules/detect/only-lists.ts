import type { ShellCommand } from "../../shell/command.ts";
import { onlyStarts } from "../../shell/programs/table.ts";

/** Programs that print names, sizes and dates, or what they are given, and open no file. */
const listers: ReadonlySet<string> = new Set([
  ...["", "ls", "dir", "vdir", "exa", "eza", "lsd", "tree", "stat", "du", "df", "file", "test", "[", "[["],
  ...["echo", "printf", "readlink", "realpath", "dirname", "basename", "namei", "lsattr", "getfacl"],
  ...["cd", "pushd", "popd", "chdir", "pwd", "dirs", "export", "declare", "typeset", "local", "readonly"],
  ...["set", "unset", "read", "true", "false", ":", "exit", "return", "wait", "sleep", "mkdir", "which"],
  ...["type", "hash", "command", "alias", "unalias", "trap", "shift", "for", "case", "mapfile", "readarray"],
]);

/** Whether all that is seen of a file is its name. */
export function onlyLists(command: ShellCommand): boolean {
  const { program, args } = command;
  if (program === "find" || program === "gfind") return !args.some((arg) => findActions.test(arg));
  if (program === "fd" || program === "fdfind") return !args.some((arg) => /^(?:-[xX]|--exec)/.test(arg));
  return listers.has(program) || onlyStarts(program);
}

const findActions = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/;
