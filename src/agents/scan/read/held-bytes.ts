/**
 * Bytes that belong together, copied out of the pieces they came in; beyond `maxBytes` only their number. One buffer is used
 * again and again: buffers that are thrown away are not collected before there are 64 MB of them.
 */
export class HeldBytes {
  readonly #maxBytes: number;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  get isTooLong(): boolean {
    return this.#length > this.#maxBytes;
  }

  add(piece: Buffer): void {
    const start = this.#length;
    this.#length += piece.length;
    if (this.isTooLong) return;
    if (this.#length > this.#buffer.length) this.#grow(this.#length);
    piece.copy(this.#buffer, start);
  }

  /** What is held as a text; of too much, nothing. */
  text(): string {
    return this.isTooLong ? "" : this.#buffer.toString("utf8", 0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.min(Math.max(needed, this.#buffer.length * 2), this.#maxBytes));
    this.#buffer.copy(grown);
    this.#buffer = grown;
  }
}
