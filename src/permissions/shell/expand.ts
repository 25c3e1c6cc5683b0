import { expandBraces } from "./braces.ts";
import { marks } from "./marks.ts";
import type { Part, Script, Word } from "./syntax.ts";
import { applyOperator, type ShellState } from "./variables.ts";

/** Longer values are not followed: doubling a variable again and again would make them as long as one likes. */
const maxValueChars = 64 * 1024;

export interface Expanding {
  readonly state: ShellState;
  /** Follows the commands of `$( … )` and tells what they print; null when it is not known. */
  substitute(script: Script): string | null;
  /** Follows the commands of `<( … )`. */
  process(script: Script, isInput: boolean): void;
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
  for (const [at, part] of word.entries()) {
    if (
      part.kind === "variable" &&
      part.name === "@" &&
      part.isQuoted &&
      expanding.state.positional !== null
    ) {
      // "$@" is as many words as there are.
      const [first, ...others] = expanding.state.positional;
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
  if (current !== null) fields.push(bounded(current));
  return fields;
}

function partValue(part: Part, isFirst: boolean, expanding: Expanding): string {
  switch (part.kind) {
    case "text":
      return part.isQuoted
        ? part.text
        : asPattern(isFirst ? expandTilde(part.text, expanding.state) : part.text);
    case "variable":
      return variableValue(part, expanding);
    case "substitution":
      return expanding.substitute(part.script)?.replace(/\n+$/, "") ?? marks.unknown;
    case "process":
      expanding.process(part.script, part.isInput);
      return "/dev/fd/63";
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
  if (part.operator === "=" || part.operator === ":=") {
    if (!state.variables.has(part.name)) state.variables.set(part.name, argument);
  }
  return bounded(applyOperator(value, part.operator, argument, state.variables.has(part.name)));
}

/** `~`, `~/x`, `~user/x` and `~+`, also after the `=` of `--file=~/x`, where some shells expand it too. */
function expandTilde(text: string, state: ShellState): string {
  if (!text.includes("~")) return text;
  return text.replace(/^([^=]*=)?~([^/]*)/, (whole, before: string | undefined, user: string) => {
    const home = user === "" ? state.get("HOME") : user === "+" ? state.get("PWD") : homeOf(user);
    return home === null ? whole : `${before ?? ""}${home}`;
  });
}

function homeOf(user: string): string | null {
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

function bounded(text: string): string {
  return text.length > maxValueChars ? marks.unknown : text;
}
