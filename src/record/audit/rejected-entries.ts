import { basename } from "node:path";
import type { NewEntry } from "../port/audit.ts";
import type { RecordedChange } from "../port/run-event.ts";

/** The row that says what of a journal is not believed. */
export function rejectedEntry(count: number, kept: string, problem: string): NewEntry {
  const event: RecordedChange = "entries.rejected";
  const what = count === 1 ? "1 entry is" : `${count} entries are`;
  const reason = `${what} not recorded and kept in ${basename(kept)}: ${problem}`;
  return { kind: "change", event, actor: "swarm", reason };
}
