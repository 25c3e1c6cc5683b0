import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock, Timer } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { replaceFileLater, syncFolder } from "../../base/replace-file.ts";

/** Changes that come within it are written together: a rewrite of 10,000 jobs takes 30 ms, and hundreds may be imported. */
const settleMs = 500;

/**
 * Keeps a file equal to what is in the store, for people and programs that read files. It appears whole or not at all.
 * The store is what counts: a file that cannot be written is told of and costs nothing else.
 */
export class Mirror {
  readonly #file: string;
  readonly #text: () => AsyncIterable<string>;
  readonly #clock: Clock;
  readonly #log: Log;
  #timer: Timer | null = null;
  #isStale = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, text: () => AsyncIterable<string>, clock: Clock, log: Log) {
    this.#file = file;
    this.#text = text;
    this.#clock = clock;
    this.#log = log;
  }

  /** What it mirrors has changed. */
  readonly touch = (): void => {
    this.#isStale = true;
    this.#timer ??= this.#clock.setTimer(() => void this.flush(), settleMs);
  };

  /** Writes now what is not written yet, and waits for it. */
  flush(): Promise<void> {
    this.#timer?.close();
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (!this.#isStale) return;
    this.#isStale = false;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      await replaceFileLater(this.#file, this.#text());
      // Without it the new name may be lost with the power, though the file itself is not.
      await syncFolder(dirname(this.#file));
    } catch (error) {
      this.#log.warn(`${this.#file} is out of date: ${(error as Error).message}`, { file: this.#file });
    }
  }
}
