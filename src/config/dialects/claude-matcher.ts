import { show } from "../../base/show.ts";
import { compileMatcher } from "../../engine/hooks/matcher.ts";
import { checkAt, invalid, type Position } from "../node.ts";

/**
 * Claude Code's matcher in our syntax. Nothing, "" and "*" are always; letters, digits and `_ - | , space` make a
 * list of exact names; all else is a regular expression that may match anywhere.
 */
export function translateMatcher(file: string, matcher: string | undefined, at: Position): string {
  if (matcher === undefined || matcher === "" || matcher === "*") return "*";
  const translated = /^[A-Za-z0-9_|, -]+$/.test(matcher)
    ? exactNames(file, matcher, at)
    : regularExpression(file, matcher, at);
  checkAt(file, at, () => compileMatcher("matcher", translated));
  return translated;
}

/** An empty name between two separators matches nothing there, so it is left out here. */
function exactNames(file: string, matcher: string, at: Position): string {
  const names = matcher.split(/[|,]/).map((name) => name.trim());
  const given = names.filter((name) => name !== "");
  if (given.length === 0) throw invalid(file, at, `matcher is ${show(matcher)}, expected a name in it`);
  return given.join("|");
}

/**
 * Ours run in linear time (RE2) and theirs are JavaScript's. What only one of the two can read, and what both
 * read but take for different things (`\A`, `\z`, `\Q`, `\a`, `\p`, `\x{`, `[:alpha:]`), is refused: a guard must not
 * begin to match something else because it was moved.
 */
function regularExpression(file: string, matcher: string, at: Position): string {
  try {
    new RegExp(matcher);
  } catch (error) {
    throw invalid(file, at, `matcher ${show(matcher)} is no regular expression, it would never match`, error);
  }
  const ambiguous = /^(?:[^\\]|\\.)*?(\\(?:[AzZQECapP]|x\{)|\[:\^?[a-z]+:\])/s.exec(matcher);
  if (ambiguous !== null) {
    throw invalid(
      file,
      at,
      `matcher ${show(matcher)}: ${ambiguous[1]} means different things to different engines`,
    );
  }
  return `/${matcher}/`;
}
