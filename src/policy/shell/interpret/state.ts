import { dirname, resolve } from "node:path/posix";
import type { Folder, Folders } from "./folders.ts";
import { LayeredMap } from "./layered-map.ts";
import { hasUnknown, isPlain, marks } from "../marks.ts";
import type { Stage } from "../syntax/tree.ts";

const maxArrayWords = 256;

/** Every word the line gives an array: which of them it has where it is used is not followed. */
export interface ShellArray {
  readonly words: readonly string[];
  /** Given all at once, so that a word can be told by its number. */
  readonly isWhole: boolean;
}

/** What a line knows at one point: its variables, its folder, what names stand for. */
export class State {
  variables: LayeredMap<string>;
  aliases: LayeredMap<string>;
  functions: LayeredMap<Stage>;
  /** Folders the line has made or taken away. */
  readonly #made: LayeredMap<"made" | "gone">;
  readonly #isFolder: (path: string) => boolean;
  /** `set -a`: all variables are. */
  exportsAll = false;
  /** Names of variables that programs are given. */
  readonly exported: LayeredMap<"yes">;
  #arrays: LayeredMap<ShellArray>;
  folders: Folders;
  /** `$1`, `$2` …; null when they are not known. A line of its own has none. */
  positional: readonly string[] | null = [];
  /** In a function: what its own variables were before it; null: it is none. */
  #outside: Map<string, string | undefined> | null = null;
  /** `exit` or `return`: nothing comes after it. */
  hasEnded = false;

  constructor(folders: Folders, isFolder: (path: string) => boolean, outer: State | null = null) {
    this.folders = folders;
    this.#isFolder = isFolder;
    this.#made = new LayeredMap(outer === null ? null : outer.#made);
    this.variables = new LayeredMap(outer?.variables);
    this.aliases = new LayeredMap(outer?.aliases);
    this.functions = new LayeredMap(outer?.functions);
    this.exported = new LayeredMap(outer?.exported);
    this.#arrays = new LayeredMap(outer === null ? null : outer.#arrays);
  }

  /** For a part whose changes stay in it. */
  fork(): State {
    const inside = new State(this.folders, this.#isFolder, this);
    inside.positional = this.positional;
    inside.exportsAll = this.exportsAll;
    return inside;
  }

  /** For a program that is given what the line exports, and no more. */
  forProgram(): State {
    const inside = new State(this.folders, this.#isFolder, this);
    const { exported } = this;
    inside.variables = new LayeredMap(this.variables, (name) => exported.has(name));
    inside.aliases = new LayeredMap();
    inside.functions = new LayeredMap();
    inside.#arrays = new LayeredMap();
    inside.positional = this.positional;
    return inside;
  }

  /** The same, but for arrays: a word that is given in a function or a loop counts wherever the array is used. */
  copy(): State {
    const inside = this.fork();
    inside.#arrays = this.#arrays;
    return inside;
  }

  /** `cd`; null: nobody knows where to. */
  changeFolder(to: Folder): void {
    this.folders = this.folders.moved(to, (folder) => this.isThere(folder));
  }

  /** Notes what becomes of a folder, from wherever it is named. */
  noteFolder(path: string, became: "made" | "gone"): void {
    // Of a pattern, whatever is beside it.
    const named = isPlain(path) ? path : became === "gone" ? dirname(path) : null;
    for (const folder of [this.cwd, ...this.folders.others]) {
      if (folder !== null && named !== null) this.#made.set(resolve(folder, named), became);
    }
  }

  isThere(folder: string): boolean {
    for (let at = folder; ; at = dirname(at)) {
      const became = this.#made.get(at);
      if (became === "gone" || (became === "made" && at === folder)) return became === "made";
      if (at === dirname(at)) return this.#isFolder(folder);
    }
  }

  /** Where `$1`, `$2` … are others. */
  withArguments<T>(words: readonly string[], follow: () => T): T {
    const before = this.positional;
    this.positional = words;
    const followed = follow();
    this.positional = before;
    return followed;
  }

  /** Where variables can be its own, too. */
  inFunction<T>(words: readonly string[], follow: () => T): T {
    const around = this.#outside;
    const own = new Map<string, string | undefined>();
    this.#outside = own;
    const followed = this.withArguments(words, follow);
    for (const [name, value] of own) this.variables.restore(name, value);
    this.#outside = around;
    return followed;
  }

  /** From now on a variable is the function's own; outside one it means nothing. */
  makeLocal(name: string, isEmpty: boolean): void {
    if (this.#outside === null) return;
    if (!this.#outside.has(name)) this.#outside.set(name, this.variables.get(name));
    if (isEmpty) this.variables.set(name, "");
  }

  /** The folder commands run in; null once it is not known any more. */
  get cwd(): Folder {
    return this.folders.cwd;
  }

  get(name: string): string {
    const known = this.variables.get(name);
    if (known !== undefined) return known;
    if (name === "PWD") return this.folders.others.size > 0 ? marks.unknown : (this.cwd ?? marks.unknown);
    if (name === "@" || name === "*") return this.positional?.join(" ") ?? marks.unknown;
    if (/^[1-9]/.test(name))
      return this.positional === null ? marks.unknown : (this.positional[Number(name) - 1] ?? "");
    return marks.unknown;
  }

  get hasArrays(): boolean {
    return !this.#arrays.isUntouched;
  }

  isArray(name: string): boolean {
    return this.#arrays.has(name);
  }

  /** Whether it is an array already, of other words. */
  hasOtherWords(name: string, words: readonly string[]): boolean {
    const known = this.#arrays.get(name)?.words;
    return (
      known !== undefined && (known.length !== words.length || known.some((word, at) => word !== words[at]))
    );
  }

  /** From now on nothing is known of them. */
  forgetWords(name: string): void {
    this.#arrays.set(name, { words: [marks.unknown], isWhole: false });
  }

  /** Words an array has from now on. */
  replace(name: string, words: readonly string[]): void {
    this.#setWords(name, words, true);
  }

  /** Words it has from now on besides those it had. */
  extend(name: string, words: readonly string[]): void {
    const known = this.#arrays.get(name);
    this.#setWords(name, [...(known?.words ?? []), ...words], known === undefined);
  }

  /** `a=("${a[@]}" "${a[@]}")` again and again would make it as long as one likes. */
  #setWords(name: string, words: readonly string[], isWhole: boolean): void {
    this.#arrays.set(name, { words: words.length <= maxArrayWords ? words : [marks.unknown], isWhole });
  }

  /** What `${name[index]}` is; `@` and `*` are all of them. Null: not known. */
  wordsAt(name: string, index: string): readonly string[] | null {
    const array = this.#arrays.get(name);
    if (array === undefined || array.words.length === 0) return null;
    // A part of them is among them.
    if (/^[@*]\d*$/.test(index)) return array.words;
    if (!array.isWhole || !/^\d{1,4}$/.test(index)) return null;
    const word = array.words[Number(index)];
    return word === undefined ? [] : [word];
  }

  /** Words an unquoted value falls into. */
  split(value: string): string[] {
    const separators = this.variables.get("IFS") ?? " \t\n";
    if (hasUnknown(separators)) return [marks.unknown];
    const fields: string[] = [""];
    for (const character of value) {
      if (separators.includes(character)) fields.push("");
      else fields[fields.length - 1] += character;
    }
    return fields;
  }
}
