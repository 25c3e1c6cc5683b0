import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sealOf } from "../../base/seal.ts";
import type { RunEntry } from "../port/run-event.ts";

/** More are not left waiting, and none for longer: whoever finds so many or so old a one opens the store instead. */
const maxEntries = 256;
const maxWaitMs = 300_000;
export const sealKind = "late entry";

/**
 * Entries of processes that did not open the store, a file each in `$SWARM_HOME/late`. Whoever opens the record next takes
 * them in. A file of its own needs no lock: any number of processes write at once. Each is sealed with the record's key, so
 * that nobody can make or change one without it; a file that is deleted before it was taken in leaves no trace.
 */
export function leaveEntry(home: string, entry: RunEntry): void {
  const folder = folderOf(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const descriptor = openSync(join(folder, entry.id), "wx", 0o600);
  try {
    const json = JSON.stringify(entry);
    const secret = readFileSync(join(home, "audit-key.pem"));
    writeFileSync(descriptor, `${sealOf(secret, sealKind, json)} ${json}`);
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

/** Oldest first: the time is in the id. */
export function entryNames(home: string): string[] {
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
export function isYoung(id: string, nowMs: number): boolean {
  const ageMs = nowMs - Number.parseInt(id.slice(id.indexOf("_") + 1).slice(0, 9), 36);
  return ageMs >= 0 && ageMs < maxWaitMs;
}

export function folderOf(home: string): string {
  return join(home, "late");
}
