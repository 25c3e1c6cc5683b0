import { isAbsolute } from "node:path/posix";
import { kindOfTool, toolPaths } from "../../../engine/events/tools.ts";
import type { Action } from "../action.ts";
import { addPathsAnywhere, isPathName } from "../arguments/argument-paths.ts";
import { pathForms } from "../arguments/path-forms.ts";
import { isFileContent, type NamedText, type ToolArguments } from "../arguments/read-arguments.ts";
import { readsOnly } from "../arguments/reading-tools.ts";
import { absolutePath, type Place } from "../detect/place.ts";
import type { ShellLine } from "../../shell/command.ts";
import { isPlain } from "../../shell/marks.ts";
import { namedFiles, writtenFiles } from "./command-files.ts";
import { filesInPatch, patchedFiles } from "./patch-files.ts";
import { PathText } from "./path-text.ts";

/** A file an action names. */
export interface ActionFile {
  /** Absolute, without `..`; what is not known of it is marked. */
  readonly path: PathText;
  /** The same without links; null where it has none, or is not known well enough to look. */
  readonly realPath: PathText | null;
  readonly isWritten: boolean;
}

export interface ActionFiles {
  readonly files: readonly ActionFile[];
  /** Its arguments have more paths in them than are looked at. */
  readonly isCut: boolean;
  /** Links were followed in each of them. */
  readonly areFollowed: boolean;
}

/** So many paths of arguments are looked at, and so many files looked for on the disk: 2 µs each or more. */
const maxFiles = 4_096;

export function filesOf(
  action: Action,
  given: ToolArguments,
  line: ShellLine | null,
  place: Place,
): ActionFiles {
  const named = new Map<string, boolean>();
  const add = (path: string, cwd: string | null, isWritten: boolean): boolean => {
    if (path === "") return true;
    for (const absolute of [absolutePath(path, cwd), ...aboveLinks(path, cwd, place)])
      if (isWritten || !named.has(absolute)) named.set(absolute, isWritten);
    return named.size <= maxFiles;
  };
  const isCut = given.isCut || !addArguments(action, given, place, add);
  addCommands(line, place, add);
  const files = [...named].map(([absolute, isWritten], at) => {
    const path = new PathText(absolute);
    const real = path.isPlain && at < maxFiles ? place.realPath(absolute) : absolute;
    return { path, realPath: real === absolute ? null : new PathText(real), isWritten };
  });
  return { files, isCut, areFollowed: named.size <= maxFiles };
}

/** `link/../x` is beside what the link leads to; read as a text alone it is beside the link. */
function aboveLinks(path: string, cwd: string | null, place: Place): string[] {
  if (!/[^./]\/+(?:\.\/+)*\.\.(?:\/|$)/.test(path) || cwd === null || !isPlain(path)) return [];
  return [place.realPath(isAbsolute(path) ? path : `${cwd}/${path}`)];
}

type Add = (path: string, cwd: string | null, isWritten: boolean) => boolean;

function addCommands(line: ShellLine | null, place: Place, add: Add): void {
  for (const command of line?.commands ?? []) {
    const written = new Set(writtenFiles(command));
    for (const path of namedFiles(command, place.home)) add(path, command.cwd, written.has(path));
    for (const path of written) add(path, command.cwd, true);
  }
}

/** Of a tool that is not known to only read, every path counts as written. */
function addArguments(action: Action, given: ToolArguments, place: Place, add: Add): boolean {
  const { kind, input } = action;
  if (isForeign(action)) {
    const isWritten = !readsOnly(action);
    return (
      addPathsAnywhere(given, place, (path, from) => add(path, from, isWritten)) &&
      given.groups.every(({ texts }) => patchedIn(texts).every((path) => add(path, place.cwd, true)))
    );
  }
  const isWriter = kind === "write" || kind === "edit";
  const paths = pathsOf(action, given).flatMap((path) => pathForms(path, place));
  // OpenCode calls a patch `patchText`, Codex `command`, others `input` or `patch`.
  const patched =
    kind === "edit" ? [...patchedFiles(input), ...given.groups.flatMap(({ texts }) => patchedIn(texts))] : [];
  return (
    paths.every((path) => add(path, place.cwd, isWriter)) &&
    patched.every((path) => add(path, place.cwd, true))
  );
}

function patchedIn(texts: readonly NamedText[]): string[] {
  const patches = texts.filter(
    ({ name, text }) => !isFileContent(name) && /^(?:\*\*\*|\+\+\+|diff --git) /m.test(text),
  );
  return patches.flatMap(({ text }) => filesInPatch(text));
}

/** Whether it is a tool whose arguments nobody here knows: of an MCP server, of an agent's newer version. */
export function isForeign({ event, kind, name, isBuiltIn = kindOfTool(name) !== null }: Action): boolean {
  return event === "tool.before" && !(isBuiltIn && kind !== null);
}

/** The paths among arguments of a tool we know. */
function pathsOf({ kind, name: tool, input }: Action, { groups }: ToolArguments): string[] {
  const paths = [...toolPaths(input)];
  for (const [name, value] of Object.entries(input)) {
    const isGlob = name === "glob" || name === "include" || (name === "pattern" && /glob/i.test(tool));
    if ((kind !== "search" && kind !== "read") || !isGlob) continue;
    paths.push(...[value].flat().filter((item) => typeof item === "string"));
  }
  for (const { texts } of groups) {
    for (const { name, text } of texts) if (isPathName(name) || /^file:/i.test(text)) paths.push(text);
  }
  return paths;
}
