import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RunEntry } from "../ports/run-event.ts";

/** More are not left waiting, and none for longer: whoever finds so many or so old a one opens the store instead. */
const maxEntries = 256;
const maxWaitMs = 300_000;

/**
 * Entries of processes that did not open the store, a file each in `$SWARM_HOME/late`. Whoever opens the record next takes
 * them in. A file of its own needs no lock: any number of processes write at once.
 */
export function leaveEntry(home: string, entry: RunEntry): void {
  const folder = folderOf(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const descriptor = openSync(join(folder, entry.id), "wx", 0o600);
  try {
    writeFileSync(descriptor, JSON.stringify(entry));
    // As the store does before its process ends; 0.5 ms on an idle disk.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether one more may be left: an entry is in no chain of hashes before it is taken in. */
export function mayLeaveEntry(home: string, nowMs: number): boolean {
  const names = entryNames(home);
  const [oldest] = names;
  if (oldest === undefined) return true;
  return names.length < maxEntries && isYoung(oldest, nowMs);
}

export interface LateEntries {
  readonly entries: readonly RunEntry[];
  /** Files that are not what was written, under the names they are kept by. */
  readonly damaged: readonly string[];
  /** To be called when the store has them for good. */
  forget(): void;
}

/** Null when there are none, which is known in 10 µs. */
export function lateEntries(home: string, nowMs: number): LateEntries | null {
  const names = entryNames(home);
  if (names.length === 0) return null;
  const taken = new Map<string, RunEntry>();
  const damaged: string[] = [];
  for (const name of names) {
    const file = join(folderOf(home), name);
    const entry = entryIn(file);
    if (entry !== null) taken.set(file, entry);
    // One that is not whole is being written, or whoever wrote it was killed before it had told anybody.
    else if (!isYoung(name, nowMs) && setAside(file)) damaged.push(asideOf(file));
  }
  const forget = (): void => {
    for (const file of taken.keys()) rmSync(file, { force: true });
  };
  return { entries: [...taken.values()], damaged, forget };
}

/** Oldest first: the time is in the id. */
function entryNames(home: string): string[] {
  try {
    return readdirSync(folderOf(home))
      .filter((name) => !name.includes("."))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** By what `newId` has put into it; a clock that was set back makes none young. */
function isYoung(id: string, nowMs: number): boolean {
  const ageMs = nowMs - Number.parseInt(id.slice(id.indexOf("_") + 1).slice(0, 9), 36);
  return ageMs >= 0 && ageMs < maxWaitMs;
}

/** Null when it is not there whole: JSON that was cut off is none. */
function entryIn(file: string): RunEntry | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as RunEntry;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function asideOf(file: string): string {
  return `${file}.damaged`;
}

/** False when another process has taken it in meanwhile. */
function setAside(file: string): boolean {
  try {
    renameSync(file, asideOf(file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

function folderOf(home: string): string {
  return join(home, "late");
}
