import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/**
 * What a project's own files may be read from. A file that is read is quoted when it is wrong, so a project that could
 * name any file of the machine would have it printed: to the model, and into the record.
 *
 * A hard link cannot be told from a file. Errors therefore say nothing of a file's content that is not a
 * configuration's (`show-value.ts`).
 */
export interface ProjectBounds {
  readonly root: string;
  /** `SWARM_HOME`: never part of a project, unless the project lies in it. */
  readonly home: string;
}

export interface OwnFolders {
  readonly swarmHome: string;
  readonly userHome: string;
}

/**
 * The repository around `folder`, which is real, so that packages may share files; else the folder itself. A user's home
 * may be a repository too, and keys lie in it: it is no project of this size.
 */
export function boundsOf(folder: string, { swarmHome, userHome }: OwnFolders): ProjectBounds {
  const [home, user] = [realOf(swarmHome), realOf(userHome)];
  for (let root = folder; root !== dirname(root) && !isWithin(user, root); root = dirname(root)) {
    if (lstatSync(join(root, ".git"), { throwIfNoEntry: false }) !== undefined) return { root, home };
  }
  return { root: folder, home };
}

export function isInProject(path: string, { root, home }: ProjectBounds): boolean {
  return isWithin(path, root) && (!isWithin(path, home) || isWithin(root, home));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // not made yet
  }
}
