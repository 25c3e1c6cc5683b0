import { lstatSync, readlinkSync } from "node:fs";
import { basename, dirname, isAbsolute } from "node:path";

interface FoundPath {
  /** The path without links. */
  readonly real: string;
  /** Whether something is there; below what is not, nothing is looked for. */
  readonly isThere: boolean;
}

/** What was found already: the files of one folder share the way up to it, which is looked at once. */
export type KnownPaths = Map<string, FoundPath>;

/** As many links as Linux follows. */
const maxLinks = 40;
/** Linux takes no longer one. */
const maxPathChars = 4_096;

/** The paths an action names are mostly in its folder, which is known to be there and to have no links in it. */
export function knownFrom(cwd: string): KnownPaths {
  return new Map([[cwd, { real: cwd, isThere: true }]]);
}

/**
 * A path without links, also where its last parts are not there yet: a link to a file that is not there is where a write
 * makes one. What cannot be looked at stays as it is.
 */
export function realPath(path: string, known: KnownPaths = new Map()): string {
  return path.length > maxPathChars ? path : findPath(path, known, 0).real;
}

function findPath(path: string, known: KnownPaths, links: number): FoundPath {
  let found = known.get(path);
  if (found === undefined) {
    found = lookAt(path, known, links);
    known.set(path, found);
  }
  return found;
}

function lookAt(path: string, known: KnownPaths, links: number): FoundPath {
  const parent = dirname(path);
  if (parent === path) return { real: path, isThere: true };
  const folder = findPath(parent, known, links);
  const name = basename(path);
  // As the system does: the folder above is that of where a link leads to, not of where it stands.
  if (name === ".") return folder;
  if (name === "..") return findPath(dirname(folder.real), known, links);
  const real = `${folder.real === "/" ? "" : folder.real}/${name}`;
  if (!folder.isThere) return { real, isThere: false };
  try {
    // Most words of a command are no files: an exception for each would take 15 µs.
    const entry = lstatSync(real, { throwIfNoEntry: false });
    if (entry?.isSymbolicLink() !== true) return { real, isThere: entry !== undefined };
    if (links === maxLinks) return { real, isThere: false };
    const target = readlinkSync(real);
    return findPath(isAbsolute(target) ? target : `${folder.real}/${target}`, known, links + 1);
  } catch {
    return { real, isThere: true }; // a folder we may not enter, a link that has just gone
  }
}
