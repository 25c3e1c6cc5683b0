import { BoundedOutput } from "../process/bounded-output.ts";

const lineFeed = 10;

/** Cuts a stream into lines, none of them longer than a limit. */
export class LineReader {
  readonly #limitBytes: number;
  readonly #onLine: (line: string) => void;
  #line: BoundedOutput;

  constructor(limitBytes: number, onLine: (line: string) => void) {
    this.#limitBytes = limitBytes;
    this.#onLine = onLine;
    this.#line = new BoundedOutput(limitBytes);
  }

  /** False once a line is over the limit: nobody knows where the next one begins. */
  add(chunk: Buffer): boolean {
    for (let start = 0; ; ) {
      const end = chunk.indexOf(lineFeed, start);
      const part = end === -1 ? chunk.subarray(start) : chunk.subarray(start, end);
      const { length } = part; // a part that was taken whole may have none any more
      if (this.#line.add(part) < length) return false;
      if (end === -1) return true;
      const line = this.#line.text();
      this.#line = new BoundedOutput(this.#limitBytes);
      start = end + 1;
      this.#onLine(line);
    }
  }
}
