import { StringDecoder } from "node:string_decoder";
import { freeChunk } from "./free-chunk.ts";

/**
 * The first `limitBytes` of a stream. One buffer that grows, not a list of chunks: a child that writes single bytes
 * would make a list of a million entries of 150 bytes each. Decoded once, at the end: a character may be split over
 * two chunks. What is given to it is its own, and is freed once copied.
 */
export class BoundedOutput {
  readonly #limitBytes: number;
  #buffer: Buffer = Buffer.alloc(0);
  #lengthBytes = 0;
  #isCut = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Keeps what fits and says how many bytes that were. */
  add(chunk: Buffer): number {
    const taken = Math.min(chunk.length, this.#limitBytes - this.#lengthBytes);
    if (taken < chunk.length) this.#isCut = true;
    if (taken > 0) this.#append(taken === chunk.length ? chunk : chunk.subarray(0, taken));
    return taken;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#lengthBytes);
  }

  text(): string {
    // Where it was cut, the decoder leaves out the first bytes of a character whose rest is missing.
    return this.#isCut ? new StringDecoder("utf8").write(this.bytes) : this.bytes.toString("utf8");
  }

  /** Gives the memory back; there is nothing to read from then on. */
  free(): void {
    freeChunk(this.#buffer);
    this.#buffer = Buffer.alloc(0);
    this.#lengthBytes = 0;
  }

  #append(chunk: Buffer): void {
    const lengthBytes = this.#lengthBytes + chunk.length;
    if (this.#lengthBytes === 0) {
      this.#buffer = chunk; // nearly always the only one: not copied
    } else {
      if (lengthBytes > this.#buffer.length) this.#growTo(Math.max(lengthBytes, 2 * this.#buffer.length));
      chunk.copy(this.#buffer, this.#lengthBytes);
      freeChunk(chunk);
    }
    this.#lengthBytes = lengthBytes;
  }

  #growTo(capacityBytes: number): void {
    const grown = Buffer.allocUnsafe(Math.min(capacityBytes, this.#limitBytes));
    this.bytes.copy(grown);
    freeChunk(this.#buffer);
    this.#buffer = grown;
  }
}
