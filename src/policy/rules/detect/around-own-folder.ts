import type { Facts } from "../facts.ts";
import { fitsGlob, fitsPattern } from "../files/fits-pattern.ts";
import type { PathNames } from "../files/path-globs.ts";
import { segmentsOf } from "../files/path-text.ts";
import type { ShellCommand } from "../../shell/command.ts";
import { optionValue } from "../../shell/programs/options.ts";
import { isPlain, shown } from "../../shell/marks.ts";
import { codeTexts } from "./code-texts.ts";
import { hasFlag, operands } from "./flags.ts";
import { isRecursive } from "./home.ts";
import { onlyLists } from "./only-lists.ts";
import { firstOf, namedPaths } from "./own-folder.ts";
import { absolutePath } from "./place.ts";

/** Whether an action takes in a folder around SWARM_HOME with all it holds, other than the project. */
export function takesInOwnFolder({ swarmHome }: PathNames): (facts: Facts) => string | null {
  return (facts) => {
    const { place, line } = facts;
    const own = [...new Set([swarmHome, `${place.home}/.swarm`])];
    const isAround = (path: string): boolean => {
      const folder = path === "/" ? "/" : `${path}/`;
      const isInProject = place.root !== null && folder.startsWith(`${place.root}/`);
      return !isInProject && own.some((name) => name.startsWith(folder));
    };
    const isReallyAround = withLinks(facts, isAround);
    const isDotGlob = line?.commands.some(setsDotGlob) ?? false;
    return (
      searches(facts, isReallyAround) ??
      firstOf(
        facts,
        (command) =>
          takesIn(command, isReallyAround) ??
          findsIn(command, isReallyAround) ??
          walksHome(command, place.home) ??
          expandsInto(command, own, place.home, isDotGlob),
      )
    );
  };
}

/** Tests a path, and what links make of it. */
function withLinks(facts: Facts, test: (path: string) => boolean): (path: string) => boolean {
  return (path) => {
    if (test(path)) return true;
    const real = facts.files.find((file) => file.path.text === path)?.realPath;
    return real !== null && real !== undefined && test(real.text);
  };
}

/** A search goes through everything below a folder. */
function searches({ action, files }: Facts, isAround: (path: string) => boolean): string | null {
  if (action.kind !== "search" || !/grep|search_file_content/i.test(action.name)) return null;
  const found = files.find(({ path }) => isAround(path.text));
  return found === undefined ? null : shown(found.path.text);
}

/** Programs that give another name to a folder with all it holds, take it away, or keep it elsewhere. */
const takers: ReadonlySet<string> = new Set([
  ...["mount", "bwrap", "sshfs", "bindfs", "systemd-nspawn", "ln", "mv", "ditto", "cpio", "restic", "borg"],
  ...["rclone", "duplicity", "chroot"],
  // These give all of it to whoever asks.
  ...["http.server", "serve", "http-server", "live-server", "miniserve", "darkhttpd"],
]);
/** These mount by `-v FROM:TO` and `--mount type=bind,src=FROM`. */
const containers: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl", "docker-compose"]);
const mountedFolder = /^(?:-v=?|--volume=|--mount=)?(?:.*\b(?:src|source)=)?([^:,=]+)[:,]/;
/** These change all that is in a folder. */
const changers: ReadonlySet<string> = new Set(["rm", "chmod", "chown", "chgrp", "chattr", "setfacl", "diff"]);

function takesIn(command: ShellCommand, isAround: (path: string) => boolean): string | null {
  const { program, args, cwd } = command;
  const found = takenFolders(command).find((word) => {
    // `~/*` leaves hidden folders out, `~/.*` takes them in.
    const path = absolutePath(word, cwd).replace(/\/\.[\uE001\uE002]*$/, "") || "/";
    return isPlain(path) && isAround(path);
  });
  return found === undefined ? null : `${program} ${shown(found === "." ? args.join(" ") : found)}`;
}

function takenFolders(command: ShellCommand): readonly string[] {
  const { program, args } = command;
  if (containers.has(program)) {
    const context = args.includes("build") ? operands(args).slice(-1) : [];
    return [...args.flatMap((arg) => mountedFolder.exec(arg)?.[1] ?? []), ...context];
  }
  if (program === "php") return hasFlag(args, "S") ? operands(args) : [];
  if (extractors.has(program)) return extractedInto(command);
  if (program === "git") return gitFolders(command);
  // `-o lowerdir=/home/user,upperdir=x`
  if (program === "mount")
    return args.flatMap((arg) => arg.split(/[=:,]/)).filter((word) => /^[~/.]/.test(word));
  const isWhole =
    takers.has(program) ||
    isRecursive(command) ||
    (changers.has(program) && hasFlag(args, "r", "recursive")) ||
    (changers.has(program) && hasFlag(args, "R"));
  return isWhole ? operands(args) : [];
}

/** What they take out of an archive or a patch may be meant for a folder below. */
const extractors: ReadonlySet<string> = new Set(["unzip", "bsdtar", "tar", "7z", "cpio", "patch"]);

