import { resolve } from "node:path/posix";
import type { Facts } from "../facts.ts";
import { isForeign } from "../files/action-files.ts";
import { copiedFiles, programName, type ShellCommand, type ShellLine } from "../../shell/command.ts";
import { interpreterOf, onlyStarts } from "../../shell/programs/table.ts";
import { hasUnknown } from "../../shell/marks.ts";
import { isReplacement, isTextValue, takesOnlyText } from "../../shell/programs/text-programs.ts";
import { codeTexts } from "./code-texts.ts";
import { operands } from "./flags.ts";
import { agents } from "../../../agents/port/agents.ts";
import { namesDecidingRoute, namesOwnPort } from "./own-routes.ts";
import { absolutePath, type Place } from "./place.ts";

/** Commands of ours that only a person may give, by their first word; null: the word alone. */
const decisions: ReadonlyMap<string, readonly string[] | null> = new Map([
  ["approvals", ["approve", "deny", "key", "require"]],
  ["audit", ["accept"]],
  ["hooks", ["enable", "disable"]],
  ["flags", ["set", "unset"]],
  ["models", ["promote"]],
  ["task", ["accept", "send-back"]],
  ["plugins", ["add", "enable", "disable", "remove"]],
  ["tokens", ["add", "revoke"]],
  ["policy", ["init", "allow"]],
  ["service", ["uninstall"]],
  ["login", null],
  ["dashboard", null],
  ["init", null],
  ["stop", null],
  ["trust", null],
  // Rules of its own would judge that run. Alone the word is Python's and JavaScript's.
  ["try", Object.entries(agents).flatMap(([agent, { programs }]) => [agent, ...programs])],
  ["uninstall", null],
]);

/** Approvers' keys are listed by anyone, and changed by a person. */
const isListing = (verb: string, next: string | undefined) => verb === "key" && next === "list";
/** In code `key` alone is a word of every language. */
const inCode = (verb: string) => (verb === "key" ? "key\\W{1,12}(?:add|remove|confirm)" : verb);

