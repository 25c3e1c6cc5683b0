import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { show } from "../../base/show.ts";
import { pluginLimits } from "./limits.ts";

export interface PluginFile {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly isExecutable: boolean;
}

/** The files of a plugin's folder, by their path with `/`, in the order of their paths. */
export interface PluginFiles {
  /** SHA-256 over the paths, the contents and who may be executed. */
  readonly digest: string;
  readonly files: ReadonlyMap<string, PluginFile>;
}

/**
 * Everything in a folder, read once: what is shown, what is approved and what is copied are these bytes, whatever
 * becomes of the folder meanwhile. `.git` is left out: it is large, and its settings have programs run.
 */
export function readFolder(folder: string): PluginFiles {
  const reader = new FolderReader(folder);
  reader.read("", 0);
  const files = new Map([...reader.files].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { digest: digestOf(files), files };
}

class FolderReader {
  readonly files = new Map<string, PluginFile>();
  readonly #named: string;
  readonly #root: string;
  #bytes = 0;

  constructor(folder: string) {
    this.#named = folder;
    this.#root = this.#attempt("", () => realpathSync.native(folder));
  }

  read(path: string, depth: number): void {
    if (depth > pluginLimits.depth)
      throw this.#invalid(path, `is nested over ${pluginLimits.depth} folders deep`);
    const entries = this.#attempt(path, () => readdirSync(join(this.#root, path), { withFileTypes: true }));
    for (const entry of entries) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.name.toLowerCase() === ".git") continue;
      // The names are shown to whoever approves it.
      if (/[\p{Cc}\p{Bidi_Control}\u2028\u2029\\]/u.test(entry.name) || !entry.name.isWellFormed())
        throw this.#invalid(below, "has a name that cannot be shown");
      if (entry.isDirectory()) this.read(below, depth + 1);
      else if (entry.isFile()) this.#add(below, join(this.#root, below));
      else if (entry.isSymbolicLink()) this.#add(below, this.#targetOf(below));
      else throw this.#invalid(below, "is neither a file nor a folder");
    }
  }

  /** A link is copied as the file it leads to, which has to be one of the plugin's own. */
  #targetOf(path: string): string {
    const target = this.#attempt(path, () => realpathSync.native(join(this.#root, path)));
    if (!target.startsWith(`${this.#root}${sep}`)) throw this.#invalid(path, "is a link out of the folder");
    return target;
  }

  #add(path: string, file: string): void {
    if (this.files.size >= pluginLimits.files)
      throw this.#invalid("", `has over ${pluginLimits.files} files`);
    const { bytes, isExecutable } = this.#attempt(path, () => this.#readFile(path, file));
    this.#bytes += bytes.length;
    if (this.#bytes > pluginLimits.bytes) throw this.#invalid("", `has over ${pluginLimits.bytes} bytes`);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    this.files.set(path, { bytes, sha256, isExecutable });
  }

  #readFile(path: string, file: string): Pick<PluginFile, "bytes" | "isExecutable"> {
    // A link put there since we looked is not followed, and a pipe is not waited for.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const descriptor = openSync(file, flags);
    try {
      const found = fstatSync(descriptor);
      if (!found.isFile()) throw this.#invalid(path, "leads to what is not a file");
      if (found.size > pluginLimits.fileBytes)
        throw this.#invalid(path, `has over ${pluginLimits.fileBytes} bytes`);
      // As many as it had: one that grows meanwhile is read up to there.
      const bytes = Buffer.alloc(found.size);
      let length = 0;
      for (let count = -1; count !== 0 && length < bytes.length; length += count)
        count = readSync(descriptor, bytes, length, bytes.length - length, null);
      return { bytes: bytes.subarray(0, length), isExecutable: (found.mode & 0o100) !== 0 };
    } finally {
      closeSync(descriptor);
    }
  }

  #attempt<T>(path: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof SwarmError) throw error;
      throw this.#invalid(path, `cannot be read: ${(error as NodeJS.ErrnoException).code}`, error);
    }
  }

  #invalid(path: string, problem: string, cause?: unknown): SwarmError {
    const what = path === "" ? "the folder" : show(path);
    return new SwarmError(
      "SWARM_PLUGIN_INVALID",
      { plugin: this.#named, problem: `${what} ${problem}` },
      { cause },
    );
  }
}

function digestOf(files: ReadonlyMap<string, PluginFile>): string {
  const digest = createHash("sha256");
  for (const [path, { sha256, isExecutable }] of files)
    digest.update(`${sha256} ${isExecutable ? "x" : "-"} ${JSON.stringify(path)}\n`);
  return digest.digest("hex");
}
