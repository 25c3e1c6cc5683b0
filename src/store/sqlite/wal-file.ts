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
 *
 * One that fails is the last: the kernel has given up what it could not write and would answer the next as if it were
 * there.
 */
export class WalFile {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #syncFile: SyncFile;
  #isNamed = false;
  #damage: SwarmError | null = null;
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

  /** Why nothing more may be written; null as long as every fsync has worked. */
  get damage(): SwarmError | null {
    return this.#damage;
  }

  sync(): Promise<void> {
    if (this.#damage !== null) return Promise.reject(this.#damage);
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
    // Whoever asked while the one before was under way.
    if (this.#damage !== null) throw this.#damage;
    if (!this.#isNamed) await this.#syncFolder();
    this.#isNamed = true;
    await this.#once(this.#syncFile(this.#descriptor));
  }

  /** A file whose name is not on the disk is gone after a power loss, whatever was fsynced of it. */
  async #syncFolder(): Promise<void> {
    let folder: number;
    try {
      folder = openSync(dirname(this.#file), "r");
    } catch (error) {
      throw storeError(this.#file, error); // nothing is lost by that
    }
    try {
      await this.#once(promisify(fsync)(folder));
    } finally {
      closeSync(folder);
    }
  }

  async #once(synced: Promise<void>): Promise<void> {
    try {
      await synced;
    } catch (error) {
      const params = { location: this.#file, problem: (error as Error).message };
      this.#damage = new SwarmError("SWARM_STORE_DAMAGED", params, { cause: error });
      throw this.#damage;
    }
  }
}

function closed(file: string): SwarmError {
  return new SwarmError("SWARM_STORE_FAILED", { location: file, problem: "it was closed" });
}
