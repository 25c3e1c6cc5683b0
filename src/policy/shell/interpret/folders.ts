import { resolve } from "node:path/posix";

/** A folder; null: not known. */
export type Folder = string | null;

/** More are taken for any folder. */
const maxFolders = 8;

/**
 * A folder with a longer path, or deeper than this, counts as unknown. Without a bound `pushd a; pushd a; …` makes each
 * path as long as the line, and every look at one of them takes as long as that.
 */
const maxFolderChars = 1_024;
const maxFolderNames = 64;

/**
 * The folders a line may be in. `cd` may fail, and what comes next is in the folder before it then, unless the new one is
 * there or what comes next is said to depend on it: `cd nowhere; rm -rf *`.
 */
export class Folders {
  /** Where the line is if every change so far has done what it says. */
  readonly cwd: Folder;
  /** Where it may be just as well. */
  readonly others: ReadonlySet<Folder>;
  /** Where it is if a change has failed, and nothing has asked yet whether it did. */
  readonly #ifFailed: ReadonlySet<Folder>;

  constructor(cwd: Folder, others: Iterable<Folder> = [], ifFailed: Iterable<Folder> = []) {
    this.cwd = cwd;
    this.others = bounded(new Set(others), cwd);
    this.#ifFailed = new Set(ifFailed);
  }

  /** After a change to a folder, from whichever it was. */
  moved(to: Folder, isThere: (folder: string) => boolean): Folders {
    const from = [this.cwd, ...this.others];
    const [cwd = null, ...others] = from.map((folder) => within(folder, to));
    const failing = from.filter((folder) => {
      const target = within(folder, to);
      return target === null || !isThere(target);
    });
    return new Folders(cwd, others, [...this.#ifFailed, ...failing]);
  }

  /** These, or those before something that may not have come to run. */
  union(before: Folders): Folders {
    if (this === before) return this;
    return new Folders(this.cwd, this.others, [...this.#ifFailed, before.cwd, ...before.others]);
  }

  /** Where nothing tells whether the changes before have failed. */
  withFailedChanges(): Folders {
    return this.#ifFailed.size === 0 ? this : new Folders(this.cwd, [...this.others, ...this.#ifFailed]);
  }

  /** These, or any folder at all. */
  orUnknown(): Folders {
    return new Folders(this.cwd, [...this.others, null], this.#ifFailed);
  }

  /** Where the changes since then are known not to have failed. */
  withSuccessSince(before: Folders): Folders {
    return this.#ifFailed.size === 0 ? this : new Folders(this.cwd, this.others, before.#ifFailed);
  }
}

function within(folder: Folder, to: Folder): Folder {
  if (to === null) return null;
  if (to.startsWith("/")) return boundedPath(resolve(to));
  return folder === null ? null : boundedPath(resolve(folder, to));
}

function boundedPath(path: string): Folder {
  if (path.length > maxFolderChars) return null;
  return path.split("/", maxFolderNames + 2).length > maxFolderNames + 1 ? null : path;
}

function bounded(folders: Set<Folder>, cwd: Folder): Set<Folder> {
  folders.delete(cwd);
  return folders.size <= maxFolders ? folders : new Set([null]);
}
