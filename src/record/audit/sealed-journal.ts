import { sealLength } from "../../base/seal.ts";
import type { Journal, JournalWriter } from "../../store/port/journal.ts";
import type { RunEntry } from "../port/run-event.ts";
import type { SigningKey } from "./signing-key.ts";
import { entryProblem, parsed } from "./valid-entry.ts";

/**
 * Entries that were acknowledged and are not in the store yet, a line each. Each line is sealed together with the seal of the
 * line before, so that lines can be neither made, changed, moved nor taken out of the middle without the record's key. What is
 * cut off at the end looks like a crash before it was written.
 */
export class SealedJournal {
  readonly #writer: JournalWriter;
  readonly #key: SigningKey;
  #lastSeal = firstSeal;

  /** What an earlier process has left in it has to be in the store already. */
  constructor(journal: Pick<Journal, "begin">, key: SigningKey) {
    this.#writer = journal.begin();
    this.#key = key;
  }

  /** Throws where it cannot be written, and nothing counts as written then. */
  write(entry: RunEntry): void {
    const json = JSON.stringify(entry);
    const seal = lineSeal(this.#key, this.#lastSeal, json);
    this.#writer.write(`${seal} ${json}\n`);
    this.#lastSeal = seal;
  }

  /** To be called when the store has all of it: forgets it, if that is worth the while. */
  trim(isAll = false): void {
    if (this.#writer.trim(isAll)) this.#lastSeal = firstSeal;
  }

  close(): void {
    this.#writer.close();
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
export function readJournal(journal: Pick<Journal, "read">, key: SigningKey, nowMs: number): ReadJournal {
  const lines = journal.read().split("\n");
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
