import type { Facts } from "../facts.ts";
import { namedFiles } from "../files/command-files.ts";
import { fitsGlob } from "../files/fits-pattern.ts";
import { PathGlobs, type PathNames } from "../files/path-globs.ts";
import { PathText } from "../files/path-text.ts";
import type { ShellCommand } from "../../shell/command.ts";
import { readGit } from "../../shell/programs/git.ts";
import { optionValue } from "../../shell/programs/options.ts";
import { onlyStarts } from "../../shell/programs/table.ts";
import { shown } from "../../shell/marks.ts";
import { codeTexts } from "./code-texts.ts";
import { onlyLists } from "./only-lists.ts";
import { absolutePath } from "./place.ts";

/** Where SWARM_HOME is, where it is by default, and where another user has it. */
const ownFolders = ["$SWARM_HOME", "~/.swarm", "/home/*/.swarm", "/Users/*/.swarm", "/root/.swarm"];

/**
 * Whether an action opens SWARM_HOME as a whole: copies, archives, searches, links or mounts the folder, works in it, or
 * names it in code, which can join the rest. Single files in it are matched by `path`.
 */
export function opensOwnFolder(names: PathNames): (facts: Facts) => string | null {
  const globs = new PathGlobs("detect", ownFolders, names, true);
  // `$X/.swarm` may be anyone's.
  const isOwn = (path: PathText): boolean =>
    globs.matches(path, path) || /^\uE000[^/]*\/\.swarm$/i.test(path.text);
  return (facts) => {
    const own = new Set<string>();
    for (const { path, realPath } of facts.files) {
      if (isOwn(path) || (realPath !== null && isOwn(realPath))) own.add(path.text);
    }
    const found = own.size === 0 ? null : inCall(facts, own);
    return found ?? firstOf(facts, (command) => opens(command, facts, own, isOwn));
  };
}

export function firstOf({ line }: Facts, find: (command: ShellCommand) => string | null): string | null {
  for (const command of line?.commands ?? []) {
    const found = find(command);
    if (found !== null) return found;
  }
  return null;
}

/** Another tool than a shell: one that lists names takes nothing of the folder. */
function inCall({ action, line }: Facts, [own]: ReadonlySet<string>): string | null {
  const isLister = /list|^ls$|glob|stat|info|exists/i.test(action.name);
  return line !== null || action.event !== "tool.before" || isLister ? null : shown(own ?? "");
}

type IsOwn = (path: PathText) => boolean;

function opens(command: ShellCommand, facts: Facts, own: ReadonlySet<string>, isOwn: IsOwn): string | null {
  const { program, args, cwd } = command;
  for (const text of codeTexts(command)) {
    const named = folderInCode(text);
    if (named !== null) return `${program} names ${named}`;
  }
  if (program === "swarm" || program === "swarm-hooks") return null;
  // Where a repository's folder is does not stand in the line.
  const target =
    program === "git" && /^(?:apply|am)$/.test(readGit(args).subcommand)
      ? optionValue(args, null, "directory")
      : undefined;
  if (target !== undefined && /(?:^|\/)\.swarm(?:\/|$)/i.test(target)) return `git apply in ${shown(target)}`;
  const indirect = namesVariable(command);
  if (indirect !== null) return indirect;
  if (cwd !== null && /swarm/i.test(cwd) && isOwn(new PathText(cwd)) && !isHarmlessInside(command)) {
    return `${program} in ${cwd}`;
  }
  const isNamed = (other: ShellCommand) =>
    namedPaths(other, facts.place.home).find((path) => own.has(path) || isOwn(new PathText(path)));
  // Most lines end here: names in another folder are resolved only where one is given.
  if (own.size === 0 && program !== "ln" && !args.some((arg) => /^-[A-Za-z]*C|^--directory/.test(arg)))
    return null;
  const lister = listerBefore(command, (input) => isNamed(input) !== undefined);
  if (lister !== null) return `${program} of what ${lister} finds`;
  const path = onlyLists(command) ? undefined : isNamed(command);
  return path === undefined ? null : `${program} ${shown(path)}`;
}

