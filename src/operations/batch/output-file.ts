import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** A file that only grows. What is written is durable after `sync`, and `length` counts whole writes only. */
export class OutputFile {
  readonly #handle: FileHandle;
  #length: number;
  #syncedLength: number;

  private constructor(handle: FileHandle, length: number) {
    this.#handle = handle;
    this.#length = length;
    this.#syncedLength = length;
  }

  /** Cuts off what comes after `length`: a tail that no checkpoint vouches for. Throws if the file is shorter. */
  static async open(path: string, length: number): Promise<OutputFile> {
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      const { size } = await handle.stat();
      if (size < length) throw new Error(`${path} has ${size} bytes, expected at least ${length}`);
      if (size > length) {
        await handle.truncate(length);
        await handle.sync();
      }
      return new OutputFile(handle, length);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get length(): number {
    return this.#length;
  }

  async append(buffers: readonly Uint8Array[]): Promise<void> {
    let left = buffers.filter(({ length }) => length > 0);
    let at = this.#length;
    // A disk that is nearly full takes a part of it, without an error.
    while (left.length > 0) {
      const { bytesWritten } = await this.#handle.writev(left, at);
      at += bytesWritten;
      left = after(left, bytesWritten);
    }
    this.#length = at;
  }

  async sync(): Promise<void> {
    const length = this.#length;
    if (length === this.#syncedLength) return;
    await this.#handle.datasync();
    this.#syncedLength = length;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

function after(buffers: readonly Uint8Array[], count: number): Uint8Array[] {
  const left = [...buffers];
  for (let written = count; written > 0; ) {
    const [first] = left;
    if (first === undefined) break;
    if (first.length > written) left[0] = first.subarray(written);
    else left.shift();
    written -= Math.min(first.length, written);
  }
  return left;
}
