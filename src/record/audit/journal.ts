import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { readBoundedFile } from "../../base/bounded-file.ts";
import { sealLength } from "../../base/seal.ts";
import type { RunEntry } from "../port/run-event.ts";
import type { SigningKey } from "./signing-key.ts";
import { entryProblem, parsed } from "./valid-entry.ts";

/** So much is read again at most after a crash; about 400 entries. */
const maxBytes = 256 * 1024;
/** A store that takes nothing for a while lets it grow; nothing near this was ever seen. */
const maxReadBytes = 256 * 1024 * 1024;

/**
 * Entries that were acknowledged and are not in the store yet, a line each. One write per entry: it survives the death of
 * the process as SQLite's commit does, in 8 µs instead of 120. It is not fsynced, and holds nothing the store will not.
 * Each line is sealed together with the seal of the line before, so that lines can be neither made, changed, moved nor
 * taken out of the middle without the record's key. What is cut off at the end looks like a crash before it was written.
 */
export class Journal {
  readonly #descriptor: number;
  readonly #key: SigningKey;
  #bytes = 0;
  #lastSeal = firstSeal;

  /** What an earlier process has left in the file has to be in the store already. */
  constructor(file: string, key: SigningKey) {
    this.#descriptor = openSync(file, "w", 0o600);
    this.#key = key;
  }

  /** Throws where it cannot be written, and nothing counts as written then. */
  write(entry: RunEntry): void {
    const json = JSON.stringify(entry);
    const seal = lineSeal(this.#key, this.#lastSeal, json);
    const line = `${seal} ${json}\n`;
    const length = Buffer.byteLength(line);
    // At its place and not at the end: what a write that failed has left behind is written over.
    const done = writeSync(this.#descriptor, line, this.#bytes);
    if (done < length) this.#finish(Buffer.from(line), done);
    this.#bytes += length;
    this.#lastSeal = seal;
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
    this.#lastSeal = firstSeal;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

export interface ReadJournal {
  readonly entries: readonly RunEntry[];
  /** The lines from the first one on that is not as a journal wrote it, and why; null when there is none. */
  readonly rejected: { readonly text: string; readonly lines: number; readonly problem: string } | null;
}

/**
 * The entries of a journal. A last line without its end was being written when the process ended: nobody was told of that
 * one. Any other line that is not sealed, or seals no entry, ends the reading: nothing after it can be believed.
 * Throws `NotReadable` for what is no regular file.
 */
export function readJournal(file: string, key: SigningKey, nowMs: number): ReadJournal {
  const lines = textOf(file).split("\n");
  lines.pop(); // what follows the last line's end
  const entries: RunEntry[] = [];
  let lastSeal = firstSeal;
  for (const [at, line] of lines.entries()) {
    const seal = line.slice(0, sealLength);
    const json = line.slice(sealLength + 1);
    const isSealed = line[sealLength] === " " && seal === lineSeal(key, lastSeal, json);
    const entry = isSealed ? parsed(json) : undefined;
    const problem = isSealed ? entryProblem(entry, nowMs) : "it was not written by a daemon of this home";
    if (problem !== null) {
      const rejected = lines.slice(at);
      return { entries, rejected: { text: `${rejected.join("\n")}\n`, lines: rejected.length, problem } };
    }
    entries.push(entry as RunEntry);
    lastSeal = seal;
  }
  return { entries, rejected: null };
}

const firstSeal = "";

function lineSeal(key: SigningKey, lastSeal: string, json: string): string {
  return key.seal("journal", `${lastSeal}\n${json}`);
}

function textOf(file: string): string {
  try {
    return readBoundedFile(file, maxReadBytes).bytes.toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
