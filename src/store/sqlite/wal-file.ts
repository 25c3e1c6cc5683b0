import { closeSync, fdatasync, fsync, openSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { SwarmError } from "../../base/errors.ts";
import { storeError } from "./store-error.ts";

/** Resolves when what was written to the open file before the call is on the disk. */
export type SyncFile = (descriptor: number) => Promise<void>;

/**
 * Fsyncs SQLite's log in a thread of the pool while the event loop goes on. SQLite keeps its locks on the other two
 * files, so closing a descriptor of this one drops none. One fsync at a time: whoever asks while one runs shares the
 * next, because the one under way may have begun before their rows were written.
 */
export class WalFile {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #syncFile: SyncFile;
  #isNamed = false;
  #isClosed = false;
  /** Ends when the fsync asked for last has; never fails. */
  #last: Promise<unknown> = Promise.resolve();
  /** The one that has not begun. */
  #next: Promise<void> | null = null;

  constructor(databaseFile: string, syncFile: SyncFile = promisify(fdatasync)) {
    this.#file = `${databaseFile}-wal`;
    this.#syncFile = syncFile;
    try {
      this.#descriptor = openSync(this.#file, "r");
    } catch (error) {
      throw storeError(this.#file, error);
    }
  }

  sync(): Promise<void> {
    if (this.#isClosed) return Promise.reject(closed(this.#file));
    if (this.#next === null) {
      this.#next = this.#last.then(() => this.#start());
      this.#last = this.#next.catch(() => undefined); // whoever asked is told
    }
    return this.#next;
  }

  /** Waits for those who have asked. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    closeSync(this.#descriptor);
  }

  async #start(): Promise<void> {
    this.#next = null;
    try {
      if (!this.#isNamed) await syncFolder(dirname(this.#file));
      this.#isNamed = true;
      await this.#syncFile(this.#descriptor);
    } catch (error) {
      throw storeError(this.#file, error);
    }
  }
}

/** A file whose name is not on the disk is gone after a power loss, whatever was fsynced of it. */
async function syncFolder(folder: string): Promise<void> {
  const descriptor = openSync(folder, "r");
  try {
    await promisify(fsync)(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function closed(file: string): SwarmError {
  return new SwarmError("SWARM_STORE_FAILED", { file, problem: "it was closed" });
}
