import type { Part, Word } from "../syntax/tree.ts";

const maxWords = 256;
/** Each is looked for its end, so that their number counts twice. */
const maxBraces = 64;

/** What is too much to follow may be anything. */
const anything: Word = [{ kind: "number", expression: [] }];

/** `a{b,c}d` as the words it stands for, and `{1..3}`; the word itself when there is nothing to expand. */
export function expandBraces(word: Word): readonly Word[] {
  const braces = word.filter((part) => isBare(part, "{")).length;
  if (braces === 0) return [word];
  if (braces > maxBraces) return [anything];
  const words = expand(word);
  return words.length > maxWords ? [anything] : words;
}

function expand(word: Word): Word[] {
  for (let open = 0; open < word.length; open++) {
    if (!isBare(word[open], "{")) continue;
    const group = groupAt(word, open);
    if (group === null) continue;
    const before = word.slice(0, open);
    const rests = expand(word.slice(group.end + 1));
    const words: Word[] = [];
    for (const choice of group.choices) {
      for (const inner of expand(choice)) {
        for (const rest of rests) {
          words.push([...before, ...inner, ...rest]);
          if (words.length > maxWords) return words;
        }
      }
    }
    return words;
  }
  return [word];
}

function groupAt(word: Word, open: number): { readonly choices: Word[]; readonly end: number } | null {
  let depth = 0;
  const choices: Part[][] = [[]];
  for (let at = open + 1; at < word.length; at++) {
    const part = word[at] as Part;
    if (isBare(part, "}") && depth === 0) {
      if (choices.length > 1) return { choices, end: at };
      const range = rangeOf(choices[0] ?? []);
      return range === null ? null : { choices: range, end: at };
    }
    if (isBare(part, "{")) depth++;
    if (isBare(part, "}")) depth--;
    addSplit(choices, part, depth);
  }
  return null;
}

/** Adds a part to the last choice; commas of this level begin new ones. */
function addSplit(choices: Part[][], part: Part, depth: number): void {
  if (part.kind !== "text" || part.isQuoted || depth > 0 || !part.text.includes(",")) {
    choices.at(-1)?.push(part);
    return;
  }
  const [first = "", ...others] = part.text.split(",");
  if (first !== "") choices.at(-1)?.push({ ...part, text: first });
  for (const other of others) choices.push(other === "" ? [] : [{ ...part, text: other }]);
}

function rangeOf(parts: readonly Part[]): Word[] | null {
  const text = parts.map((part) => (part.kind === "text" && !part.isQuoted ? part.text : "\0")).join("");
  const [, from, to] = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return null;
  const isNumeric = /\d/.test(from) && /\d/.test(to);
  if (!isNumeric && (/\d/.test(from) || /\d/.test(to))) return null;
  const [low, high] = isNumeric ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const count = Math.min(Math.abs(high - low), maxWords) + 1;
  return Array.from({ length: count }, (_, step) => {
    const value = low + (high >= low ? step : -step);
    const shown = isNumeric ? String(value) : String.fromCharCode(value);
    return [{ kind: "text", text: shown, isQuoted: false }];
  });
}

function isBare(part: Part | undefined, text: string): boolean {
  return part?.kind === "text" && !part.isQuoted && part.text === text;
}
