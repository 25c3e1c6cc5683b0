import type { Facts } from "../facts.ts";
import { namedFiles } from "../files/command-files.ts";
import { PathGlobs, type PathNames } from "../files/path-globs.ts";
import { PathText } from "../files/path-text.ts";
import type { ShellCommand } from "../shell/command.ts";
import { optionValue } from "../shell/launch/options.ts";
import { isPlain, shown } from "../shell/marks.ts";
import { codeTexts } from "./code-texts.ts";
import { operands } from "./flags.ts";
import { isRecursive } from "./home.ts";
import { onlyLists, onlyStarts } from "./only-reads.ts";
import { absolutePath } from "./place.ts";

type Find = (facts: Facts) => string | null;

/** Where SWARM_HOME is, where it is by default, and where another user has it. */
const ownFolders = ["$SWARM_HOME", "~/.swarm", "/home/*/.swarm", "/Users/*/.swarm", "/root/.swarm"];

/**
 * Whether an action opens SWARM_HOME as a whole: copies, archives, searches, links or mounts the folder, works in it, or
 * names it in code, which can join the rest. Single files in it are for `path`.
 */
export function opensOwnFolder(names: PathNames): Find {
  const globs = new PathGlobs("detect", ownFolders, names, true);
  // `$X/.swarm`: whose it is cannot be told.
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

/** Whether an action takes in a folder around SWARM_HOME with all it holds, other than the project. */
export function takesInOwnFolder({ swarmHome }: PathNames): Find {
  return (facts) => {
    const { place } = facts;
    const isAround = (path: string): boolean => {
      const folder = path === "/" ? "/" : `${path}/`;
      const isAroundIt = swarmHome.startsWith(folder) || `${place.home}/.swarm`.startsWith(folder);
      const isInProject = place.root !== null && folder.startsWith(`${place.root}/`);
      return isAroundIt && !isInProject;
    };
    const isReallyAround = withLinks(facts, isAround);
    return searches(facts, isReallyAround) ?? firstOf(facts, (command) => takesIn(command, isReallyAround));
  };
}

function firstOf({ line }: Facts, find: (command: ShellCommand) => string | null): string | null {
  for (const command of line?.commands ?? []) {
    const found = find(command);
    if (found !== null) return found;
  }
  return null;
}

/** The same of a path and of what links make of it. */
function withLinks(facts: Facts, test: (path: string) => boolean): (path: string) => boolean {
  return (path) => {
    if (test(path)) return true;
    const real = facts.files.find((file) => file.path.text === path)?.realPath;
    return real !== null && real !== undefined && test(real.text);
  };
}

/** Another tool than a shell: one that lists names takes nothing of the folder. */
function inCall({ action, line }: Facts, [own]: ReadonlySet<string>): string | null {
  const isLister = /list|^ls$|glob|stat|info|exists/i.test(action.name);
  return line !== null || action.event !== "tool.before" || isLister ? null : shown(own ?? "");
}

/** A search goes through everything below a folder. */
function searches({ action, files }: Facts, isAround: (path: string) => boolean): string | null {
  if (action.kind !== "search" || !/grep|search_file_content/i.test(action.name)) return null;
  const found = files.find(({ path }) => isAround(path.text));
  return found === undefined ? null : shown(found.path.text);
}

type IsOwn = (path: PathText) => boolean;

function opens(command: ShellCommand, facts: Facts, own: ReadonlySet<string>, isOwn: IsOwn): string | null {
  const { program, args, cwd } = command;
  for (const text of codeTexts(command)) {
    const named = folderInCode(text);
    if (named !== null) return `${program} names ${named}`;
  }
  if (program === "swarm" || program === "swarm-hooks") return null;
  if (cwd !== null && /swarm/i.test(cwd) && isOwn(new PathText(cwd)) && !isHarmlessInside(command)) {
    return `${program} in ${cwd}`;
  }
  const isNamed = (other: ShellCommand) =>
    pathsOf(other, facts.place.home).find((path) => own.has(path) || isOwn(new PathText(path)));
  // Most lines end here: what another folder's names come to is looked at only where there is one.
  if (own.size === 0 && !args.some((arg) => /^-[A-Za-z]*C|^--directory/.test(arg))) return null;
  const lister = listerBefore(command, (input) => isNamed(input) !== undefined);
  if (lister !== null) return `${program} of what ${lister} finds`;
  const path = onlyLists(command) ? undefined : isNamed(command);
  return path === undefined ? null : `${program} ${shown(path)}`;
}

function isHarmlessInside(command: ShellCommand): boolean {
  return plainReaders.has(command.program) || onlyLists(command);
}

/** In the folder itself these read the files they name, and those are for `path`. */
const plainReaders: ReadonlySet<string> = new Set(["cat", "head", "tail", "less", "more", "wc", "jq", "bat"]);

/** A list of its files is harmless until something opens them: `find … | xargs cat`, `cat $(ls …)`. */
function listerBefore(command: ShellCommand, isNamed: (input: ShellCommand) => boolean): string | null {
  const { program, inputs, substituted } = command;
  const listed = opensInput.has(program)
    ? [...inputs, ...substituted]
    : onlyLists(command)
      ? []
      : substituted;
  return listed.find((input) => onlyLists(input) && !onlyStarts(input) && isNamed(input))?.program ?? null;
}

const opensInput: ReadonlySet<string> = new Set([
  ...["xargs", "gxargs", "parallel", "cpio", "tar", "bsdtar", "rsync", "zip", "pax"],
]);

/** Every path a command names, from its folder and from the one `-C` names. */
function pathsOf(command: ShellCommand, home: string): string[] {
  const { program, args, cwd } = command;
  // A sentence may speak of the folder: a commit's message does.
  const named = { ...command, args: args.filter((arg) => !/\s/.test(arg)), code: null };
  const words = namedFiles({ ...named, assignments: assignedTo(command) }, home);
  const paths = words.map((word) => absolutePath(word, cwd));
  const folder =
    program === "git" || program.endsWith("tar") ? optionValue(args, "C", "directory") : undefined;
  if (folder === undefined) return paths;
  return [...paths, ...words.map((word) => absolutePath(word, absolutePath(folder, cwd)))];
}

/** Variables count where a program is given them; those of the line itself are expanded where they are used. */
function assignedTo({ path, assignments }: ShellCommand): ShellCommand["assignments"] {
  return path === "" ? [] : assignments;
}

const folderName = /(?<![\w-])\.swarm(?![\w-])((?:\/[\w.*-]*)*)|\bSWARM_HOME\b/gi;
/** What anybody may read, and code may name. */
const readable = /^\/(?:config\.yaml|policy\.yaml|[\w-]+\.log|(?:reports|spill|batch|cron|bin)\/.*)$/i;

function folderInCode(code: string): string | null {
  if (!/swarm/i.test(code)) return null;
  for (const [named, below = ""] of code.matchAll(folderName)) if (!readable.test(below)) return named;
  return null;
}

/** Programs that give another name to a folder with all it holds. */
const mounters: ReadonlySet<string> = new Set(["mount", "bwrap", "sshfs", "bindfs", "systemd-nspawn", "ln"]);
/** The same by `-v FROM:TO` and `--mount type=bind,src=FROM`. */
const containers: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);

function takesIn(command: ShellCommand, isAround: (path: string) => boolean): string | null {
  const { program, args, cwd } = command;
  const isContainer = containers.has(program);
  if (!isContainer && !mounters.has(program) && !isRecursive(command)) return null;
  const paths = isContainer
    ? args.flatMap((arg) => /^(?:.*(?:src|source)=)?([^:,=]+)[:,]/.exec(arg)?.[1] ?? [])
    : operands(args);
  const found = paths.find((word) => {
    // `~/*` leaves hidden folders out, `~/.*` takes them in.
    const path = absolutePath(word, cwd).replace(/\/\.[\uE001\uE002]*$/, "") || "/";
    return isPlain(path) && isAround(path);
  });
  return found === undefined ? null : `${program} ${shown(found)}`;
}
