import type { ShellCommand } from "../shell/command.ts";
import { type GitCall, readGit } from "../shell/launch/git.ts";
import { hasFlag, operands } from "./flags.ts";

type GitTest = (args: readonly string[]) => boolean;

/** What of a remote can be lost: branches overwritten or deleted. */
export function overwritesRemote(command: ShellCommand): string | null {
  const call = gitCall(command);
  if (call === null) return null;
  const { subcommand, args, settings } = call;
  const written = subcommand === "config" ? args.join("=") : settings.join("\n");
  if (/^remote\..*\.(?:mirror=true|push=\+)/im.test(written)) return `git ${subcommand} with a forced remote`;
  if (!["push", "send-pack", "http-push"].includes(subcommand)) return null;
  const isForced =
    hasFlag(args, "f", "force", "mirror", "prune") ||
    hasFlag(args, "d", "delete") ||
    operands(args).some((word) => /^\+|^:./.test(word));
  return isForced ? shownCall(call) : null;
}

/** A force that checks first what would be lost. */
export function forcesWithLease(command: ShellCommand): string | null {
  const call = gitCall(command);
  if (call?.subcommand !== "push") return null;
  return call.args.some((arg) => /^--force-(?:w|i)/.test(arg)) ? shownCall(call) : null;
}

const isWholeTree = (word: string) => /^(?:\.|\.\/|:\/|\*|\uE001)$/.test(word);

/** Subcommands that lose changes nobody has committed, and branches nobody else has. */
const discards: Readonly<Record<string, GitTest>> = {
  reset: (args) => hasFlag(args, null, "hard", "merge"),
  clean: (args) => hasFlag(args, "f", "force") && !hasFlag(args, "n", "dry-run"),
  checkout: (args) => hasFlag(args, "f", "force") || args.includes("--") || operands(args).some(isWholeTree),
  restore: (args) => !hasFlag(args, "S", "staged") || hasFlag(args, "W", "worktree"),
  switch: (args) => hasFlag(args, "f", "force", "discard-changes"),
  stash: ([what]) => what === "drop" || what === "clear",
  branch: (args) => hasFlag(args, "D") || (hasFlag(args, "d", "delete") && hasFlag(args, "f", "force")),
  worktree: ([what, ...args]) => what === "remove" && hasFlag(args, "f", "force"),
  rm: (args) => hasFlag(args, "f", "force") && !hasFlag(args, null, "cached"),
  "update-ref": (args) => hasFlag(args, "d", "stdin"),
  "read-tree": (args) => hasFlag(args, null, "reset"),
  "checkout-index": (args) => hasFlag(args, "f", "force"),
  submodule: (args) => args.includes("deinit") && hasFlag(args, "f", "force"),
};

export function discardsWork(command: ShellCommand): string | null {
  const call = gitCall(command);
  if (call === null) return null;
  const test = Object.hasOwn(discards, call.subcommand) ? discards[call.subcommand] : undefined;
  return test?.(call.args) === true ? shownCall(call) : null;
}

const rewrites: Readonly<Record<string, GitTest>> = {
  "filter-branch": () => true,
  "filter-repo": () => true,
  reflog: ([what]) => what === "expire" || what === "delete",
  gc: (args) => args.some((arg) => /^--prune=(?:now|all)/.test(arg)),
  prune: (args) => !hasFlag(args, "n", "dry-run"),
  replace: (args) => operands(args).length > 0,
};

/** Subcommands after which older commits cannot be found again. */
export function rewritesHistory(command: ShellCommand): string | null {
  if (command.program === "bfg" || command.program === "git-filter-repo") return command.program;
  const call = gitCall(command);
  if (call === null) return null;
  const test = Object.hasOwn(rewrites, call.subcommand) ? rewrites[call.subcommand] : undefined;
  return test?.(call.args) === true ? shownCall(call) : null;
}

/** `git-push` is a program of its own in some places. */
function gitCall({ program, args }: ShellCommand): GitCall | null {
  if (program === "git") return readGit(args);
  return program.startsWith("git-")
    ? { subcommand: program.slice(4), args, folders: [], settings: [] }
    : null;
}

function shownCall({ subcommand, args }: GitCall): string {
  return ["git", subcommand, ...args].join(" ");
}
