import { expandBraces } from "./braces.ts";
import { isPlain, marks } from "../marks.ts";
import type { Part, Script, Word } from "../syntax/tree.ts";
import { applyOperator } from "./operators.ts";
import type { State } from "../interpret/state.ts";

/** Longer values are not followed: doubling a variable again and again would make them as long as one likes. */
export const maxValueChars = 64 * 1024;

/** To replace something in 60 kB takes 2 ms, and a line has room for a thousand times that. */
const maxOperatedChars = 4 * 1024;

/** What `<( … )` is called. */
export const processFile = "/dev/fd/63";

export interface Expanding {
  readonly state: State;
  /** Follows the commands of `$( … )` and tells what they print; null when it is not known. */
  substitute(script: Script): string | null;
  /** Follows the commands of `<( … )`. */
  process(script: Script, isInput: boolean): void;
  /** Chooses what holds if a branch is taken, or what holds otherwise. */
  choose(ifTaken: string, ifSkipped: string): string;
  /** Whether so many characters more may come of variables and substitutions; if not, they count as unknown. */
  hasRoomFor(chars: number): boolean;
}

/** The fields a word of a command becomes: none, one or several. */
export function expandFields(word: Word, expanding: Expanding): string[] {
  // Nearly every word is one plain text.
  const [only] = word;
  if (word.length === 1 && only?.kind === "text" && (only.isQuoted || isUnremarkable(only.text))) {
    return [only.text];
  }
  return expandBraces(word).flatMap((one) => fieldsOf(one, expanding));
}

/** The one text a word becomes where nothing is split: an assignment, a redirection, a here-document. */
export function expandText(word: Word, expanding: Expanding): string {
  const [only] = word;
  if (word.length === 1 && only?.kind === "text" && only.isQuoted) return only.text;
  let text = "";
  for (const [at, part] of word.entries()) text += partValue(part, at === 0, expanding);
  return bounded(text);
}

const unremarkable = /^[^~*?[{}=]*$/;

function isUnremarkable(text: string): boolean {
  return unremarkable.test(text);
}

function fieldsOf(word: Word, expanding: Expanding): string[] {
  const fields: string[] = [];
  let current: string | null = null;
  let hasNone = false;
  for (const [at, part] of word.entries()) {
    const words = wordsOf(part, expanding);
    if (words !== null && expanding.hasRoomFor(lengthOf(words))) {
      const [first, ...others] = words;
      hasNone ||= first === undefined;
      if (first !== undefined) current = (current ?? "") + first;
      for (const other of others) {
        fields.push(bounded(current ?? ""));
        current = other;
      }
      continue;
    }
    const value = partValue(part, at === 0, expanding);
    if (part.kind === "text" || part.kind === "process" || part.kind === "number" || part.isQuoted) {
      current = (current ?? "") + value;
      continue;
    }
    // The outcome of an unquoted expansion falls into words, and may be a pattern.
    const [first = "", ...others] = expanding.state.split(asPattern(value));
    if (first !== "" || (current !== null && others.length === 0)) current = (current ?? "") + first;
    for (const other of others) {
      if (current !== null && current !== "") fields.push(bounded(current));
      current = other;
    }
    if (current === "" && value !== "") current = null;
  }
  // `"$@"` of nothing is no word.
  if (current !== null && !(current === "" && hasNone)) fields.push(bounded(current));
  return fields;
}

/** `"$@"` and `${array[@]}` are as many words as there are; null for what is one text. */
function wordsOf(part: Part, expanding: Expanding): readonly string[] | null {
  if (part.kind !== "variable") return null;
  const { name, operator, isQuoted } = part;
  const { state } = expanding;
  if (name === "@" && isQuoted) return state.positional;
  if (!state.isArray(name) || (operator !== null && operator !== "[")) return null;
  // `$array` is its first.
  if (operator === null && state.variables.has(name)) return null;
  const words = state.wordsAt(name, operator === null ? "0" : expandText(part.argument, expanding));
  return isQuoted ? words : (words?.flatMap((word) => state.split(asPattern(word))) ?? null);
}

function partValue(part: Part, isFirst: boolean, expanding: Expanding): string {
  switch (part.kind) {
    case "text":
      return part.isQuoted
        ? part.text
        : asPattern(isFirst ? expandTilde(part.text, expanding.state) : part.text);
    case "variable":
      return affordable(variableValue(part, expanding), expanding);
    case "substitution":
      return affordable(expanding.substitute(part.script)?.replace(/\n+$/, "") ?? marks.unknown, expanding);
    case "process":
      expanding.process(part.script, part.isInput);
      return processFile;
    case "number":
      expandText(part.expression, expanding);
      return marks.unknown;
  }
}

function variableValue(part: Part & { kind: "variable" }, expanding: Expanding): string {
  const { state } = expanding;
  const value = state.get(part.name);
  if (part.operator === null) return value;
  const argument = expandText(part.argument, expanding);
  // `${!name}` is the variable that one names.
  if (part.operator === "!" && argument === "" && isPlain(value)) return state.get(value);
  if (part.operator === "[") return state.wordsAt(part.name, argument)?.join(" ") ?? marks.unknown;
  const isSet = state.variables.has(part.name);
  const isGiven = (part.operator === "=" && !isSet) || (part.operator === ":=" && (!isSet || value === ""));
  if (isGiven) state.variables.set(part.name, argument);
  if (!isSet && (part.operator === "+" || part.operator === ":+")) return expanding.choose(argument, "");
  return value.length > maxOperatedChars || !expanding.hasRoomFor(0)
    ? marks.unknown
    : bounded(applyOperator(value, part.operator, argument, isSet));
}

/** `~`, `~/x`, `~user/x` and `~+`, also after the `=` of `--file=~/x`, where some shells expand it too. */
function expandTilde(text: string, state: State): string {
  if (!text.includes("~")) return text;
  return text.replace(/^([^=]*=)?~([^/]*)/, (whole, before: string | undefined, user: string) => {
    const home = user === "" ? state.get("HOME") : user === "+" ? state.get("PWD") : homeOf(user);
    return home === null ? whole : `${before ?? ""}${home}`;
  });
}

function homeOf(user: string): string | null {
  // The folder before this one.
  if (user === "-") return marks.unknown;
  if (!/^[a-z_][a-z0-9_-]*$/i.test(user)) return null;
  return user === "root" ? "/root" : `/home/${user}`;
}

/** Unquoted characters of a pattern, as marks. */
function asPattern(text: string): string {
  if (!/[*?[]/.test(text)) return text;
  return text
    .replaceAll(/\[[!^]?\]?[^\]/]{0,100}\]/g, marks.anyOne)
    .replaceAll("?", marks.anyOne)
    .replaceAll("*", marks.anyRun);
}

/** A short line can say a long value many times. */
function affordable(value: string, expanding: Expanding): string {
  return expanding.hasRoomFor(value.length) ? value : marks.unknown;
}

function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length + 1, 0);
}

function bounded(text: string): string {
  return text.length > maxValueChars ? marks.unknown : text;
}
