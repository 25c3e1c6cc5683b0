import { createHash } from "node:crypto";
import { constants, type Dirent, readdirSync, readlinkSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join, relative } from "node:path";
import { compilePathGlob } from "../../engine/hooks/path-glob.ts";

/** What a path held: of a folder, all the files in it as one. */
export interface Digest {
  readonly sha256: string;
  readonly bytes: number;
}

/** Why something could not be looked at; a run that needs it fails with this. */
export class Unreadable extends Error {}

const chunkBytes = 1024 * 1024;
const maxFiles = 100_000;

/** A file or a folder; null when there is none. Memory is one chunk, however large the file. */
export async function digestPath(path: string, signal: AbortSignal): Promise<Digest | null> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isDirectory()) return digestFile(path, signal);
  const hash = createHash("sha256");
  let bytes = 0;
  for (const { path: file, leadsTo } of filesBelow(path)) {
    // A link in a folder is where it leads, not what is there: nothing outside is part of an output.
    const digest = leadsTo === null ? await digestFile(file, signal) : null;
    hash.update(`${JSON.stringify([relative(path, file), digest?.sha256 ?? `-> ${leadsTo}`])}\n`);
    bytes += digest?.bytes ?? 0;
  }
  return { sha256: hash.digest("hex"), bytes };
}

/** Files that globs stand for, from the folder on and in order; a folder stands for all that is in it. */
export function findFiles(folder: string, globs: readonly string[]): string[] {
  const found = new Set<string>();
  for (const glob of globs) for (const path of filesOf(folder, glob)) found.add(path);
  return [...found].sort();
}

/** The file among those a glob stands for that was changed last; of several the last by name. */
export function newestFile(folder: string, glob: string): string | null {
  let newest: { path: string; changedMs: number } | null = null;
  for (const path of filesOf(folder, glob)) {
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changedMs === undefined) continue; // gone since
    if (newest === null || changedMs >= newest.changedMs) newest = { path, changedMs };
  }
  return newest?.path ?? null;
}

async function digestFile(path: string, signal: AbortSignal): Promise<Digest> {
  // Opening a pipe that nobody writes to would wait for ever.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: Error) => {
    throw new Unreadable(error.message);
  });
  try {
    if (!(await file.stat()).isFile()) throw new Unreadable(`${path} is no file, expected one`);
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let bytes = 0; ; ) {
      if (signal.aborted) throw new Unreadable(`${path} was not read to its end`);
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) return { sha256: hash.digest("hex"), bytes };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Absolute, in order. A path without a star that is not there is an error: whoever reads it would not find it either. */
function filesOf(folder: string, glob: string): string[] {
  const segments = glob.split("/");
  const firstGlob = segments.findIndex((segment) => segment.includes("*"));
  const literal = segments.slice(0, firstGlob === -1 ? segments.length : firstGlob);
  const root = glob.startsWith("/") ? join("/", ...literal) : join(folder, ...literal);
  const stats = statSync(root, { throwIfNoEntry: false });
  if (firstGlob === -1) {
    if (stats === undefined) throw new Unreadable(`${glob} is missing`);
    if (!stats.isDirectory()) return [root];
  }
  const isMatch = firstGlob === -1 ? () => true : compilePathGlob("inputs", glob);
  return filesBelow(root).flatMap(({ path, leadsTo }) => {
    const isFile = leadsTo === null || statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    return isFile && isMatch(path, folder) ? [path] : [];
  });
}

interface FoundFile {
  readonly path: string;
  /** Of a link: as it is written. */
  readonly leadsTo: string | null;
}

/** Every file in a folder, in order. Folders that are links are not gone into. */
function filesBelow(root: string): FoundFile[] {
  const found: FoundFile[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else found.push({ path, leadsTo: entry.isSymbolicLink() ? readlinkSync(path) : null });
      if (found.length + folders.length > maxFiles)
        throw new Unreadable(`${root} has more than ${maxFiles} files`);
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []; // no such folder: nothing in it
    throw new Unreadable((error as Error).message);
  }
}
