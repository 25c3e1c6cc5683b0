import { createHash } from "node:crypto";
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readContainedFile } from "../../base/bounded-file.ts";
import { SwarmError } from "../../base/errors.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import { isWithin } from "../../config/project-files.ts";
import { compilePathGlob } from "../../engine/hooks/path-glob.ts";
import { trustLimits } from "./limits.ts";
import type { NamedFile } from "./named-files.ts";

/** A file that is approved with a hook: what it held when it was looked at. */
export interface CoveredFile {
  /** From the root, as it is named. */
  readonly path: string;
  /** Where it is kept, below the snapshot: the same layout as in the project. */
  readonly place: string;
  /** Null when there is no such file, or it cannot be kept; `problem` says why. */
  readonly bytes: Buffer | null;
  readonly sha256: string | null;
  readonly isExecutable: boolean;
  readonly problem: string | null;
  /** Where it really is, when a link or the path itself leads out of the project; null when it is in there. */
  readonly leadsTo: string | null;
}

/** What names files: a hook's command, or that of a server its tool is called on. */
export interface Names {
  readonly named: readonly NamedFile[];
  /** Declared beside it, as paths and globs. */
  readonly globs: readonly string[];
}

/** Every file of a hook: those its commands run, then those they declare. Each is read once. */
export function coveredFiles(
  hook: HookConfig,
  names: readonly Names[],
  onFile: (path: string) => void,
): CoveredFile[] {
  const base = dirname(hook.source.file);
  const found = names.flatMap(({ named, globs }) => [
    ...named.filter((file) => file.isCode && isProjects(file, base)).map(({ path }) => path),
    ...globs.flatMap((glob) => filesOf(hook, base, glob)),
  ]);
  const paths = [...new Set(found)];
  if (paths.length > trustLimits.files) throw tooMuch(hook, `more than ${trustLimits.files} files`);
  let left: number = trustLimits.allBytes;
  return paths.map((path) => {
    onFile(path);
    const file = readCovered(path, base);
    left -= file.bytes?.length ?? 0;
    if (left < 0) throw tooMuch(hook, `more than ${trustLimits.allBytes} bytes`);
    return file;
  });
}

/**
 * Whether the project decides what a path leads to. `/usr/bin/env` is the machine's; what is written from the project's
 * folder on is the project's, also where it leads out of it.
 */
export function isProjects({ path, isRelative }: NamedFile, base: string): boolean {
  return isRelative || isWithin(path, base) || isWithin(realPath(path) ?? path, base);
}

function readCovered(path: string, base: string): CoveredFile {
  const place = isWithin(path, base) ? join("project", relative(base, path)) : join("outside", path);
  const outside = (real: string | null) => (real === null || isWithin(real, base) ? null : real);
  try {
    // Where it leads to is of the very file that is read.
    const { bytes, stats, realPath: real } = readContainedFile(path, trustLimits.fileBytes, () => true);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const isExecutable = (stats.mode & 0o111) !== 0;
    return { path, place, leadsTo: outside(real), bytes, sha256, isExecutable, problem: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === "ENOENT" || code === "ENOTDIR" ? "there is no such file" : message;
    const leadsTo = outside(realPath(path));
    return { path, place, leadsTo, bytes: null, sha256: null, isExecutable: false, problem };
  }
}

/** The files a glob stands for; a folder stands for all that is in it. Folders that are links are not gone into. */
function filesOf(hook: HookConfig, base: string, glob: string): string[] {
  const segments = glob.split("/");
  const firstGlob = segments.findIndex((segment) => segment.includes("*"));
  const root = join(base, ...segments.slice(0, firstGlob === -1 ? segments.length : firstGlob));
  if (firstGlob === -1 && statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return [root];
  const isMatch = firstGlob === -1 ? () => true : compilePathGlob("files", glob);
  const found: string[] = [];
  const folders = [root];
  let visited = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      if (++visited > trustLimits.visited)
        throw tooMuch(hook, `${glob} looks at more than ${trustLimits.visited} files`);
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (isMatch(path, base) && isFile(entry, path)) found.push(path);
    }
  }
  return found.sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone, or not ours to read: then nothing of it is kept either
  }
}

function isFile(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function tooMuch(hook: HookConfig, problem: string): SwarmError {
  return new SwarmError("SWARM_TRUST_TOO_MUCH", { hook: hook.name, problem });
}
