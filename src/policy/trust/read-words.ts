import type { WordPlace } from "../shell/syntax/parse-words.ts";
import type { Part, Script, Stage, Word } from "../shell/syntax/tree.ts";

/** A word of a shell line and the place it has in it. */
export interface LineWord extends WordPlace {
  /** What the shell makes of it; null when that is known only when it runs. */
  readonly text: string | null;
}

/** Reads a word where only these variables are known. */
export function readWord(word: Word, variables: Readonly<Record<string, string>>): string | null {
  const texts = word.map((part, at) => readPart(part, at === 0, variables));
  return texts.includes(null) ? null : texts.join("");
}

function readPart(part: Part, isFirst: boolean, variables: Readonly<Record<string, string>>): string | null {
  if (part.kind === "variable")
    return Object.hasOwn(variables, part.name) ? (variables[part.name] ?? null) : null;
  if (part.kind !== "text") return null;
  if (part.isQuoted) return part.text;
  // A shell makes other words of these, or none.
  return /[*?[\]{}]/.test(part.text) || (isFirst && part.text.startsWith("~")) ? null : part.text;
}

/** The scripts of `$( … )` in words: they run before the command does. */
export function substitutions(words: readonly Word[]): Script[] {
  return words.flatMap((word) => word.flatMap((part) => (part.kind === "substitution" ? [part.script] : [])));
}

/** All words of a stage, with those of its assignments and redirections. */
export function wordsOf(stage: Stage): readonly Word[] {
  if (stage.kind === "function") return [];
  const redirected = stage.redirects.map(({ target }) => target);
  const assigned = stage.kind === "simple" ? stage.assignments.flatMap(({ words }) => words) : [];
  return [...assigned, ...stage.words, ...redirected];
}
