import type { RunEntry } from "./run-event.ts";
import type { StoreChange } from "../../store/port/store.ts";

/** What is to be told of something that happened; the rest of its row is filled in. */
export type NewEntry = Partial<RunEntry> & Pick<RunEntry, "kind" | "event" | "actor">;

/** What was recorded; its place in the record may not be known yet. */
export type Recorded = Omit<RunEntry, "before" | "after">;

/** How an effect outside ended. */
export interface EffectEnd {
  readonly outcome: "completed" | "failed" | "denied";
  readonly reason?: string | null;
  readonly ms?: number;
  /** What became of what the intent named, as JSON text. */
  readonly after?: string | null;
}

/** Records how it ended, with the changes that follow from it. */
export type ReportEnd = (end: EffectEnd, ...changes: readonly StoreChange[]) => Promise<Recorded>;

/** The record of everything. */
export interface Audit {
  /**
   * Resolves when the row survives the death of this process; with `audit.durability: power_loss`, or for an
   * intent, when it survives a power loss. The changes are made in the same transaction, or nothing is.
   */
  record(entry: NewEntry, ...changes: readonly StoreChange[]): Promise<Recorded>;
  /**
   * Announces an effect outside before it happens, durably; the function it resolves to reports how it ended. An
   * intent nobody reported on is shown as such: a crash came between. Each row may bring a change with it.
   */
  intent(entry: Omit<NewEntry, "kind">, ...changes: readonly StoreChange[]): Promise<ReportEnd>;
}
