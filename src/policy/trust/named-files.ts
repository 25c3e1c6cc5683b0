import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { shellQuoted } from "../../base/shell-quote.ts";
import type { CommandAction, HookConfig } from "../../config/hook-config.ts";
import { codeWords } from "./code-words.ts";
import { readShellLine, type ShellWord } from "./shell-words.ts";

/** A file that a hook's command names, and where in the command. */
export interface NamedFile {
  /** From the root. */
  readonly path: string;
  /** Written from the project's folder on, wherever it leads. */
  readonly isRelative: boolean;
  /** It stands where a program or a script does; else it is only a path among the words. */
  readonly isCode: boolean;
  /** A word of the argument list, or the place of a word in the line. */
  readonly at: number | { readonly start: number; readonly end: number };
  /** What of the word stands before the path. */
  readonly prefix: string;
}

export interface NamedFiles {
  readonly files: readonly NamedFile[];
  /** The line has something in it that is not read, or changes to a folder nobody knows yet: not all it names is known. */
  readonly isUnread: boolean;
}

/** The files a hook's command names, as far as they can be the project's. */
export function namedFiles(hook: HookConfig, action: CommandAction): NamedFiles {
  const base = dirname(hook.source.file);
  const variables = { CLAUDE_PROJECT_DIR: base };
  if (action.argv !== null) {
    const words = action.argv.map((argument, index) => fillIn(argument, index, variables));
    return { files: namedInArgv(words, base), isUnread: false };
  }
  const commands = readShellLine(action.line ?? "", variables);
  if (commands === null) return { files: [], isUnread: true };
  const files: NamedFile[] = [];
  const folders: (string | null)[] = [base];
  let isUnread = false;
  for (const { words, depth } of commands) {
    // What changes the folder does so up to the parenthesis it stands in.
    folders.length = Math.min(folders.length, depth + 1);
    while (folders.length <= depth) folders.push(folders.at(-1) ?? null);
    const folder = folders.at(-1) ?? null;
    const texts = words.map(({ text }) => text);
    isUnread ||= folder === null && codeWords(texts).some(({ path }) => !path.startsWith("/"));
    files.push(...inCommand(texts, folder, (index) => placeOf(words[index])));
    folders[depth] = folderAfter(texts, folder);
  }
  return { files, isUnread };
}

/** The files a list of arguments names that is started in this folder. */
export function namedInArgv(argv: readonly string[], folder: string): NamedFile[] {
  return inCommand(argv, folder, (index) => index);
}

/** The same arguments with other paths in the place of some of those they name. */
export function redirectArgv(
  argv: readonly string[],
  files: readonly NamedFile[],
  pathOf: (file: NamedFile) => string | null,
): string[] {
  const texts = new Map(moved(files, pathOf).map(({ at, text }) => [at, text]));
  return argv.map((argument, index) => texts.get(index) ?? argument);
}

/** The same command with other paths in the place of some of those it names. */
export function redirect(
  action: CommandAction,
  files: readonly NamedFile[],
  pathOf: (file: NamedFile) => string | null,
): CommandAction {
  const { argv, line } = action;
  if (argv !== null) return { ...action, argv: redirectArgv(argv, files, pathOf) };
  // From the last: what is replaced moves nothing that is still to be.
  const places = moved(files, pathOf).flatMap(({ at, text }) =>
    typeof at === "number" ? [] : [{ ...at, text }],
  );
  const replaced = places
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (text, word) => text.slice(0, word.start) + shellQuoted(word.text) + text.slice(word.end),
      line ?? "",
    );
  return { ...action, line: replaced };
}

function moved(files: readonly NamedFile[], pathOf: (file: NamedFile) => string | null) {
  return files.flatMap((file) => {
    const path = pathOf(file);
    return path === null ? [] : [{ at: file.at, text: `${file.prefix}${path}` }];
  });
}

/** As the runner does: in a list of arguments only our own variables have a meaning, and `~` before the program. */
function fillIn(argument: string, index: number, variables: Readonly<Record<string, string>>): string {
  const filled = argument.replaceAll(/\$\{(\w+)\}/g, (written, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? written) : written,
  );
  return index === 0 && filled.startsWith("~/") ? resolve(homedir(), filled.slice(2)) : filled;
}

function inCommand(
  words: readonly (string | null)[],
  folder: string | null,
  placeOf: (index: number) => NamedFile["at"],
): NamedFile[] {
  const code = codeWords(words).map((word) => ({ ...word, isCode: true }));
  const taken = new Set(code.map(({ index }) => index));
  const others = words.flatMap((word, index) => {
    const [, prefix = "", path = ""] = /^(--?[\w-]+=)?((?:\.{1,2})?\/.*)$/s.exec(word ?? "") ?? [];
    return path === "" || taken.has(index) ? [] : [{ index, prefix, path, isCode: false }];
  });
  return [...code, ...others].flatMap(({ index, prefix, path, isCode }) => {
    if (!path.startsWith("/") && folder === null) return [];
    const isRelative = !path.startsWith("/");
    return [{ path: resolve(folder ?? "/", path), isRelative, isCode, at: placeOf(index), prefix }];
  });
}

function placeOf(word: ShellWord | undefined): NamedFile["at"] {
  return { start: word?.start ?? 0, end: word?.end ?? 0 };
}

/** Where relative paths begin after this command; null when only the shell will know. */
function folderAfter(
  [program, to, ...more]: readonly (string | null)[],
  folder: string | null,
): string | null {
  if (program !== "cd" && program !== "pushd" && program !== "popd") return folder;
  if (typeof to !== "string" || to.startsWith("-") || more.length > 0) return null;
  if (!to.startsWith("/") && folder === null) return null;
  return resolve(folder ?? "/", to);
}
