import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { RunEntry } from "../ports/run-event.ts";

/** So much is read again at most after a crash; about 400 entries. */
const maxBytes = 256 * 1024;

/**
 * Entries that were acknowledged and are not in the store yet, a line each. One write per entry: it survives the death of
 * the process as SQLite's commit does, in 8 µs instead of 120. It is not fsynced, and holds nothing the store will not.
 */
export class Journal {
  readonly #descriptor: number;
  #bytes = 0;

  /** What an earlier process has left in the file has to be in the store already. */
  constructor(file: string) {
    this.#descriptor = openSync(file, "w", 0o600);
  }

  /** Throws where it cannot be written, and nothing counts as written then. */
  write(entry: RunEntry): void {
    const line = lineOf(entry);
    const length = Buffer.byteLength(line);
    // At its place and not at the end: what a write that failed has left behind is written over.
    const done = writeSync(this.#descriptor, line, this.#bytes);
    if (done < length) this.#finish(Buffer.from(line), done);
    this.#bytes += length;
  }

  /** A disk that is nearly full takes a part, and says so of the rest. */
  #finish(line: Buffer, written: number): void {
    for (let done = written; done < line.length; )
      done += writeSync(this.#descriptor, line, done, line.length - done, this.#bytes + done);
  }

  /** To be called when the store has all of it: forgets it, if that is worth the while. */
  trim(isAll = false): void {
    if (this.#bytes <= (isAll ? 0 : maxBytes)) return;
    ftruncateSync(this.#descriptor, 0);
    this.#bytes = 0;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The entries of a journal, up to the first that was not written whole: nobody was told of that one. */
export function readJournal(file: string): RunEntry[] {
  const entries: RunEntry[] = [];
  for (const line of textOf(file).split("\n")) {
    const json = line.slice(checkLength + 1);
    if (line.slice(0, checkLength) !== checkOf(json)) break;
    entries.push(JSON.parse(json) as RunEntry);
  }
  return entries;
}

const checkLength = 8;

function lineOf(entry: RunEntry): string {
  const json = JSON.stringify(entry);
  return `${checkOf(json)} ${json}\n`;
}

function checkOf(json: string): string {
  return crc32(json).toString(16).padStart(checkLength, "0");
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
