import { type Action, textsOf } from "./action.ts";
import { commandsAnywhere } from "./arguments/argument-commands.ts";
import { readArguments, type ToolArguments, tooManyArguments } from "./arguments/read-arguments.ts";
import type { Place } from "./detect/place.ts";
import { type ActionFile, type ActionFiles, filesOf, isForeign } from "./files/action-files.ts";
import { type ChangedPath, changedPaths } from "./files/changed-paths.ts";
import { PathText } from "./files/path-text.ts";
import { knownFrom } from "./files/real-path.ts";
import { analyseArgv, analyseShell, type ShellPlace } from "../shell/analyse.ts";
import { isBeyondBounds, type ShellLine } from "../shell/command.ts";
import { typedLines } from "../shell/syntax/typed-keys.ts";

/** What rules ask of an action, found out when first asked for and then kept: rules share it. */
export class Facts {
  readonly action: Action;
  readonly place: Place;
  /** The project's folder, or where there is none, the one it happens in. */
  readonly root: PathText;
  #line: ShellLine | null | undefined;
  #arguments: ToolArguments | undefined;
  #files: ActionFiles | undefined;
  #changed: readonly ChangedPath[] | undefined;
  #texts: readonly string[] | undefined;

  constructor(action: Action, place: Place) {
    this.action = action;
    const known = knownFrom(place.cwd);
    const folders = new Map<string, boolean>();
    this.place = {
      ...place,
      realPath: (path) => place.realPath(path, known),
      isFolder(path) {
        const found = folders.get(path) ?? place.isFolder(path);
        folders.set(path, found);
        return found;
      },
    };
    this.root = new PathText(place.root ?? place.cwd);
  }

  /** The shell line it would run; null when it runs none. */
  get line(): ShellLine | null {
    if (this.#line === undefined) this.#line = readLine(this.action, () => this.#given, this.place);
    return this.#line;
  }

  /** The files it names. */
  get files(): readonly ActionFile[] {
    return this.#named.files;
  }

  /** Whether its arguments have more in them than is looked at, so that it may name any file. */
  get mayNameAny(): boolean {
    return this.#named.isCut;
  }

  /** Why part of it was not read, in words: there is more of it than is looked at. Null when all of it was. */
  get unread(): string | null {
    if (this.#named.isCut) return tooManyArguments;
    if (!this.#named.areFollowed) return "it names too many files";
    return this.line?.opaque.find(isBeyondBounds) ?? null;
  }

  get #given(): ToolArguments {
    this.#arguments ??= readArguments(this.action.input);
    return this.#arguments;
  }

  get #named(): ActionFiles {
    this.#files ??= filesOf(this.action, this.#given, this.line, this.place);
    return this.#files;
  }

  /** The paths it may change. */
  get changed(): readonly ChangedPath[] {
    this.#changed ??= changedPaths(this);
    return this.#changed;
  }

  /** Every text among its arguments, however deep. */
  get texts(): readonly string[] {
    this.#texts ??= textsOf(this.action.input);
    return this.#texts;
  }
}

/** Tools that run no commands, whatever their arguments are called: Codex calls a patch `command`. */
const otherKinds = new Set(["write", "edit", "read", "search", "fetch"]);
const commandArguments = ["command", "cmd", "script"];
const folderArguments = [
  "workdir",
  "cwd",
  "dir_path",
  "directory",
  "working_directory",
  "working_dir",
  "workingDirectory",
  "workingDir",
];

function readLine(action: Action, given: () => ToolArguments, place: Place): ShellLine | null {
  const { kind, input } = action;
  if (kind !== null && otherKinds.has(kind)) return null;
  if (!isForeign(action)) return readKnownLine(action, place);
  const { home, cwd, isFolder } = place;
  const found = commandsAnywhere(action, given(), { home, cwd, isFolder });
  // A shell whose arguments have other names runs one of them.
  return (
    found ??
    (kind === "shell" ? readKnownLine({ ...action, input: { commands: textsOf(input) } }, place) : null)
  );
}

function readKnownLine({ kind, input }: Action, { home, cwd, isFolder }: Place): ShellLine | null {
  const folder = folderArguments.map((name) => input[name]).find((value) => typeof value === "string");
  const place = { home, isFolder, cwd: folder === undefined ? cwd : pathFrom(cwd, folder) };
  const given = commandArguments
    .filter((name) => Object.hasOwn(input, name))
    .map((name) => withArguments(input, name));
  if (Array.isArray(input.commands)) given.push(...input.commands);
  const isTyped = given.length === 0 && kind === "shell";
  const lines = isTyped
    ? Object.values(input).flatMap((value) => typedLine(value, place) ?? [])
    : given.flatMap((value) => lineOf(value, place) ?? []);
  const [first] = lines;
  if (first === undefined || lines.length === 1) return first ?? null;
  return {
    commands: lines.flatMap(({ commands }) => commands),
    opaque: lines.flatMap(({ opaque }) => opaque),
    isSingle: false,
  };
}

/** Some servers take the program and its arguments apart. */
function withArguments(input: Action["input"], name: string): unknown {
  const [program, args] = [input[name], input.args ?? input.arguments];
  if (typeof program !== "string") return program;
  if (typeof args === "string") return `${program} ${args}`;
  return Array.isArray(args) ? [program, ...args] : program;
}

/** A shell that is given no command is typed into, as by Copilot's write_bash. */
function typedLine(value: unknown, place: ShellPlace): ShellLine | null {
  const typed = typeof value === "string" ? typedLines(value) : value;
  const line = lineOf(typed ?? value, place);
  if (typed !== null || line === null) return line;
  return { ...line, opaque: [...line.opaque, "what its keys come to is known only then"], isSingle: false };
}

function lineOf(value: unknown, place: ShellPlace): ShellLine | null {
  if (typeof value === "string") return analyseShell(value, place);
  const isArgv = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");
  return isArgv ? analyseArgv(value, place) : null;
}

function pathFrom(cwd: string, folder: string): string {
  return folder.startsWith("/") ? folder : `${cwd}/${folder}`;
}
