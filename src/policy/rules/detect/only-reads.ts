import { programName, type ShellCommand } from "../../shell/command.ts";
import { interpreterOf } from "../../shell/programs/table.ts";
import { type GitCall, readGit } from "../../shell/programs/git.ts";
import { shellPrograms } from "../../shell/programs/shells.ts";
import { hasFlag, operands } from "./flags.ts";
import { onlyLists } from "./only-lists.ts";

/** Programs that open files and change none. */
const readers: ReadonlySet<string> = new Set([
  ...["cat", "tac", "bat", "batcat", "head", "tail", "less", "more", "nl", "wc", "od", "xxd", "hexdump"],
  ...["strings", "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "diff", "cmp", "comm", "colordiff"],
  ...["cut", "paste", "tr", "column", "fold", "fmt", "expand", "rev", "look", "join", "jq", "gron"],
  ...["md5sum", "sha1sum", "sha256sum", "sha512sum", "shasum", "b2sum", "cksum", "sum", "base64"],
  ...[
    "yamllint",
    "shellcheck",
    "hadolint",
    "actionlint",
    "ccat",
    "glow",
    "mdcat",
    "pygmentize",
    "source",
    ".",
    "md5",
    "get-content",
    "get-childitem",
  ],
  // What our own program changes is judged by its words.
  ...["swarm", "swarm-hooks"],
]);

/** Programs whose other operands are only read, and what they write is known by its place among them. */
const copiers: ReadonlySet<string> = new Set([
  ...["cp", "scp", "rsync", "install", "ln", "dd", "curl", "wget", "tee", "copy-item"],
]);

/**
 * Whether a command changes none of the files it names, but for those that are written by its form. A program that is not
 * known may do anything with a file it is given: a list of all that can write would never be complete.
 */
export function onlyReads(command: ShellCommand): boolean {
  const { program, args, code } = command;
  if (readers.has(program) || copiers.has(program) || onlyLists(command)) return true;
  if (program === "find" || program === "gfind") return findReads(args);
  if (program === "git") return gitReadsOnly(readGit(args));
  if (program === "sed" || program === "gsed")
    return !args.some((arg) => /^-[A-Za-z]*i|^--in-place/.test(arg));
  if (/^[gmn]?awk$/.test(program)) return !args.some((arg) => /inplace|>/.test(arg));
  if (program === "sort" || program === "uniq" || program === "shuf") {
    return !hasFlag(args, "o", "output") && !(program === "uniq" && operands(args).length > 1);
  }
  if (program === "json.tool") return operands(args).length < 2;
  if (program === "yq") return !hasFlag(args, "i", "inplace", "in-place");
  if (program === "tar" || program === "bsdtar")
    return /^-?[A-Za-z]*[ct]|^--(?:create|list)/.test(args[0] ?? "");
  if (program === "zip") return !hasFlag(args, "m", "move");
  if (code !== null) return !changesFiles(code);
  // A script's file is run, not changed; what the script does cannot be seen by its name.
  return shellPrograms.has(program) || interpreterOf(program) !== null;
}

/** Whether a program of this name changes no file, whatever it is given. */
export function isReaderName(path: string): boolean {
  return readers.has(programName(path));
}

/** `find … -exec cat {} +`: the programs it starts are readers. */
function findReads(args: readonly string[]): boolean {
  const isStart = (arg: string | undefined) => /^-(?:exec|execdir|ok|okdir)$/.test(arg ?? "");
  if (args.some((arg) => /^-(?:delete|fprint|fprint0|fprintf|fls)$/.test(arg))) return false;
  return args.every((arg, at) => !isStart(args[at - 1]) || isReaderName(arg));
}

/** Whether code has words in it that files are changed with. */
export function changesFiles(code: string): boolean {
  return changes.test(code);
}

const changes =
  /write|unlink|remov|extract|unpack|untar|unzip|symlink|\btar\b|renam|cop[iy]|cpSync|cp_r|chmod|chown|rmtree|rmdir|mkdir|link|trunc|\brm|\bmov|\bmv|dump|save|append|replace\s*\(|\bexec|system|spawn|popen|\bopen\b[^\n]{0,200}?,\s*(?:mode\s*=\s*)?["'][^"'\n]{0,3}[wax+>]|\bopen\b[^\n]{0,200}?["']\+?>|File\.(?:new|delete)|delete|outfile|put_contents|put-contents|-i\b|touch|\bprintf?\b[^;}\n]{0,100}>|\.(?:output|once)\b/i;

function gitReadsOnly({ subcommand, args }: GitCall): boolean {
  // Of what is to be committed it takes something out; the files stay.
  const isOfIndex = hasFlag(args, "S", "staged") && !hasFlag(args, "W", "worktree");
  return gitReads.has(subcommand) || (subcommand === "restore" && isOfIndex);
}

/** Commands of git that leave the working tree as it is. */
const gitReads: ReadonlySet<string> = new Set([
  ...["", "add", "annotate", "archive", "blame", "branch", "bundle", "cat-file", "check-attr"],
  ...["check-ignore", "commit", "describe", "diff", "diff-files", "diff-index", "diff-tree", "fetch"],
  ...["format-patch", "fsck", "grep", "hash-object", "help", "log", "ls-files", "ls-remote", "ls-tree"],
  ...["name-rev", "notes", "push", "reflog", "remote", "rev-list", "rev-parse", "shortlog", "show"],
  ...["status", "tag", "version", "whatchanged"],
]);
