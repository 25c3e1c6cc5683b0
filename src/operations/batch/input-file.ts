import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import { SwarmError } from "../../base/errors.ts";

/** What tells a file from the one it was. */
export interface Fingerprint {
  readonly size: number;
  readonly mtime_ms: number;
  /** SHA-256 of its first 64 KiB. */
  readonly head: string;
}

const headBytes = 64 * 1024;

/** The bytes of an input, inflated if need be, from any place in it forwards. */
export class InputFile {
  readonly path: string;
  readonly fingerprint: Fingerprint;
  readonly #handle: FileHandle;
  readonly #inflater: Inflater | null;

  private constructor(path: string, handle: FileHandle, fingerprint: Fingerprint, isGzip: boolean) {
    this.path = path;
    this.#handle = handle;
    this.fingerprint = fingerprint;
    this.#inflater = isGzip ? new Inflater(handle) : null;
  }

  static async open(path: string, isGzip: boolean): Promise<InputFile> {
    try {
      // Opening a pipe that nobody writes to would wait for ever.
      const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        return new InputFile(path, handle, await fingerprintOf(handle), isGzip);
      } catch (error) {
        await handle.close();
        throw error;
      }
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  /**
   * Reads what is there at `at` into the rest of a buffer, and tells how much that was; 0 at the end. A compressed input has
   * no way back: `at` never decreases.
   */
  async read(at: number, into: Buffer, offset: number): Promise<number> {
    try {
      if (this.#inflater !== null) return (await this.#inflater.read(at)).copy(into, offset);
      const { bytesRead } = await this.#handle.read(into, offset, into.length - offset, at);
      return bytesRead;
    } catch (error) {
      throw unreadable(this.path, error);
    }
  }

  /** How long it is; of a compressed one an estimate from what it came to so far, null before there is one. */
  get size(): number | null {
    const { size } = this.fingerprint;
    return this.#inflater === null ? size : this.#inflater.estimate(size);
  }

  /** Throws if the file is not the one it was. */
  async checkUnchanged(since: Fingerprint): Promise<void> {
    const now = await fingerprintOf(this.#handle);
    const keys = ["size", "mtime_ms", "head"] as const;
    const changed = keys.find((key) => now[key] !== since[key]);
    if (changed === undefined) return;
    const names = { size: "its size", mtime_ms: "the time it was written", head: "its first bytes" };
    throw new SwarmError("SWARM_BATCH_INPUT_CHANGED", { input: this.path, what: names[changed] });
  }

  async close(): Promise<void> {
    await this.#inflater?.close();
    await this.#handle.close();
  }
}

async function fingerprintOf(handle: FileHandle): Promise<Fingerprint> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw new Error("not a file, expected one");
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await handle.read(head, 0, headBytes, 0);
  const digest = createHash("sha256").update(head.subarray(0, bytesRead)).digest("hex");
  return { size: stats.size, mtime_ms: stats.mtimeMs, head: digest };
}

function unreadable(input: string, error: unknown): Error {
  if (error instanceof SwarmError) return error;
  const problem = (error as Error).message;
  return new SwarmError("SWARM_BATCH_INPUT_UNREADABLE", { input, problem }, { cause: error });
}

/** Inflates from the start, whatever is asked for: a compressed file cannot be entered in its middle. */
class Inflater {
  readonly #gunzip: Gunzip;
  readonly #blocks: AsyncIterator<Buffer>;
  #block: Buffer = Buffer.alloc(0);
  /** Where the block begins, of what it inflates to. */
  #start = 0;

  constructor(handle: FileHandle) {
    const stream = handle.createReadStream({ start: 0, highWaterMark: 256 * 1024, autoClose: false });
    this.#gunzip = createGunzip({ chunkSize: 256 * 1024 });
    // Its error is the iterator's, too.
    pipeline(stream, this.#gunzip, () => undefined);
    this.#blocks = this.#gunzip[Symbol.asyncIterator]();
  }

  async read(at: number): Promise<Buffer> {
    while (at >= this.#start + this.#block.length) {
      const { value, done } = await this.#blocks.next();
      if (done) return Buffer.alloc(0);
      this.#start += this.#block.length;
      this.#block = value;
    }
    return this.#block.subarray(at - this.#start);
  }

  estimate(compressedSize: number): number | null {
    const { bytesWritten } = this.#gunzip;
    const inflated = this.#start + this.#block.length;
    if (bytesWritten === 0 || inflated === 0) return null;
    return Math.max(inflated, Math.round((inflated * compressedSize) / bytesWritten));
  }

  async close(): Promise<void> {
    this.#gunzip.destroy();
    await this.#blocks.return?.();
  }
}
