import type { ShellCommand } from "../../shell/command.ts";
import { type GitCall, readGit } from "../../shell/programs/git.ts";
import { hasFlag, operands } from "./flags.ts";

type GitTest = (args: readonly string[]) => boolean;

/** What of a remote can be lost: branches overwritten or deleted. */
export function overwritesRemote(command: ShellCommand): string | null {
  const call = gitCall(command);
  if (call === null) return null;
  const { subcommand, args, settings } = call;
  // Each word with the one after it: `git config --add remote.x.push +y`.
  const written = subcommand === "config" ? args.map((arg, at) => `${arg}=${args[at + 1]}`) : settings;
  if (/^remote\..*\.(?:mirror(?:=(?:true|yes|on|[1-9]\d*))?$|push=\+)/im.test(written.join("\n"))) {
    return `git ${subcommand} with a forced remote`;
  }
  if (subcommand === "remote" && args.some((arg) => /^--mirror(?:=push)?$/.test(arg))) return shownCall(call);
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
  checkout: (args) =>
    hasFlag(args, "f", "force") ||
    hasFlag(args, "B") ||
    args.includes("--") ||
    operands(args).some((word) => isWholeTree(word) || /^\.{1,2}\//.test(word)) ||
    // A commit and files; with -b or -t a branch and where it begins.
    (operands(args).length > 1 && !hasFlag(args, "b", "orphan") && !hasFlag(args, "t", "track")),
  restore: (args) => !hasFlag(args, "S", "staged") || hasFlag(args, "W", "worktree"),
  switch: (args) => hasFlag(args, "f", "force-create", "discard-changes") || hasFlag(args, "C"),
  stash: (args) => /^(?:drop|clear)$/.test(operands(args)[0] ?? ""),
  branch: (args) => hasFlag(args, "D") || hasFlag(args, "f", "force"),
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
  const isUnasked = call.settings.some((setting) =>
    /^clean\.requireforce=(?:false|no|off|0)$/i.test(setting),
  );
  if (call.subcommand === "clean" && isUnasked) return shownCall(call);
  const test = Object.hasOwn(discards, call.subcommand) ? discards[call.subcommand] : undefined;
  return test?.(call.args) === true ? shownCall(call) : null;
}

/** Two weeks is what git itself waits before unreachable commits go. */
const isSoon = (time: string) => !/week|month|year|never/.test(time);
const expires = /^gc\.(?:.*\.)?(?:prune|reflog)\w*expire/i;

const rewrites: Readonly<Record<string, GitTest>> = {
  "filter-branch": () => true,
  "filter-repo": () => true,
  reflog: ([what]) => what === "expire" || what === "delete",
  gc: (args) => args.some((arg) => arg.startsWith("--prune=") && isSoon(arg)),
  prune: (args) => !hasFlag(args, "n", "dry-run"),
  replace: (args) => operands(args).length > 0,
};

/** Subcommands after which older commits cannot be found again. */
export function rewritesHistory(command: ShellCommand): string | null {
  if (command.program === "bfg" || command.program === "git-filter-repo") return command.program;
  const call = gitCall(command);
  if (call === null) return null;
  if (call.settings.some((setting) => expires.test(setting) && isSoon(setting))) return shownCall(call);
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
