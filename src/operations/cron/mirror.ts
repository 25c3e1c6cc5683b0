import { existsSync, mkdirSync } from "node:fs";
import { readdir, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Clock, Timer } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { replaceFileLater, syncFolder } from "../../base/replace-file.ts";
import { isEdited, withDigest } from "./mirror-file.ts";

/** Changes that come within it are written together: a rewrite of 10,000 jobs takes 30 ms, and hundreds may be imported. */
const settleMs = 500;

/** An edit by hand, which changes nothing: the file as it is, or where it was put aside. */
export interface MirrorEdit {
  readonly file: string;
  readonly isAside: boolean;
}

/**
 * Keeps a file equal to what is in the store, for people and programs that read files. It appears whole or not at all.
 * The store is what counts: a file that cannot be written is told of and costs nothing else, and one that somebody has
 * edited is put aside and told of, never read and never written over.
 */
export class Mirror {
  readonly #file: string;
  readonly #text: () => AsyncIterable<string>;
  readonly #clock: Clock;
  readonly #log: Log;
  #timer: Timer | null = null;
  #isStale = false;
  #writing: Promise<void> = Promise.resolve();
  /** Of the file as it was last looked at. */
  #stamp = "";

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
    return this.#next(() => this.#write());
  }

  /** Puts aside what somebody has edited, if anybody has, and writes the file again. */
  check(): Promise<void> {
    return this.#next(async () => {
      if (await this.#putEditAside()) await this.#write();
    });
  }

  /** Edits that nobody has taken over or removed. */
  async edits(): Promise<MirrorEdit[]> {
    const folder = dirname(this.#file);
    const names = await readdir(folder).catch(() => []);
    const aside = names
      .filter((name) => name.startsWith(this.#asideName("")) && name.endsWith(".json"))
      .sort();
    const now = (await isEdited(this.#file)) ? [{ file: this.#file, isAside: false }] : [];
    return [...now, ...aside.map((name) => ({ file: join(folder, name), isAside: true }))];
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(work).catch((error: Error) => {
      this.#log.warn(`${this.#file} is out of date: ${error.message}`, { file: this.#file });
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (!this.#isStale) return;
    await this.#putEditAside();
    this.#isStale = false;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    await replaceFileLater(this.#file, withDigest(this.#text()));
    // Without it the new name may be lost with the power, though the file itself is not.
    await syncFolder(dirname(this.#file));
    this.#stamp = await this.#look();
  }

  /** A file that has not changed since it was looked at is not read again. */
  async #putEditAside(): Promise<boolean> {
    const stamp = await this.#look();
    if (stamp === this.#stamp) return false;
    this.#stamp = stamp;
    if (!(await isEdited(this.#file))) return false;
    const aside = this.#freeAside();
    await rename(this.#file, aside);
    this.#isStale = true;
    this.#log.warn(
      `${this.#file} was edited by hand, which changes no job: the edit is in ${aside}; take it over with: swarm cron import ${aside}`,
      { file: aside },
    );
    return true;
  }

  async #look(): Promise<string> {
    try {
      const { ino, size, mtimeMs } = await stat(this.#file);
      return `${ino} ${size} ${mtimeMs}`;
    } catch {
      return ""; // it is not there
    }
  }

  /** No edit is written over by a later one. */
  #freeAside(): string {
    const time = new Date(this.#clock.now()).toISOString().replaceAll(/[:.]/g, "-");
    for (let count = 1; ; count++) {
      const name = this.#asideName(`${time}${count === 1 ? "" : `-${count}`}.json`);
      const aside = join(dirname(this.#file), name);
      if (!existsSync(aside)) return aside;
    }
  }

  #asideName(rest: string): string {
    return `${basename(this.#file, ".json")}.edited-${rest}`;
  }
}
