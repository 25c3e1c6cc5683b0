import { toolPaths } from "../../events/tools.ts";
import { type Action, textsOf } from "../action.ts";
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

/** As many are looked for on the disk, 2 µs each; of the others the name alone is judged. More than anybody names. */
const maxRealPaths = 512;

export function filesOf(action: Action, line: ShellLine | null, place: Place): ActionFile[] {
  const named = new Map<string, boolean>();
  const add = (path: string, cwd: string | null, isWritten: boolean): void => {
    if (path === "") return;
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
  return [...named].map(([absolute, isWritten], at) => {
    const path = new PathText(absolute);
    const real = path.isPlain && at < maxRealPaths ? place.realPath(absolute) : absolute;
    return { path, realPath: real === absolute ? null : new PathText(real), isWritten };
  });
}

/** Arguments of other servers' tools that hold a path, besides those every agent has. */
const otherArguments = new Set([
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

function pathsIn({ kind, name: tool, input }: Action): string[] {
  const paths = toolPaths(input).map(withoutMarks).filter(isNoAddress);
  for (const [name, value] of Object.entries(input)) {
    const isGlob = name === "glob" || name === "include" || (name === "pattern" && /glob/i.test(tool));
    if (kind === "search" && isGlob && typeof value === "string") {
      paths.push(withoutMarks(value).replaceAll("*", marks.anyRun));
    }
    if (otherArguments.has(name)) paths.push(...textsOf({ value }).map(withoutMarks).filter(isNoAddress));
  }
  const isKnown = kind !== null && !kind.startsWith("mcp:");
  for (const text of textsOf(input)) {
    if (text.startsWith("file://")) paths.push(decoded(withoutMarks(text.slice("file://".length))));
    else if (!isKnown && looksLikePath(text)) paths.push(withoutMarks(text));
  }
  return paths;
}

function isNoAddress(path: string): boolean {
  return !/^\w+:\/\//.test(path);
}

/** Of a tool we do not know, whatever looks like a path is one. */
function looksLikePath(text: string): boolean {
  return text.length < 4_096 && /^(?:\/|~\/|\.{1,2}\/|\.[\w-]+$)/.test(text);
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
