import { SwarmError } from "../../../base/errors.ts";
import { marks } from "../../shell/marks.ts";
import { type PathText, segmentsOf } from "./path-text.ts";

export interface PathNames {
  readonly home: string;
  readonly swarmHome: string;
}

interface PathGlob {
  /** Taken from the project's folder otherwise. */
  readonly isAbsolute: boolean;
  readonly segments: readonly Segment[];
}

/** One name of a glob. */
interface Segment {
  readonly text: string;
  readonly isAnyFolders: boolean;
  /** What stands between its stars; null when it has none. */
  readonly parts: readonly string[] | null;
  /** As many characters of it a shell's pattern has to have in common with it. */
  readonly minInCommon: number;
}

/**
 * Globs over absolute paths. `*` stays within a folder, `**` spans any number of them. `~/x` and `$SWARM_HOME/x` are
 * absolute, `x/y` is taken from the project's folder. With `isFolded` case does not count: on some disks it makes no
 * difference, and a rule that forbids must not be led around by it.
 */
export class PathGlobs {
  readonly #isFolded: boolean;
  readonly #globs: readonly PathGlob[];
  /** By a name they all must have in them, so that most are never looked at; 80 globs take as long as eight. */
  readonly #byName = new Map<string, PathGlob[]>();
  readonly #nameless: PathGlob[] = [];

  constructor(where: string, globs: readonly string[], names: PathNames, isFolded: boolean) {
    this.#isFolded = isFolded;
    this.#globs = globs.map((glob) => compile(where, glob, names, isFolded));
    for (const glob of this.#globs) {
      const name = glob.segments.findLast(({ parts }) => parts === null)?.text;
      if (name === undefined) this.#nameless.push(glob);
      else this.#byName.set(name, [...(this.#byName.get(name) ?? []), glob]);
    }
  }

  /** `root`: the project's folder. */
  matches(path: PathText, root: PathText): boolean {
    const segments = path.segments(this.#isFolded);
    if (path.isPattern) return this.#isOneOf(this.#globs, segments, root);
    // A name that comes up thousands of times is looked for once: each look goes through the whole path.
    for (const segment of segments.length > manySegments ? new Set(segments) : segments) {
      const globs = this.#byName.get(segment);
      if (globs !== undefined && this.#isOneOf(globs, segments, root)) return true;
    }
    return this.#isOneOf(this.#nameless, segments, root);
  }

  #isOneOf(globs: readonly PathGlob[], path: readonly string[], root: PathText): boolean {
    for (const { isAbsolute, segments } of globs) {
      const base = isAbsolute ? noSegments : root.segments(this.#isFolded);
      const isBelow = isAbsolute || base.every((segment, at) => segment === path[at]);
      if (isBelow && matchSegments(segments, path, base.length)) return true;
    }
    return false;
  }
}

/** Fewer are looked at faster as they are. */
const manySegments = 32;

const noSegments: readonly string[] = [];

function compile(where: string, glob: string, names: PathNames, isFolded: boolean): PathGlob {
  const expanded = glob
    .replace(/^~(?=\/|$)/, () => names.home)
    .replace(/^\$SWARM_HOME(?=\/|$)/, () => names.swarmHome);
  const problem = problemOf(glob, expanded);
  if (problem !== null) throw new SwarmError("SWARM_MATCHER_INVALID", { where, pattern: glob, problem });
  const segments = segmentsOf(isFolded ? expanded.toLowerCase() : expanded);
  const isOneName = segments.filter((text) => text !== "**").length === 1;
  return {
    isAbsolute: expanded.startsWith("/"),
    segments: segments.map((text) => ({
      text,
      isAnyFolders: text === "**",
      parts: text.includes("*") ? text.split("*") : null,
      minInCommon: isOneName ? enoughInCommon(text) : 0,
    })),
  };
}

/**
 * `a*` may stand for `application_default_credentials.json`, and mostly does not: of a file that is known by its name alone,
 * in whatever folder, a pattern has to tell half of the name, or six characters: more than `.json`.
 */
function enoughInCommon(text: string): number {
  return Math.min(Math.floor(text.replaceAll("*", "").length / 2), 6);
}

function problemOf(glob: string, expanded: string): string | null {
  if (glob === "" || glob.split("/").includes("..")) return "expected a path without ..";
  if (/^~[^/]/.test(glob)) return "expected ~/ for the user's own folder";
  const [special] = /[?[\](){}$\\!]/.exec(expanded) ?? [];
  return special === undefined ? null : `${special} has no meaning in a path, expected * and **`;
}

/** Only the last `**` ever needs another try: pattern × path at worst. */
function matchSegments(pattern: readonly Segment[], path: readonly string[], start: number): boolean {
  const last = pattern[pattern.length - 1];
  // Most globs end in the name that counts.
  if (last?.isAnyFolders === false && !meets(last, path[path.length - 1] ?? "")) return false;
  let [at, next, retryAt, retryNext] = [start, 0, start, -1];
  while (at < path.length) {
    const part = pattern[next];
    if (part?.isAnyFolders === true) {
      retryNext = ++next;
      retryAt = at;
    } else if (part !== undefined && meets(part, path[at] as string)) {
      next++;
      at++;
    } else if (retryNext !== -1) {
      next = retryNext;
      at = ++retryAt;
    } else return false;
  }
  while (pattern[next]?.isAnyFolders === true) next++;
  return next === pattern.length;
}

const shellPattern = /[\uE001\uE002]/;

/** Whether a name fits; or, of one that is a pattern itself, whether some name fits both. */
function meets({ text, parts, minInCommon }: Segment, name: string): boolean {
  if (text === name || text === "*") return true;
  if (!shellPattern.test(name)) return parts !== null && fits(parts, name);
  // A shell's own * finds no hidden file; and `*` or `.*` name no file in particular, whatever is among them.
  if ((text.startsWith(".") && shellPattern.test(name.charAt(0))) || !/[^\uE001\uE002.]/.test(name))
    return false;
  return bothFit(text, name, minInCommon);
}

/** As a glob without folders: taking the leftmost place for each part is enough. */
function fits(parts: readonly string[], name: string): boolean {
  const first = parts[0] as string;
  const last = parts[parts.length - 1] as string;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  let from = first.length;
  for (let at = 1; at < parts.length - 1; at++) {
    const part = parts[at] as string;
    const found = name.indexOf(part, from);
    if (found === -1 || found + part.length > name.length - last.length) return false;
    from = found + part.length;
  }
  return true;
}

/**
 * Two patterns at once, with so many characters in common. For each beginning of `a` that fits what was read of `b`: how many
 * they can have in common at most; none: -1. To try one way after the other would take as long as somebody likes.
 */
function bothFit(a: string, b: string, minInCommon: number): boolean {
  let most = [0];
  for (let i = 1; i <= a.length; i++) most.push(a[i - 1] === "*" ? (most[i - 1] as number) : -1);
  for (const letter of b) {
    const next = [letter === marks.anyRun ? (most[0] as number) : -1];
    let isOver = next[0] === -1;
    for (let i = 1; i <= a.length; i++) {
      const [without, before, after] = [most[i] as number, most[i - 1] as number, next[i - 1] as number];
      let inCommon = -1;
      if (letter === marks.anyRun || a[i - 1] === "*") inCommon = Math.max(without, after);
      else if (letter === marks.anyOne) inCommon = before;
      else if (a[i - 1] === letter && before !== -1) inCommon = before + 1;
      if (inCommon !== -1) isOver = false;
      next.push(inCommon);
    }
    if (isOver) return false;
    most = next;
  }
  return (most[a.length] as number) >= minInCommon;
}