/** The folder by its variable's name: `cat $(printenv SWARM_HOME)/token`, `declare -n X=SWARM_HOME`. */
function namesVariable(command: ShellCommand): string | null {
  const { program, args, inputs, substituted } = command;
  const isReference =
    /^(?:declare|typeset|local)$/.test(program) &&
    args.some((arg) => /^-\w*n/.test(arg)) &&
    args.some((arg) => arg.endsWith("=SWARM_HOME"));
  const printers = opensInput.has(program) ? [...inputs, ...substituted] : substituted;
  const printer = printers.find((input) => input.args.some((arg) => /\bSWARM_HOME\b/.test(arg)));
  if (isReference || (printer !== undefined && !onlyLists(command))) return `${program} by way of SWARM_HOME`;
  return null;
}

function isHarmlessInside(command: ShellCommand): boolean {
  return plainReaders.has(command.program) || onlyLists(command);
}

/** In the folder itself these read the files they name, which are matched by `path`. */
const plainReaders: ReadonlySet<string> = new Set(["cat", "head", "tail", "less", "more", "wc", "jq", "bat"]);

/** A list of its files is harmless until something opens them: `find … | xargs cat`, `cat $(ls …)`. */
function listerBefore(command: ShellCommand, isNamed: (input: ShellCommand) => boolean): string | null {
  const { program, inputs, substituted } = command;
  const listed = opensInput.has(program)
    ? [...inputs, ...substituted]
    : onlyLists(command)
      ? []
      : substituted;
  return (
    listed.find((input) => onlyLists(input) && !onlyStarts(input.program) && isNamed(input))?.program ?? null
  );
}

const opensInput: ReadonlySet<string> = new Set([
  ...["xargs", "gxargs", "parallel", "cpio", "tar", "bsdtar", "rsync", "zip", "pax"],
]);

/** Every path a command names, from its folder and from the one `-C` names. */
export function namedPaths(command: ShellCommand, home: string): string[] {
  const { program, args, cwd } = command;
  // A sentence may mention the folder, as in the message of a commit.
  const named = { ...command, args: args.filter((arg) => !/\s/.test(arg)), code: null };
  const words = namedFiles({ ...named, assignments: assignedTo(command) }, home);
  const paths = words.map((word) => absolutePath(word, cwd));
  const folder =
    program === "git" || program.endsWith("tar") ? optionValue(args, "C", "directory") : undefined;
  if (program === "ln") {
    // What a link holds is looked for from the link's own folder.
    const link = absolutePath(words.filter((word) => !word.startsWith("-")).at(-1) ?? ".", cwd);
    for (const base of [link, link.slice(0, link.lastIndexOf("/")) || "/"])
      paths.push(...words.map((word) => absolutePath(word, base)));
  }
  if (folder === undefined) return paths;
  return [...paths, ...words.map((word) => absolutePath(word, absolutePath(folder, cwd)))];
}

/** Variables count where a program is given them; those of the line itself are expanded where they are used. */
function assignedTo({ path, assignments }: ShellCommand): ShellCommand["assignments"] {
  return path === "" ? [] : assignments;
}

const folderName = /(?<![\w-])\.swarm(?![\w-])((?:\/[\w.*-]*)*)|\bSWARM_HOME\b/gi;
/** What anyone may read, and code may name. */
const readable =
  /^\/(?:config\.yaml|policy\.yaml|[\w-]+\.log|(?:reports|spill|batch|cron|bin|trust|plugins|pipelines)\/.*)$/i;

/** The folder's name or variable, and right after it one of its secret files. */
const secretInCode =
  /(?:\.swarm|\bSWARM_HOME)\b[^\n]{0,40}?\b(?:token\b|swarm\.sock|hook\.sock|swarm\.db|audit-key|journal\b)/i;

export function namesOwnSecret(code: string): boolean {
  return secretInCode.test(code);
}

/** A pattern for hidden folders as code gives it to a glob: `/home/user/.s*`. */
const hiddenPattern = /(?<![\w.*?])\.[\w*?[\]-]{2,20}(?=[/"'`])/g;

function folderInCode(code: string): string | null {
  for (const [pattern] of /[*?[]/.test(code) ? code.matchAll(hiddenPattern) : []) {
    if (/[*?[]/.test(pattern) && /\w/.test(pattern) && fitsGlob(pattern, ".swarm")) return pattern;
  }
  if (!/swarm/i.test(code)) return null;
  for (const [named, below = ""] of code.matchAll(folderName)) if (!readable.test(below)) return named;
  return null;
}
