import { SwarmError } from "../../base/swarm-error.ts";
import { resolvePath } from "../../base/resolve-path.ts";
import { compileMatcher, type Matcher } from "./matcher.ts";

/**
 * A glob over paths: `*` stays within one folder, `**` spans any number of them. Relative globs and paths are
 * taken from `cwd`, and `..` is resolved first, so `src/../secrets/key` is judged as the `secrets/key` it is.
 */
export function compilePathGlob(where: string, glob: string): (path: string, cwd: string) => boolean {
  if (glob === "" || glob.split(/[/\\]/).includes("..")) {
    const problem = "expected a path without .., relative to the working directory or from the root";
    throw new SwarmError("SWARM_MATCHER_INVALID", { where, pattern: glob, problem });
  }
  const isAbsolute = glob.startsWith("/");
  const pattern = segmentsOf(glob).map((segment) =>
    segment === "**" ? anyFolders : compileMatcher(where, segment),
  );
  return (path, cwd) => {
    const absolute = resolvePath(cwd, path);
    if (isAbsolute) return matchSegments(pattern, absolute, 0);
    const base = resolvePath(cwd, "");
    const isBelow = base.every((segment, index) => absolute[index] === segment);
    return isBelow && matchSegments(pattern, absolute, base.length);
  };
}

/** Stands for `**`; compared by identity, never asked. */
const anyFolders: Matcher = { isAlways: true, test: () => true };

/** As with `*` in a name: only the last `**` ever needs another try, so the time is pattern × path at worst. */
function matchSegments(pattern: readonly Matcher[], path: readonly string[], start: number): boolean {
  let at = start;
  let next = 0;
  let retryPattern = -1;
  let retryAt = start;
  while (at < path.length) {
    const matcher = pattern[next];
    if (matcher === anyFolders) {
      retryPattern = ++next;
      retryAt = at;
    } else if (matcher?.test(path[at] ?? "") === true) {
      next++;
      at++;
    } else if (retryPattern !== -1) {
      next = retryPattern;
      at = ++retryAt;
    } else {
      return false;
    }
  }
  while (pattern[next] === anyFolders) next++;
  return next === pattern.length;
}

function segmentsOf(path: string): string[] {
  return path.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".");
}
