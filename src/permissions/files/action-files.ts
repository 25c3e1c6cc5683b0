import type { Action } from "../action.ts";
import { absolutePath, type Place } from "../detect/place.ts";
import type { ShellLine } from "../shell/command.ts";
import { marks, withoutMarks } from "../shell/marks.ts";
import { namedFiles, writtenFiles } from "./command-files.ts";
import { patchedFiles } from "./patch-files.ts";
import { PathText } from "./path-text.ts";

/** A file an action names. */
export interface ActionFile {
  /** Absolute, without `..`; what is not known of it is marked. */
  readonly path: PathText;
  /** The same without links; null where it has none, or is not known well enough to look. */
  readonly realPath: PathText | null;
  readonly isWritten: boolean;
}

/** As many as are looked at. More than anybody names; the rest is judged by the first. */
const maxFiles = 512;

export function filesOf(action: Action, line: ShellLine | null, place: Place): ActionFile[] {
  const named = new Map<string, boolean>();
  const add = (path: string, cwd: string | null, isWritten: boolean): void => {
    if (path === "" || named.size >= maxFiles) return;
    const absolute = absolutePath(path, cwd);
    if (isWritten || !named.has(absolute)) named.set(absolute, isWritten);
  };
  const isWriter = action.kind === "write" || action.kind === "edit";
  for (const path of pathsIn(action)) add(fromHome(path, place.home), place.cwd, isWriter);
  for (const path of action.kind === "edit" ? patchedFiles(action.input) : []) add(path, place.cwd, true);
  for (const command of line?.commands ?? []) {
    const written = new Set(writtenFiles(command));
    for (const path of namedFiles(command, place.home)) add(path, command.cwd, written.has(path));
    for (const path of written) add(path, command.cwd, true);
  }
  return [...named].map(([absolute, isWritten]) => {
    const path = new PathText(absolute);
    const real = path.isPlain ? place.realPath(absolute) : absolute;
    return { path, realPath: real === absolute ? null : new PathText(real), isWritten };
  });
}

/** Names agents give an argument that holds a path, or several. */
const pathArguments = new Set([
  "file_path",
  "path",
  "notebook_path",
  "absolute_path",
  "target_file",
  "dir_path",
  "filePath",
  "paths",
  "file_paths",
  "file",
  "files",
  "filename",
  "directory",
  "folder",
  "source",
  "destination",
  "src",
  "dest",
  "old_path",
  "new_path",
  "target",
  "uri",
  "url",
]);

function pathsIn({ kind, input }: Action): string[] {
  const paths: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    for (const text of [value].flat()) {
      if (typeof text !== "string") continue;
      const path = withoutMarks(text);
      if (path.startsWith("file://")) paths.push(decoded(path.slice("file://".length)));
      else if (kind === "search" && (name === "glob" || name === "include")) {
        paths.push(path.replaceAll("*", marks.anyRun));
      } else if (pathArguments.has(name) ? !/^\w+:\/\//.test(path) : looksLikePath(kind, path)) {
        paths.push(path);
      }
    }
  }
  return paths;
}

/** Of a tool we do not know, whatever looks like a path is one. */
function looksLikePath(kind: string | null, text: string): boolean {
  const isKnown = kind !== null && !kind.startsWith("mcp:");
  return !isKnown && text.length < 4_096 && /^(?:\/|~\/|\.{1,2}\/|\.[\w-]+$)/.test(text);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function fromHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}
