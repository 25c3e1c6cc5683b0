import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Of a run's output the beginning and the end are kept: one says what it did, the other how it went wrong. */
const headBytes = 960 * 1024;
const tailBytes = 64 * 1024;

/**
 * The file a run's output goes to, a mebibyte at most. Written as it comes, without a buffer of ours, so that it can be
 * followed and is there after a crash. A disk that is full costs the output, not the run.
 */
export class OutputLog {
  readonly #file: number | null;
  #roomBytes = headBytes;
  /** The newest output that did not fit, as a ring. */
  #tail: Buffer | null = null;
  #tailAt = 0;
  #leftOutBytes = 0;
  #problem: string | null = null;

  constructor(path: string) {
    let file: number | null = null;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // `wx`: a file or link that somebody has put there is not written to. What a program prints may be secret.
      file = openSync(path, "wx", 0o600);
    } catch (error) {
      this.#problem = (error as Error).message;
    }
    this.#file = file;
  }

  /** Why output is missing; null when none is. */
  get problem(): string | null {
    return this.#problem;
  }

  readonly print = (output: string | Buffer): void => {
    const bytes = typeof output === "string" ? Buffer.from(output) : output;
    const kept = bytes.subarray(0, this.#roomBytes);
    this.#roomBytes -= kept.length;
    this.#write(kept);
    if (kept.length < bytes.length) this.#keep(bytes.subarray(kept.length));
  };

  close(): void {
    if (this.#file === null) return;
    if (this.#tail !== null) {
      const lost = this.#leftOutBytes - tailBytes;
      if (lost > 0) this.#write(Buffer.from(`\n… ${lost} bytes are left out …\n`));
      const whole = Buffer.concat([this.#tail.subarray(this.#tailAt), this.#tail.subarray(0, this.#tailAt)]);
      this.#write(lost > 0 ? whole : whole.subarray(tailBytes - this.#leftOutBytes));
    }
    closeSync(this.#file);
  }

  #keep(bytes: Buffer): void {
    this.#tail ??= Buffer.alloc(tailBytes);
    this.#leftOutBytes += bytes.length;
    const last = bytes.subarray(Math.max(0, bytes.length - tailBytes));
    const first = last.subarray(0, tailBytes - this.#tailAt);
    first.copy(this.#tail, this.#tailAt);
    last.copy(this.#tail, 0, first.length);
    this.#tailAt = (this.#tailAt + last.length) % tailBytes;
  }

  /** On a full disk a write may be short without an error. */
  #write(bytes: Buffer): void {
    if (this.#file === null || this.#problem !== null) return;
    try {
      for (let at = 0; at < bytes.length; ) {
        const written = writeSync(this.#file, bytes, at);
        if (written === 0) throw new Error("nothing could be written");
        at += written;
      }
    } catch (error) {
      this.#problem = (error as Error).message;
    }
  }
}
