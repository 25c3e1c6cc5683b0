import { resolve } from "node:path/posix";
import type { Facts } from "../facts.ts";
import { copiedFiles, programName, type ShellCommand } from "../shell/command.ts";
import { interpreterOf } from "../shell/launch/code.ts";
import { hasUnknown } from "../shell/marks.ts";
import { codeTexts } from "./code-texts.ts";
import { operands } from "./flags.ts";
import { onlyStarts } from "./only-reads.ts";
import { absolutePath } from "./place.ts";

/** Commands of ours that are a person's to give, by their first word; null: the word alone. */
const decisions: ReadonlyMap<string, readonly string[] | null> = new Map([
  ["approvals", ["approve", "deny"]],
  ["approver", null],
  ["hooks", ["enable", "disable"]],
  ["flags", ["set", "unset"]],
  ["models", ["promote"]],
  ["plugins", ["add", "enable", "disable", "remove"]],
  ["tokens", ["add", "revoke"]],
  ["policy", ["init"]],
  ["login", null],
  ["trust", null],
  ["uninstall", null],
]);

/** The same over REST. */
const routes =
  /\/api\/v\d+\/(?:approvals\/[^\n]{0,80}\/decision|trust\/(?:files\/)?(?:approve|ignore|revoke)|tokens\b|login(?:-links)?\b|flags\/|hooks\/[^/\s"'`]+["'`\s?]|plugins\b|models\/[^\s"'`]+\/promote|approver)/i;

/** `approvals approve` as code writes it: one text, or two of a list. */
const inCode = /\bapprovals\b["'`\s,\]})+\\]{1,12}(?:approve|deny)\b/i;

/** Programs to which such words are a text, whatever it says. */
const textPrograms: ReadonlySet<string> = new Set([
  ...["", "echo", "printf", "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "git", "gh", "glab", "jq"],
  ...["cat", "ls", "man", "tldr", "apropos", "sed", "gsed", "less", "head", "tail", "wc", "mkdir", "touch"],
  ...[
    "rm",
    "cp",
    "mv",
    "ln",
    "test",
    "[",
    "[[",
    "cd",
    "export",
    "read",
    "set",
    "say",
    "notify-send",
    "logger",
  ],
  ...["find", "fd", "diff", "tee", "vim", "vi", "nvim", "code", "nano", "swarm-hook", "true", "false", ":"],
]);

/**
 * Whether an action takes a decision that is a person's. Our program goes by many names: a link, a copy, an interpreter
 * with its file, a package runner. So it is told by its words, unless who is given them only takes text.
 */
export function decidesForItself(): (facts: Facts) => string | null {
  return ({ line, place, action, texts }) => {
    if (line === null) {
      const isRequest = action.event === "tool.before" && (action.kind === "fetch" || action.kind === null);
      const asked =
        isRequest || action.kind?.startsWith("mcp:") === true ? texts.find((t) => isRoute(t)) : undefined;
      return asked === undefined ? null : asked.slice(0, 200);
    }
    const copies = new Set<string>();
    for (const command of line.commands) {
      for (const { from, to } of copiedFiles(command)) {
        if (isOurs(from, command.cwd, place.realPath, true)) copies.add(absolutePath(to, command.cwd));
      }
      const found = decisionOf(
        command,
        (file, isOperand) =>
          isOurs(file, command.cwd, place.realPath, isOperand) ||
          (copies.size > 0 && copies.has(absolutePath(file, command.cwd))),
      );
      if (found !== null) return found;
    }
    return null;
  };
}

function isRoute(text: string): boolean {
  return text.includes("/api/v") && /^\w+:\/\//.test(text) && routes.test(`${text} `);
}

function decisionOf(
  command: ShellCommand,
  isOurFile: (file: string, isOperand: boolean) => boolean,
): string | null {
  const { program, path, args } = command;
  if (textPrograms.has(program) || onlyStarts(command)) return null;
  const route = args
    .concat(command.stdin ?? "")
    .find((arg) => arg.includes("/api/v") && routes.test(`${arg} `));
  if (route !== undefined) return `${program} ${route.slice(0, 200)}`;
  for (const code of codeTexts(command)) {
    if (inCode.test(code) || (code.includes("/api/v") && routes.test(code)) || runsOurs(code)) {
      return `${program} with code of its own`;
    }
  }
  const interpreter = interpreterOf(program) !== null;
  const words = operands(args);
  const file = interpreter ? words.findIndex((word) => isOurFile(word, true)) : -1;
  if (isOurFile(path, false) || file !== -1) {
    return ownDecision(words.slice(file + 1), program);
  }
  const at = words.findIndex((word, at) =>
    isPair(word, words[at + 1], isAnonymous(path, interpreter, words)),
  );
  return at === -1 ? null : `${program} ${words.slice(at, at + 2).join(" ")}`;
}

/** Of our own program every such command counts, and one that is known only then may be any of them. */
function ownDecision(words: readonly string[], program: string): string | null {
  for (const [at, word] of words.entries()) {
    const verbs = decisions.get(word);
    const verb = words[at + 1] ?? "";
    // The first words; an option before them may have a value.
    if (at > 1) return null;
    if (hasUnknown(word) || verbs === null) return `${program} ${word}`;
    if (verbs?.includes(verb) === true || (verbs !== undefined && hasUnknown(verb)))
      return `${program} ${word} ${verb}`;
  }
  return null;
}

/** Of any other program only what no other would be told; of one that has no name of its own every pair of words. */
function isPair(noun: string, verb: string | undefined, isUnnamed: boolean): boolean {
  if (verb === undefined || (noun !== "approvals" && !isUnnamed)) return false;
  return decisions.get(noun)?.includes(verb) === true;
}

/** A file that is started by its path, or given to an interpreter. */
function isAnonymous(path: string, isInterpreter: boolean, words: readonly string[]): boolean {
  return (
    isInterpreter || (path.includes("/") && !/^\/(?:usr|bin|sbin|opt|nix)\//.test(path)) || words.length === 0
  );
}

const ourNames: ReadonlySet<string> = new Set(["swarm", "swarm-hooks", "swarm.js", "swarm.cjs", "swarm.mjs"]);
const ourFile = /(?:^|[/:])swarm-hooks(?:@[^/]*)?(?:$|\/(?:$|bin\/|dist\/(?:bundle\/)?cli\/|src\/cli\/))/;

/** Whether a file is our program, under its own name or what links make of it. */
function isOurs(
  file: string,
  cwd: string | null,
  realPath: (path: string) => string,
  isOperand: boolean,
): boolean {
  if (file === "" || hasUnknown(file)) return false;
  if (ourNames.has(programName(file)) || ourFile.test(file)) return true;
  // A program's name alone is looked for in PATH.
  if (cwd === null || file.length > 500 || !(isOperand || file.includes("/"))) return false;
  const absolute = resolve(cwd, file);
  const real = realPath(absolute);
  return real !== absolute && (ourNames.has(programName(real)) || ourFile.test(real));
}

/** Code that loads our program does with it as it likes. */
function runsOurs(code: string): boolean {
  return (
    /swarm/i.test(code) &&
    /(?:swarm-hooks(?:@[^/"'`]*)?\/(?:bin|dist|src)|\bbin)\/(?:bundle\/)?(?:cli\/|swarm\b)/.test(code)
  );
}
