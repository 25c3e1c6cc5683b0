import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { freeChunk } from "./free-chunk.ts";

/**
 * The file an endless output goes to, up to a cap. Written without blocking the event loop, and its source waits
 * for the disk, so no more than a chunk or two of it are in memory.
 */
export class SpillFile {
  readonly #path: string;
  readonly #source: Readable;
  readonly #stream: WriteStream;
  #roomBytes: number;
  #hasFailed = false;

  /** Null if the folder cannot be made. */
  static create(folder: string, id: string, capBytes: number, source: Readable): SpillFile | null {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return new SpillFile(join(folder, `${id}.stdout`), capBytes, source);
    } catch {
      return null; // the flood is what is reported; that it could not be kept shows in the missing path
    }
  }

  private constructor(path: string, capBytes: number, source: Readable) {
    this.#path = path;
    this.#roomBytes = capBytes;
    this.#source = source;
    // `wx`: a file or link that somebody has put there is not written to. What a program prints may be secret.
    this.#stream = createWriteStream(path, { flags: "wx", mode: 0o600 });
    const resume = () => void source.resume();
    this.#stream.on("drain", resume);
    this.#stream.on("error", () => {
      this.#hasFailed = true;
      resume();
    });
  }

  /** Full, or broken: what comes next has nowhere to go. */
  get isOver(): boolean {
    return this.#roomBytes === 0 || this.#hasFailed;
  }

  /** `isOurs`: the chunk is used by nobody else, and is freed when it is written. */
  add(chunk: Buffer, isOurs: boolean): void {
    if (this.#hasFailed) return;
    const kept = chunk.subarray(0, this.#roomBytes);
    this.#roomBytes -= kept.length;
    const written = isOurs ? () => freeChunk(chunk) : undefined;
    if (!this.#stream.write(kept, written)) this.#source.pause();
  }

  /** Calls back with the path when all is written, or with null when it could not be; a slow disk gets `waitMs`. */
  close(waitMs: number, done: (path: string | null) => void): void {
    const finish = () => {
      clearTimeout(timer);
      this.#stream.off("close", finish);
      done(this.#hasFailed ? null : this.#path);
    };
    const timer = setTimeout(finish, waitMs);
    this.#stream.on("close", finish);
    if (this.#stream.closed) finish();
    else this.#stream.end();
  }
}
