import { lstatSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { PathNames } from "../policy/rules/files/path-globs.ts";
import { readProjectFile } from "./read-file.ts";

export type { PathNames };

/** The files of the project that a `swarm.yaml` belongs to. */
export type FilesOf = (swarmYaml: string) => ProjectFiles;

/**
 * The files that a project may name: those that lie in it, once links are followed. A project is not trusted, and one
 * that could name any file of the machine would have it read, and the error about it printed to the model and recorded.
 *
 * The project is the repository around its `swarm.yaml`, so that packages may share files; else the folder of that file.
 */
export class ProjectFiles {
  readonly root: string;
  readonly #swarmHome: string;
  readonly #unquotable: Set<string>;

  /** `folder` is a real path. Files that no error may quote are added to `unquotable` when they are read. */
  constructor(folder: string, names: PathNames, unquotable: Set<string>) {
    this.root = repositoryAround(folder, names.home) ?? folder;
    this.#swarmHome = names.swarmHome;
    this.#unquotable = unquotable;
  }

  /** `SWARM_HOME` is no part of a project, unless the project lies in it. */
  has(path: string): boolean {
    const isOurs = isWithin(path, this.#swarmHome) && !isWithin(this.root, this.#swarmHome);
    return isWithin(path, this.root) && !isOurs;
  }

  /** Null when there is none. */
  read(file: string): string | null {
    const found = readProjectFile(file, (path) => this.has(path));
    if (found?.isQuotable === false) this.#unquotable.add(file);
    return found?.text ?? null;
  }
}

/** A user's home may be a repository too, and holds keys: neither it nor a folder above it is a project's repository. */
function repositoryAround(folder: string, userHome: string): string | null {
  for (let root = folder; root !== dirname(root) && !isWithin(userHome, root); root = dirname(root)) {
    if (lstatSync(join(root, ".git"), { throwIfNoEntry: false }) !== undefined) return root;
  }
  return null;
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
