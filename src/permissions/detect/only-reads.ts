import type { ShellCommand } from "../shell/command.ts";
import { interpreterOf } from "../shell/launch/code.ts";
import { shellPrograms } from "../shell/launch/shells.ts";
import { wrappers } from "../shell/launch/wrappers.ts";
import { hasFlag, operands } from "./flags.ts";

/** Programs that print names, sizes and dates, or what they are given, and open no file. */
const listers: ReadonlySet<string> = new Set([
  ...["", "ls", "dir", "vdir", "exa", "eza", "lsd", "tree", "stat", "du", "df", "file", "test", "[", "[["],
  ...["echo", "printf", "readlink", "realpath", "dirname", "basename", "namei", "lsattr", "getfacl"],
  ...["cd", "pushd", "popd", "chdir", "pwd", "dirs", "export", "declare", "typeset", "local", "readonly"],
  ...["set", "unset", "read", "true", "false", ":", "exit", "return", "wait", "sleep", "mkdir", "which"],
  ...["type", "hash", "command", "alias", "unalias", "trap", "shift", "for", "case", "mapfile", "readarray"],
]);

/** Programs that open files and change none. */
const readers: ReadonlySet<string> = new Set([
  ...["cat", "tac", "bat", "batcat", "head", "tail", "less", "more", "nl", "wc", "od", "xxd", "hexdump"],
  ...["strings", "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "diff", "cmp", "comm", "colordiff"],
  ...["cut", "paste", "tr", "column", "fold", "fmt", "expand", "rev", "look", "join", "jq", "gron"],
  ...["md5sum", "sha1sum", "sha256sum", "sha512sum", "shasum", "b2sum", "cksum", "sum", "base64"],
  ...["ccat", "glow", "mdcat", "pygmentize", "source", ".", "md5", "get-content", "get-childitem"],
]);

/** Whether all that is seen of a file is its name. */
export function onlyLists(command: ShellCommand): boolean {
  const { program, args } = command;
  if (program === "find" || program === "gfind") return !args.some((arg) => findActions.test(arg));
  if (program === "fd" || program === "fdfind") return !args.some((arg) => /^(?:-[xX]|--exec)/.test(arg));
  return listers.has(program) || onlyStarts(command);
}

const findActions = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/;

/** Whether it only starts another command, which is looked at by itself. */
export function onlyStarts({ program }: ShellCommand): boolean {
  return Object.hasOwn(wrappers, program) && !alsoOpen.has(program);
}

/** Among what starts others, those that open files of their own. */
const alsoOpen: ReadonlySet<string> = new Set([
  ...["vim", "vi", "nvim", "ex", "view", "ed", "less", "psql", "sqlite3", "mysql", "gdb", "rsync", "ssh"],
  ...["script", "bun", "nodemon", "tmux", "screen", "npm", "pnpm", "yarn", "nix", "firejail", "strace"],
]);

/**
 * Whether a command changes none of the files it names, as far as its kind tells. Who is not known may do anything with what
 * it is given: a list of all that can write would never be complete.
 */
export function onlyReads(command: ShellCommand): boolean {
  const { program, args, code } = command;
  if (readers.has(program) || onlyLists(command)) return true;
  if (program === "git") return gitReads.has(gitCommand(args));
  if (program === "sed" || program === "gsed")
    return !args.some((arg) => /^-[A-Za-z]*i|^--in-place/.test(arg));
  if (/^[gmn]?awk$/.test(program)) return !args.some((arg) => /inplace|>/.test(arg));
  if (program === "sort" || program === "uniq" || program === "shuf") {
    return !hasFlag(args, "o", "output") && !(program === "uniq" && operands(args).length > 1);
  }
  if (program === "yq") return !hasFlag(args, "i", "inplace", "in-place");
  if (program === "tar" || program === "bsdtar")
    return /^-?[A-Za-z]*[ct]|^--(?:create|list)/.test(args[0] ?? "");
  if (program === "xargs" || program === "parallel") return true;
  if (code !== null) return !changes.test(code);
  // What a script does is not known by its name, and it is no file to be changed.
  return shellPrograms.has(program) || interpreterOf(program) !== null;
}

/** What code changes files with. */
const changes =
  /write|unlink|remov|renam|cop[iy]|chmod|chown|rmtree|rmdir|mkdir|link|trunc|\brm|\bmov|\bmv|dump|save|append|replace\s*\(|\bexec|system|spawn|popen|\bopen\b[^\n]{0,200}?,\s*(?:mode\s*=\s*)?["'][^"'\n]{0,3}[wax+>]|\bopen\b[^\n]{0,200}?["']\+?>|File\.(?:new|delete)|outfile|put_contents|put-contents|-i\b|touch/i;

/** Commands of git that leave the working tree as it is. */
const gitReads: ReadonlySet<string> = new Set([
  ...[
    "",
    "add",
    "annotate",
    "blame",
    "branch",
    "cat-file",
    "check-attr",
    "check-ignore",
    "commit",
    "describe",
  ],
  ...[
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "fetch",
    "fsck",
    "grep",
    "hash-object",
    "log",
    "ls-files",
  ],
  ...[
    "ls-tree",
    "name-rev",
    "push",
    "reflog",
    "remote",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "status",
  ],
  ...["tag", "version", "whatchanged", "archive", "bundle", "format-patch", "help", "notes", "ls-remote"],
]);

function gitCommand(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (/^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(arg)) at++;
    else if (!arg.startsWith("-")) return arg;
  }
  return "";
}
