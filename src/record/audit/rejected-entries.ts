import { renameSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { newId } from "../../base/ids.ts";
import type { NewEntry } from "../port/audit.ts";
import type { RecordedChange } from "../port/run-event.ts";
import { sha256 } from "../port/chain.ts";

/** Keeps lines that are not believed beside their file, for a person to look at; null when the same were kept before. */
export function keepRejected(file: string, text: string): string | null {
  const kept = `${file}.${sha256(text).slice(0, 16)}.rejected`;
  try {
    writeFileSync(kept, text, { flag: "wx", mode: 0o600 });
    return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return null;
    throw error;
  }
}

/** Moves away what is not even a file that could be read. */
export function moveRejected(file: string): string {
  const kept = `${file}.${newId("at")}.rejected`;
  renameSync(file, kept);
  return kept;
}

/** The row that says so. */
export function rejectedEntry(count: number, kept: string, problem: string): NewEntry {
  const event: RecordedChange = "entries.rejected";
  const what = count === 1 ? "1 entry is" : `${count} entries are`;
  const reason = `${what} not recorded and kept in ${basename(kept)}: ${problem}`;
  return { kind: "change", event, actor: "swarm", reason };
}
