import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { shellQuoted } from "../../base/shell-quote.ts";
import type { CommandAction, HookConfig } from "../../config/hook-config.ts";
import { type PortableScript, parsePortable } from "../shell/syntax/parse.ts";
import type { Script, Stage, Word } from "../shell/syntax/tree.ts";
import { codeWords } from "./code-words.ts";
import { type LineWord, readWord, substitutions, wordsOf } from "./read-words.ts";

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
  const line = parsePortable(action.line ?? "");
  const reader = line && new LineReader(line, variables);
  reader?.readScript(line?.script ?? { lists: [] }, base);
  if (reader === null || reader.hasUnread) return { files: [], isUnread: true };
  return reader;
}

/** Finds the files a line names, command after command, in the folder each of them runs in. */
class LineReader implements NamedFiles {
  readonly files: NamedFile[] = [];
  isUnread = false;
  /** Something in it makes other words of words. */
  hasUnread = false;
  readonly #places: PortableScript["places"];
  readonly #variables: Readonly<Record<string, string>>;

  constructor({ places }: PortableScript, variables: Readonly<Record<string, string>>) {
    this.#places = places;
    this.#variables = variables;
  }

  /** Returns the folder that the line is in after it. */
  readScript({ lists }: Script, from: string | null): string | null {
    let folder = from;
    for (const { pipelines, isBackground } of lists) {
      for (const stages of pipelines) {
        const isApart = isBackground || stages.length > 1;
        for (const stage of stages) {
          const after = this.#readStage(stage, folder);
          if (!isApart) folder = after;
        }
      }
    }
    return folder;
  }

  #readStage(stage: Stage, folder: string | null): string | null {
    for (const script of substitutions(wordsOf(stage))) this.readScript(script, folder);
    switch (stage.kind) {
      case "simple":
        return this.#readCommand(stage.words, folder);
      case "function":
        return this.#readStage(stage.body, folder);
      case "compound": {
        // What a loop goes through is no command.
        this.#addFiles([noProgram, ...this.#read(stage.words)], folder);
        const after = stage.bodies.reduce((inside, body) => this.readScript(body, inside), folder);
        return stage.isSubshell ? folder : after;
      }
    }
  }

  #readCommand(written: readonly Word[], folder: string | null): string | null {
    const words = this.#read(written);
    const texts = words.map(({ text }) => text);
    // It can make `case` of any word, and more of the line something else with it.
    this.hasUnread ||= texts.includes("alias");
    this.isUnread ||= codeWords(texts).some(({ path, folder: into }) => pathOf(path, folder, into) === null);
    this.#addFiles(words, folder);
    return folderAfter(texts, folder);
  }

  #read(words: readonly Word[]): LineWord[] {
    return words.map((word) => {
      const place = this.#places.get(word);
      this.hasUnread ||= place === undefined;
      return { start: 0, end: 0, ...place, text: readWord(word, this.#variables) };
    });
  }

  #addFiles(words: readonly LineWord[], folder: string | null): void {
    const texts = words.map(({ text }) => text);
    const placeOf = (index: number) => ({ start: words[index]?.start ?? 0, end: words[index]?.end ?? 0 });
    this.files.push(...inCommand(texts, folder, placeOf));
  }
}

const noProgram: LineWord = { start: 0, end: 0, text: null };

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
    return path === "" || taken.has(index) ? [] : [{ index, prefix, path, folder: "", isCode: false }];
  });
  return [...code, ...others].flatMap(({ index, prefix, path, folder: into, isCode }) => {
    const whole = pathOf(path, folder, into);
    if (whole === null) return [];
    return [{ path: whole, isRelative: !path.startsWith("/"), isCode, at: placeOf(index), prefix }];
  });
}

/** Joins a path to the folder it begins in; null when only the shell will know that. */
function pathOf(path: string, folder: string | null, into: string | null): string | null {
  if (path.startsWith("/")) return resolve(path);
  return folder === null || into === null ? null : resolve(folder, into, path);
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
