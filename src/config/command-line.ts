import { showValue } from "./show-value.ts";

/** One word of a command line: a text as it is, or the path of a file in a plugin's folder. */
export interface Word {
  /** Whose file it is; null for any other word. */
  readonly plugin: string | null;
  readonly text: string;
}

/** A program and its arguments. */
export type CommandLine = readonly Word[];

/** Which plugin's folder a variable stands for; null for a variable that may not be used. */
export type FolderOf = (variable: string) => string | null;

const maxWords = 64;
const maxChars = 4_096;

/** Nothing in it means anything to a shell, to a terminal, or to a reader who takes one character for another. */
const plain = /^[A-Za-z0-9_.,:=@%+/ -]+$/;
const plainInWords = "letters, digits, spaces and _ . , : = @ % + / - without ..";

/**
 * A line that is nothing but words, as words; else what is wrong with it. No shell ever sees it: what only a shell
 * could make sense of is refused, and quotes and spaces are all that is read the way a shell would.
 */
export function readCommandLine(line: string, folderOf: FolderOf): CommandLine | string {
  if (line.length > maxChars) return `it is over ${maxChars} characters`;
  const words: Word[] = [];
  const token = / *(?:"([^"]*)"|'([^']*)'|([^ "']+))(?= |$)/y;
  const end = line.replace(/ +$/, "").length;
  while (token.lastIndex < end) {
    const at = token.lastIndex;
    const found = token.exec(line);
    if (found === null) return `${showValue(line.slice(at).trim())} is not a word, expected ${plainInWords}`;
    const [, double, single, bare] = found;
    const word = readWord(double ?? single ?? bare ?? "", single === undefined ? folderOf : noFolder);
    if (typeof word === "string") return word;
    words.push(word);
  }
  return checkLength(words);
}

/** The same for words that come one by one. */
export function readArguments(argv: readonly string[], folderOf: FolderOf): CommandLine | string {
  const words: Word[] = [];
  for (const argument of argv) {
    const word = readWord(argument, folderOf);
    if (typeof word === "string") return word;
    words.push(word);
  }
  return checkLength(words);
}

/** As it stands in the user's list: `${acme}/hooks/mask.sh --fast`. */
export function showCommandLine(line: CommandLine): string {
  const texts = line.map(({ plugin, text }) => (plugin === null ? text : `\${${plugin}}/${text}`));
  return texts.map((text) => (text.includes(" ") ? `"${text}"` : text)).join(" ");
}

export function isSameLine(one: CommandLine, other: CommandLine): boolean {
  return (
    one.length === other.length &&
    one.every(({ plugin, text }, at) => other[at]?.plugin === plugin && other[at]?.text === text)
  );
}

function readWord(written: string, folderOf: FolderOf): Word | string {
  const [prefix, braced, bare] = /^\$(?:\{([\w-]+)\}|(\w+))\//.exec(written) ?? [];
  const plugin = prefix === undefined ? null : folderOf(braced ?? bare ?? "");
  const text = plugin === null || prefix === undefined ? written : written.slice(prefix.length);
  if (!plain.test(text) || text.includes("..")) {
    return `${showValue(written)} is not a plain word, expected ${plainInWords}`;
  }
  if (plugin !== null && text.split("/").some((part) => part === "" || part === "."))
    return `${showValue(written)} is not the path of a file, expected names between single /`;
  return { plugin, text };
}

function checkLength(words: CommandLine): CommandLine | string {
  if (words.length === 0) return "there is no program in it";
  return words.length > maxWords ? `it has more than ${maxWords} words` : words;
}

/** Between single quotes a shell replaces nothing. */
function noFolder(): null {
  return null;
}
