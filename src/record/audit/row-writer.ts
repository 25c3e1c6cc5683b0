import type { Log } from "../../base/log.ts";
import type { StoreChange } from "../../store/port/store.ts";
import type { Audit, NewEntry, ReportEnd } from "../port/audit.ts";
import type { RunEntry, RunEvent } from "../port/run-event.ts";
import type { Fault } from "./verify.ts";

/** Makes rows of entries, one after the other, and signs them. There is one in a process, in this thread or in another. */
export interface RowWriter extends Audit {
  /** Why heads are no longer signed: somebody else changed the record. Recording goes on. */
  readonly fault: Fault | null;
  /** The disk has failed: nothing is recorded any more. */
  readonly isDamaged: boolean;
  record(entry: NewEntry, ...changes: readonly StoreChange[]): Promise<RunEvent>;
  /** Records what is complete already. Entries of one turn of the event loop share a transaction. */
  add(entry: RunEntry, changes?: readonly StoreChange[]): Promise<RunEvent>;
  /** What is wrong with the record as it is now, whoever else has written it. */
  currentFault(): Promise<Fault | null>;
  /**
   * Goes on from the record as it is, because a person says so: a backup was put back, or what is missing is known to be.
   * The row comes first; whoever is killed before the head is signed leaves the fault as it was.
   */
  accept(actor: string, reason: string): Promise<RunEvent>;
  /** Told of every row this process has written. */
  onRecorded(listener: (row: RunEvent) => void): () => void;
  /** Waits until everything is written, signed and fsynced. */
  close(): Promise<void>;
}

/** Announces an effect, and returns how its end is reported. */
export async function announce(
  record: RowWriter["record"],
  given: Omit<NewEntry, "kind">,
  changes: readonly StoreChange[],
): Promise<ReportEnd> {
  const intent = await record({ ...given, kind: "intent", outcome: "open" } as NewEntry, ...changes);
  const { id: ref, event, actor, session, agent, task, cwd, source, verdict, hook, hook_digest } = intent;
  const same = { event, actor, session, agent, task, cwd, source, verdict, hook, hook_digest };
  return ({ outcome, reason = null, ms = 0, after = null }, ...following) =>
    record({ ...same, kind: "outcome", ref, outcome, reason, ms, after }, ...following);
}

/** A listener that throws does not keep the others from being told. */
export function notifyListeners(
  listeners: Iterable<(row: RunEvent) => void>,
  rows: readonly RunEvent[],
  log: Log,
): void {
  for (const listener of listeners) {
    for (const row of rows) {
      try {
        listener(row);
      } catch (error) {
        log.warn("a listener of the record threw", { seq: row.seq, error: String(error) });
      }
    }
  }
}
