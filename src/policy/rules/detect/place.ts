import { isAbsolute, join, normalize } from "node:path/posix";
import { marks } from "../../shell/marks.ts";
import type { KnownPaths } from "../files/real-path.ts";

/** Where an action would happen. */
export interface Place {
  readonly cwd: string;
  /** The project's folder; null when there is none, as in a person's home folder. */
  readonly root: string | null;
  readonly home: string;
  /** The path without links in it; `known` keeps what was found for the next one. */
  realPath(path: string, known?: KnownPaths): string;
  isFolder(path: string): boolean;
  /** The text of a file, as much of it as is looked into; null where there is none, or it is no text. */
  readText(path: string): string | null;
  /** The agents' settings files that hooks were installed into, as this SWARM_HOME has noted. */
  installedFiles(swarmHome: string): readonly string[];
}

/** Folders whose contents are nobody's for long. */
const temporary = ["/tmp", "/var/tmp", "/private/tmp", "/var/folders", "/private/var/folders", "/dev/shm"];

export type Whereabouts = "inside" | "whole project" | "temporary" | "outside" | "unknown";

/** A path a command names, from its folder; with a mark for what is not known of it. */
export function absolutePath(path: string, cwd: string | null): string {
  if (path.startsWith(marks.unknown)) return path;
  const whole = isAbsolute(path) ? path : `${cwd ?? marks.unknown}/${path}`;
  const clean = withoutProcess(normalize(whole), cwd);
  return clean.length > 1 && clean.endsWith("/") ? clean.slice(0, -1) : clean;
}

const processRoot = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/root(?=\/|$)/;
const ownFolder = /^\/proc\/(?:thread-)?self(?:\/task\/[^/]+)?\/cwd(?=\/|$)/;

/** `/proc/self/root/x` is `/x`, and `/proc/self/cwd/x` is `x`. */
function withoutProcess(path: string, cwd: string | null): string {
  if (!path.startsWith("/proc/")) return path;
  // A folder that is itself named by way of a process would be put before itself for ever.
  const folder = cwd === null || ownFolder.test(cwd) ? marks.unknown : cwd;
  const named = path.replace(ownFolder, () => folder).replace(processRoot, "");
  return named === path ? path : named.startsWith("/proc/") ? withoutProcess(named, cwd) : named || "/";
}

/** Where the entry at a path is, taken by the folder it stands in: a link is removed, not what it leads to. */
export function whereabouts(path: string, place: Place): Whereabouts {
  if (path.startsWith(marks.unknown)) return "unknown";
  const at = path.search(/[\uE000-\uE002]/);
  const known = at === -1 ? path : path.slice(0, path.lastIndexOf("/", at) + 1);
  const lexical = placed(known, at !== -1, path, place);
  if (lexical !== "inside" && lexical !== "temporary") return lexical;
  const folder = known.slice(0, Math.max(known.lastIndexOf("/"), 1));
  const real = join(place.realPath(folder), known.slice(folder.length));
  return real === known ? lexical : placed(real, at !== -1, path, place);
}

function placed(known: string, isPattern: boolean, path: string, { root, home }: Place): Whereabouts {
  if (temporary.some((folder) => isBelow(known, folder, isPattern))) return "temporary";
  if (root === null) return "outside";
  if (known === root || known === `${root}/`)
    return isPattern && !takesAll(path) ? "inside" : "whole project";
  if (isBelow(root, known.replace(/\/$/, ""), false) || home === known) return "outside";
  if (!isBelow(known, root, false)) return "outside";
  return gitParts.test(known.slice(root.length + 1)) ? "whole project" : "inside";
}

/** The repository, or what holds its commits. */
const gitParts = /^\.git(?:\/(?:objects|refs)(?:\/.*)?)?\/?$/;

/** `*` and `.*` leave nothing, `.g*` no repository; `*.log` leaves the rest. */
function takesAll(path: string): boolean {
  const last = path.slice(path.lastIndexOf("/") + 1);
  return /^\.?[\uE000-\uE002]+$/.test(last) || last.includes(marks.unknown) || canBeGit(last);
}

/** Whether a shell's pattern takes `.git` in. */
function canBeGit(pattern: string): boolean {
  if (!/^\.[git\uE001\uE002]{1,20}$/.test(pattern)) return false;
  const letters = pattern.slice(1).replaceAll(marks.anyRun, ".*").replaceAll(marks.anyOne, ".");
  return new RegExp(`^${letters}$`).test("git");
}

function isBelow(path: string, folder: string, isPattern: boolean): boolean {
  if (folder === "") return true;
  return path.startsWith(`${folder}/`) && (isPattern || path.length > folder.length + 1);
}