/** `approvals approve` in one text, or as two texts of a list in code. */
const decisionInText =
  /\bapprovals\b["'`\s,[\]})+\\]{1,12}(?:approve|deny|require|key\b["'`\s,[\]})+\\]{1,12}(?:add|remove|confirm))\b/i;

/** Our program and the words of a decision in code, in whatever order and however far apart. */
const ownWord = /\bswarm\b/i;
const decisionWords: readonly RegExp[] = [...decisions].map(([noun, verbs]) =>
  verbs === null
    ? new RegExp(`\\bswarm(?:-hooks)?\\b["'\`\\s,[(]{1,8}${noun}\\b`, "i")
    : new RegExp(`\\b${noun}\\b[^]{0,200}?\\b(?:${verbs.map(inCode).join("|")})\\b`, "i"),
);

/** Our program's module as code loads it; what that code does with it cannot be seen. */
const ownModule =
  /(?:swarm-hooks(?:@[^/"'`]*)?\/(?:bin|dist|src)\/|\bbin\/swarm\b|\b(?:dist|src)\/(?:bundle\/)?cli\/main\.[cm]?[jt]s)/i;

/**
 * Whether an action takes a decision that is a person's. Our program has many names: a link, a copy, an interpreter with
 * its file, a package runner. It is recognised by the words it is given, unless the program only takes text.
 */
export function decidesForItself(): (facts: Facts) => string | null {
  return (facts) => {
    if (facts.line === null) return inRequest(facts);
    const found = decidesInLine(facts.line, facts.place);
    // An unknown tool may send a request besides.
    return found ?? (isForeign(facts.action) ? inRequest(facts) : null);
  };
}

/** Another tool than a shell: one that sends requests, or one that is not known. */
function inRequest({ action, texts }: Facts): string | null {
  if (action.event !== "tool.before") return null;
  const { kind } = action;
  if (kind !== null && kind !== "fetch" && !kind.startsWith("mcp:")) return null;
  const hasOwnPort = namesOwnPort(texts);
  const found = texts.find((text) => text.length < 8_192 && namesDecidingRoute(text, hasOwnPort));
  return found === undefined ? null : found.slice(0, 200);
}

/** The same in a shell line. */
export function decidesInLine(line: ShellLine, place: Place): string | null {
  const copies = new Set<string>();
  const isSocketOpen = line.commands.some(({ redirects }) =>
    redirects.some(({ target }) => /^\/dev\/(?:tcp|udp)\//.test(target)),
  );
  const mayBeOurs = () => line.commands.some(namesUs);
  for (const command of line.commands) {
    for (const { from, to } of copiedFiles(command)) {
      if (isOurs(from, command.cwd, place, true)) copies.add(absolutePath(to, command.cwd));
    }
    const isOurFile = (file: string, isOperand: boolean) =>
      isOurs(file, command.cwd, place, isOperand) ||
      (copies.size > 0 && copies.has(absolutePath(file, command.cwd)));
    const found = decisionOf(command, isOurFile, mayBeOurs) ?? (isSocketOpen ? requestOf(command) : null);
    if (found !== null) return found;
  }
  return null;
}

function requestOf({ program, args, stdin, inputs, substituted }: ShellCommand): string | null {
  // `curl --config <(echo url=…)`
  const printed = [...inputs, ...substituted].flatMap((printer) => printer.args);
  const texts = [...args, stdin ?? "", ...printed];
  const hasOwnPort = namesOwnPort(texts);
  const route = texts.find((text) => namesDecidingRoute(text, hasOwnPort));
  return route === undefined ? null : `${program} ${route.slice(0, 200)}`;
}

function decisionOf(
  command: ShellCommand,
  isOurFile: (file: string, isOperand: boolean) => boolean,
  mayBeOurs: () => boolean,
): string | null {
  const { program, path, args } = command;
  if (program === "" && path !== "") return unnamedDecision(command, mayBeOurs);
  if (program === "" || takesOnlyText(program) || onlyStarts(program)) return null;
  const request = requestOf(command);
  if (request !== null) return request;
  const text = startsOthers.has(program)
    ? undefined
    : args.find(
        (arg, at) =>
          decisionInText.test(arg) &&
          !isTextValue(command, at) &&
          !isReplacement(arg) &&
          mayAct(program, arg),
      );
  if (text !== undefined) return `${program} ${text.slice(0, 200)}`;
  if (codeTexts(command).some((code) => !isReplacement(code) && mayAct(program, code) && decidesInCode(code)))
    return `${program} with code of its own`;
  const isInterpreter = interpreterOf(program) !== null;
  const words = operands(args);
  const file = isInterpreter ? words.findIndex((word) => isOurFile(word, true)) : -1;
  if (isOurFile(path, false) || file !== -1) {
    return asksForHelp(args) ? null : ownDecision(words.slice(file + 1), program);
  }
  // `which swarm | xargs -I{} node {} trust`
  if (isInterpreter && hasUnknown(words[0] ?? "") && decisions.has(words[1] ?? "") && mayBeOurs())
    return ownDecision(words.slice(1), program);
  const started = startedAmong(program, args);
  if (started !== null && !asksForHelp(args.slice(started + 1))) {
    const decision = ownDecision(operands(args.slice(started + 1)), program);
    if (decision !== null) return decision;
  }
  const isUnnamed = isInterpreter || isStartedByPath(path) || words.length === 0;
  const at = words.findIndex((word, at) => isPair(word, words[at + 1], words[at + 2], isUnnamed));
  return at === -1 ? null : `${program} ${words.slice(at, at + 2).join(" ")}`;
}

/** What they start is judged by itself, and what they read is no line of theirs. */
const startsOthers: ReadonlySet<string> = new Set(["xargs", "gxargs", "parallel"]);

/** How code of the usual languages starts a program, sends a request or calls what it has looked up. */
const acts =
  /(?:exec\w*|system|spawn\w*|p?open[23]?|popen\w*|fetch|urlopen|connect|send\w*|request\w*|post|put|get|eval|run\w*|call|check_\w+|shell\w*|main|cmd|function|passthru|proc_open|output|start|launch|import|require|write)\s{0,9}[.(]|\$\w+\s?\(|\b(?:exec|system|spawn)\s{1,9}[\w"'%$@(]|[`|]|\bqx\b|%x|subprocess|child_process|axios|http|argv|getattr|__import__|globals|importlib|Reflect|\]\s{0,9}\(|\)\s{0,9}\(|getline/i;

/** Whether code can do more with a text than print it; of other programs' own languages that is not known. */
function mayAct(program: string, code: string): boolean {
  const isUsual = interpreterOf(program) !== null || /^[gmn]?awk$/.test(program);
  return (
    !isUsual || ownModule.test(code) || !/[\s(]/.test(code) || acts.test(code.replaceAll(harmlessCalls, ""))
  );
}
/** They look at a text, or at a file of the program's own. */
const harmlessCalls =
  /\b(?:open|re|json|sys|os\.path|fs|path|import|require)\s?\(["'][^"'()\n]{0,100}["']\)|\bimport [\w, ]{1,60}/g;

/** A program that is known only when it runs: `$(which swarm) trust`. */
function unnamedDecision({ args }: ShellCommand, mayBeOurs: () => boolean): string | null {
  const words = operands(args);
  const [first = ""] = words;
  const at = words.findIndex((word, at) => isPair(word, words[at + 1], words[at + 2], false));
  if (at !== -1) return `… ${words.slice(at, at + 2).join(" ")}`;
  return decisions.has(first) && mayBeOurs() ? ownDecision(words, "…") : null;
}

/** Whether a command looks for our program, or has its name. */
function namesUs({ args, path }: ShellCommand): boolean {
  return /swarm/i.test(path) || args.some((arg) => /\bswarm\b/i.test(arg));
}

/** `swarm trust --help`, and nothing else. */
function asksForHelp(args: readonly string[]): boolean {
  const [last = "", ...before] = args.toReversed();
  return /^(?:--help|-h)$/.test(last) && before.length < 3 && before.every((word) => /^[a-z]+$/.test(word));
}

/**
 * Where our program stands among the words of another one, which may start it: `docker exec box swarm trust`. The value of an
 * option, or a package of that name, is none; nor is the command `docker swarm init`.
 */
function startedAmong(program: string, args: readonly string[]): number | null {
  const at = args.findIndex((arg, index) => {
    if (index === 0 && program === "docker") return false;
    const before = args[index - 1] ?? "";
    return /^(?:\S*\/bin\/)?swarm(?:-hooks)?$/.test(arg) && !/^-+[^-]|^workspace$/.test(before);
  });
  return at === -1 ? null : at;
}

/** A script may speak of our program in many ways; only what no other script says counts. */
export function decidesInScript(code: string): boolean {
  return decisionInText.test(code) || namesDecidingRoute(code);
}

function decidesInCode(code: string): boolean {
  if (decisionInText.test(code) || namesDecidingRoute(code) || ownModule.test(code)) return true;
  return ownWord.test(code) && decisionWords.some((words) => words.test(code));
}

/** All such commands of our own program count; one that is known only when the line runs may be any of them. */
function ownDecision(words: readonly string[], program: string): string | null {
  for (const [at, word] of words.entries()) {
    const verbs = decisions.get(word);
    const verb = words[at + 1] ?? "";
    // The first words; an option before them may have a value.
    if (at > 1 || (at === 0 && word === "help")) return null;
    if (hasUnknown(word) || verbs === null) return `${program} ${word}`;
    if (word === "approvals" && isListing(verb, words[at + 2])) return null;
    if (verbs?.includes(verb) === true || (verbs !== undefined && hasUnknown(verb)))
      return `${program} ${word} ${verb}`;
  }
  return null;
}

/** Any other program counts by words that no other program takes; an unnamed file by every pair of words. */
function isPair(
  noun: string,
  verb: string | undefined,
  next: string | undefined,
  isUnnamed: boolean,
): boolean {
  if (verb === undefined || isListing(verb, next) || (noun !== "approvals" && !isUnnamed)) return false;
  return decisions.get(noun)?.includes(verb) === true;
}

function isStartedByPath(path: string): boolean {
  return path.includes("/") && !/^\/(?:usr|bin|sbin|opt|nix)\//.test(path);
}

const ourNames: ReadonlySet<string> = new Set(["swarm", "swarm-hooks", "swarm.js", "swarm.cjs", "swarm.mjs"]);
const ourFile = /(?:^|[/:])swarm-hooks(?:@[^/]*)?(?:$|\/(?:$|bin\/|dist\/(?:bundle\/)?cli\/|src\/cli\/))/;
/** Where our program's main file is in its package, whatever that folder is called. */
const ourMain = /^(.*\/)?(?:dist\/(?:bundle\/)?|src\/)cli\/main\.[cm]?[jt]s$/;

/** Other packages have a main file there, too, and not all of these beside it. */
export const ourFolders = ["policies", "schema/generated"] as const;

/** Whether a file is our program, under its own name or what links make of it. */
function isOurs(file: string, cwd: string | null, place: Place, isOperand: boolean): boolean {
  if (file === "" || hasUnknown(file)) return false;
  if (ourNames.has(programName(file)) || ourFile.test(file)) return true;
  // A program's name alone is looked for in PATH.
  if (cwd === null || file.length > 500 || !(isOperand || file.includes("/"))) return false;
  const absolute = resolve(cwd, file);
  const real = place.realPath(absolute);
  if (real !== absolute && (ourNames.has(programName(real)) || ourFile.test(real))) return true;
  const [, folder] = ourMain.exec(real) ?? [];
  return folder !== undefined && ourFolders.every((name) => place.isFolder(`${folder}${name}`));
}
