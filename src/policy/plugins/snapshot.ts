import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { type PluginFiles, readFolder } from "./read-folder.ts";

export function pluginsFolder(home: string): string {
  return join(home, "plugins");
}

/** Where the private copy of these very files is, or would be. */
export function snapshotRoot(home: string, name: string, digest: string): string {
  return join(pluginsFolder(home), name, digest);
}

/**
 * Puts a private copy of the files in its place, whole or not at all. What runs is this copy: a change in the folder it
 * came from does nothing.
 */
export function writeSnapshot(root: string, { files, digest }: PluginFiles): void {
  if (snapshotProblem(root, digest) === null) return;
  mkdirSync(dirname(root), { recursive: true, mode: 0o700 });
  const temporary = `${root}.${newId("new")}`;
  try {
    mkdirSync(temporary, { mode: 0o700 });
    for (const [path, { bytes, isExecutable }] of files) {
      const file = join(temporary, path);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, bytes, { flag: "wx", mode: 0o600, flush: true });
      // Nobody writes into it any more; the mode also counts where a umask would have taken from it.
      chmodSync(file, isExecutable ? 0o500 : 0o400);
    }
    // What was damaged goes; a folder that is not empty cannot be replaced by renaming.
    rmSync(root, { recursive: true, force: true });
    renameSync(temporary, root);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process may have put the same files there meanwhile.
    if (snapshotProblem(root, digest) !== null) throw error;
  }
}

/** Where the copy really is, unless somebody has put a link in its way. The home itself may be one. */
export function realRoot(root: string): string {
  const name = dirname(root);
  return join(realpathSync.native(dirname(name)), basename(name), basename(root));
}

/** The files of a private copy, if they are the ones that were approved. */
export function readSnapshot(name: string, root: string, digest: string): PluginFiles {
  const invalid = (problem: string, cause?: unknown) =>
    new SwarmError("SWARM_PLUGIN_INVALID", { plugin: name, problem }, { cause });
  if (!existsSync(root)) throw invalid(`its copy ${root} is gone, add it again`);
  if (realpathSync.native(root) !== realRoot(root)) throw invalid(`its copy ${root} is a link, add it again`);
  const files = readFolder(root);
  if (files.digest === digest) return files;
  throw invalid(`the files in ${root} are not the ones that were approved, add it again`);
}

/** Removes the copies of a plugin but those to keep; one that cannot be removed does no harm. */
export function removeSnapshots(home: string, name: string, keep: readonly string[]): void {
  const folder = join(pluginsFolder(home), name);
  try {
    for (const found of readdirSync(folder))
      if (!keep.includes(found)) rmSync(join(folder, found), { recursive: true, force: true });
    if (keep.length === 0) rmSync(folder, { recursive: true, force: true });
  } catch {
    // Gone already, or not ours to remove.
  }
}

function snapshotProblem(root: string, digest: string): string | null {
  try {
    readSnapshot("", root, digest);
    return null;
  } catch (error) {
    if (error instanceof SwarmError) return error.message;
    throw error;
  }
}
