import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

export interface Rotation {
  readonly maxBytes: number;
  /** How many old files are kept: `log.1` is the newest of them. */
  readonly keep: number;
}

/** A log that never takes more room than (keep + 1) × maxBytes. One process writes it. */
export class RotatingFile {
  readonly #file: string;
  readonly #rotation: Rotation;
  #bytes: number;

  constructor(file: string, rotation: Rotation = { maxBytes: 10 * 1024 * 1024, keep: 3 }) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    this.#file = file;
    this.#rotation = rotation;
    this.#bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Lines stay whole. A disk that is full costs the line, not the daemon. */
  append(line: string): void {
    try {
      if (this.#bytes > 0 && this.#bytes + Buffer.byteLength(line) > this.#rotation.maxBytes) this.#rotate();
      appendFileSync(this.#file, line, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(line);
    } catch {
      // Whoever logs has nobody else to tell.
    }
  }

  #rotate(): void {
    for (let age = this.#rotation.keep - 1; age >= 0; age--) {
      const from = age === 0 ? this.#file : `${this.#file}.${age}`;
      if (statSync(from, { throwIfNoEntry: false }) !== undefined)
        renameSync(from, `${this.#file}.${age + 1}`);
    }
    this.#bytes = 0;
  }
}