function extractedInto({ program, args }: ShellCommand): readonly string[] {
  const isTar = program.endsWith("tar");
  if (isTar && !/^-?[A-Za-z]*x|^--(?:extract|get)/.test(args.find((arg) => !/^-C|^--dir/.test(arg)) ?? ""))
    return operands(args);
  const folder =
    optionValue(args, isTar ? "C" : "d", "directory") ?? args.find((arg) => /^-o[/~.]/.test(arg));
  return [folder?.replace(/^-o/, "") ?? "."];
}

const gitTakers = /^(?:add|stash|archive|grep|commit|hash-object|clean|ls-files)$/;

/** The working tree, where git takes all of it. */
function gitFolders({ args, assignments }: ShellCommand): readonly string[] {
  if (!args.some((arg) => gitTakers.test(arg))) return [];
  const [, assigned] = assignments.find(([name]) => name === "GIT_WORK_TREE") ?? [];
  const folder = optionValue(args, null, "work-tree") ?? assigned ?? optionValue(args, "C", null);
  const isAll = args.some((arg) => arg === "." || arg === "-A" || arg === "--all" || arg === "-a");
  return folder === undefined ? (isAll ? ["."] : []) : [folder];
}

const listsFolder =
  /\b(?:walk|readdir\w*|scandir|listdir|r?glob|iterdir|opendir|Dir\.(?:glob|children|entries|each_child))\b/;
const copiesFolder = /\b(?:copytree|make_archive|cpSync|cp_r|copySync)\b|\bfs\.(?:promises\.)?cp\b/;
const namesHome = /\bhomedir\b|\bHOME\b|expanduser|Path\.home|Dir\.home|\bhome_dir\b/;
const opensFile = /\bopen|read(?!dir)|slurp|file_get_contents/i;

/** Code that lists the home folder and opens what it finds. */
function walksHome(command: ShellCommand, home: string): string | null {
  const isFound = codeTexts(command).some(
    (code) =>
      ((listsFolder.test(code) && opensFile.test(code)) || copiesFolder.test(code)) &&
      (namesHome.test(code) ||
        ["'", '"'].some(
          (quote) => code.includes(`${quote}${home}${quote}`) || code.includes(`${quote}${home}/${quote}`),
        )),
  );
  return isFound ? `${command.program} with code that lists the home folder` : null;
}

/** Files of ours that a search by name may find, and that are no other program's in particular. */
const ownNames = ["token", "audit-key.pem", "swarm.sock", "hook.sock", "swarm.db", "journal", ".swarm"];
const opensFound = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$|^(?:-[xX]|--exec.*)$/;

/** `find ~ … -exec cat {} +`, and `find ~ … | xargs cat`, unless it looks for other names. */
function findsIn(command: ShellCommand, isAround: (path: string) => boolean): string | null {
  const listed = [...command.inputs, ...command.substituted].filter(isFinder);
  const opened = onlyLists(command) || command.program === "" ? [] : listed;
  const finders =
    isFinder(command) && command.args.some((arg) => opensFound.test(arg)) ? [command, ...opened] : opened;
  for (const { program, args, cwd } of finders) {
    const end = args.findIndex((arg) => /^[-(!]/.test(arg));
    const roots = program.startsWith("fd")
      ? operands(args).slice(1)
      : args.slice(0, end === -1 ? undefined : end);
    const root = (roots.length === 0 ? ["."] : roots).find((word) => isAround(absolutePath(word, cwd)));
    if (root !== undefined && mayFindOwn(args))
      return `${command.program} of what ${program} ${shown(root)} finds`;
  }
  return null;
}

function isFinder({ program }: ShellCommand): boolean {
  return ["find", "gfind", "fd", "fdfind"].includes(program);
}

function mayFindOwn(args: readonly string[]): boolean {
  const wanted = args.filter(
    (_, at) => /^-i?name$/.test(args[at - 1] ?? "") && !/^(?:!|-not)$/.test(args[at - 2] ?? ""),
  );
  return wanted.length === 0 || wanted.some((glob) => ownNames.some((name) => fitsGlob(glob, name)));
}

/** Whether a pattern of a shell, such as `~/.*` with something below it, stands for files in the folder as well. */
function expandsInto(
  command: ShellCommand,
  own: readonly string[],
  home: string,
  isDotGlob: boolean,
): string | null {
  if (onlyLists(command)) return null;
  const found = namedPaths(command, home).find((path) => {
    if (isPlain(path)) return false;
    const pattern = segmentsOf(path);
    return own.some((folder) => {
      const names = segmentsOf(folder);
      if (pattern.length < names.length + (isRecursive(command) ? 0 : 1)) return false;
      return names.every((name, at) => fitsPattern(pattern[at] as string, name, isDotGlob));
    });
  });
  return found === undefined ? null : `${command.program} ${shown(found)}`;
}

function setsDotGlob({ program, args }: ShellCommand): boolean {
  return (
    (program === "shopt" || program === "setopt") && args.some((arg) => /dot_?glob|glob_?dots/i.test(arg))
  );
}
