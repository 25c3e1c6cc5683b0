const newline = 0x0a;

/** The lines of a file that are not blank. One of more than `maxBytes` is passed over and told, and costs no memory. */
export function* linesOf(
  chunks: Iterable<Buffer>,
  maxBytes: number,
  onTooLong: () => void,
): Generator<string> {
  const line = new HeldBytes(maxBytes);
  const finish = (): string => {
    if (line.isTooLong) onTooLong();
    return line.take();
  };
  for (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      line.add(chunk.subarray(start, end));
      start = end + 1;
      const text = finish();
      if (text.trim() !== "") yield text;
    }
    line.add(chunk.subarray(start));
  }
  const last = finish();
  if (last.trim() !== "") yield last;
}

/** Bytes that belong together, copied out of the pieces they came in; beyond `maxBytes` none of them. */
export class HeldBytes {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isTooLong(): boolean {
    return this.#length > this.#maxBytes;
  }

  add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.isTooLong) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(Buffer.from(piece));
  }

  /** Whether what is held is such a text; only ever true of a short one. */
  matches(pattern: RegExp): boolean {
    return this.#length < 100 && pattern.test(Buffer.concat(this.#pieces).toString("utf8"));
  }

  /** What was held as a text, nothing if it was too long; then it is empty again. */
  take(): string {
    const text = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#length = 0;
    return text;
  }
}
