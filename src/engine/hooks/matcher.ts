import { SwarmError } from "../../base/swarm-error.ts";
import { limits } from "../../base/limits.ts";
import { type RegexEngine, regexEngine } from "./linear-regex.ts";

/** A compiled matcher: `*`, an exact name, `A|B`, a glob such as `write_*`, or `/regular expression/` (`/…/i`: any case). */
export interface Matcher {
  /** Matches whatever the value is, even when there is none. */
  readonly isAlways: boolean;
  /** The names and globs it is made of, one of which has to fit; none for a regular expression. */
  readonly globs?: readonly string[];
  test(value: string): boolean;
}

/** Compiles a matcher once; every test of it takes time linear in the value, however hostile. */
export function compileMatcher(where: string, pattern: unknown): Matcher {
  if (typeof pattern !== "string") throw invalid(where, pattern, "expected a string");
  if (pattern.length > limits.patternChars) {
    throw invalid(where, pattern, `expected at most ${limits.patternChars} characters`);
  }
  if (pattern === "*") return always;
  // What looks like a regular expression is one or is refused: taken for a name it would match nothing, silently.
  const regex = /^\s*\/(.*)\/([dgimsuvy]*)\s*$/s.exec(pattern);
  if (regex !== null) return compileRegex(where, pattern, regex[1] ?? "", regex[2] ?? "");
  const globs = pattern.split("|").map((alternative) => alternative.trim());
  for (const glob of globs) checkGlob(where, pattern, glob);
  return { isAlways: false, globs, test: anyGlobTest(globs) };
}

export const always: Matcher = { isAlways: true, test: () => true };

/** Of a list, names without a wildcard are found in one look: rules on commands list dozens of programs. */
function anyGlobTest(globs: readonly string[]): (value: string) => boolean {
  const [first = ""] = globs;
  if (globs.length === 1) return globTest(first);
  const names = new Set(globs.filter((glob) => !glob.includes("*")));
  const tests = globs.filter((glob) => glob.includes("*")).map(globTest);
  if (tests.length === 0) return (value) => names.has(value);
  return (value) => names.has(value) || tests.some((test) => test(value));
}

function checkGlob(where: string, pattern: string, glob: string): void {
  if (glob === "") throw invalid(where, pattern, "expected a name on each side of |");
  if (/^\/.*\/[dgimsuvy]*$/.test(glob)) {
    throw invalid(where, pattern, "a regular expression stands alone, write /A|B/ for either of two");
  }
  const special = /[?[\](){}^$+\\]/.exec(glob);
  if (special !== null) {
    throw invalid(
      where,
      pattern,
      `${special[0]} has no meaning in a glob, write /…/ for a regular expression`,
    );
  }
}

/**
 * `*` stands for any run of characters. With that as the only wildcard, taking the leftmost place for each part
 * between the first and the last is enough: no later place can leave more room, so nothing is ever tried twice.
 */
export function globTest(glob: string): (value: string) => boolean {
  const parts = glob.split("*");
  const first = parts.shift() ?? "";
  const last = parts.pop();
  if (last === undefined) return (value) => value === first;
  const between = parts.filter((part) => part !== "");
  return (value) => {
    if (value.length < first.length + last.length) return false;
    if (!value.startsWith(first) || !value.endsWith(last)) return false;
    const end = value.length - last.length;
    let from = first.length;
    for (const part of between) {
      const at = value.indexOf(part, from);
      if (at === -1 || at + part.length > end) return false;
      from = at + part.length;
    }
    return true;
  };
}

function compileRegex(where: string, pattern: string, source: string, flags: string): Matcher {
  if (source === "" || source.includes("/|/")) {
    throw invalid(where, pattern, "expected one regular expression, write /A|B/ for either of two");
  }
  if (flags !== "" && flags !== "i") throw invalid(where, pattern, `flags are ${flags}, expected none or i`);
  const engine = engineFor(where, pattern);
  try {
    const compiled = engine.compile(source, flags === "i" ? engine.CASE_INSENSITIVE : 0);
    return { isAlways: false, test: (value) => compiled.matcher(value).find() };
  } catch (error) {
    throw invalid(where, pattern, error instanceof Error ? error.message : String(error));
  }
}

function engineFor(where: string, pattern: string): RegexEngine {
  try {
    return regexEngine();
  } catch (cause) {
    throw new SwarmError("SWARM_REGEX_UNAVAILABLE", { where, pattern }, { cause });
  }
}

function invalid(where: string, pattern: unknown, problem: string): SwarmError {
  return new SwarmError("SWARM_MATCHER_INVALID", { where, pattern, problem });
}
