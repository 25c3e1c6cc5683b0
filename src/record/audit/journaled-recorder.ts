import type { Clock, Timer } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Store, StoreChange } from "../../store/port/store.ts";
import type { Audit, NewEntry, Recorded, ReportEnd } from "../port/audit.ts";
import type { RunEntry, RunEvent } from "../port/run-event.ts";
import { completeEntry } from "./complete-entry.ts";
import type { SealedJournal } from "./sealed-journal.ts";
import type { RowWriter } from "./row-writer.ts";
import type { Fault } from "./verify.ts";

export interface JournaledOptions {
  readonly recorder: RowWriter;
  readonly journal: SealedJournal;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** Long enough for some rows to share a transaction, short enough to be fsynced within 100 ms with the recorder's own 50. */
const behindMs = 5;
/** So many are not left to the timer. */
const maxBehind = 256;

/**
 * Acknowledges decisions from the journal and has them recorded in the turns between: of a decision's 300 µs in the daemon
 * a transaction of its own is 120. Whatever comes with changes or must reach the disk goes straight to the recorder, after
 * all that came before it.
 */
export class JournaledRecorder implements Audit {
  readonly #options: JournaledOptions;
  /** In the journal and not yet in the store. */
  #behind: RunEntry[] = [];
  /** With the recorder; ends when the store has it. */
  #under: Promise<void> | null = null;
  #flushes = 0;
  /** The store or the journal took no more: nothing is acknowledged but by the store until it does again. */
  #isStuck = false;
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(options: JournaledOptions) {
    this.#options = options;
  }

  get fault(): Fault | null {
    return this.#options.recorder.fault;
  }

  record(given: NewEntry, ...changes: readonly StoreChange[]): Promise<Recorded> {
    const { recorder, clock } = this.#options;
    const entry = completeEntry(given, new Date(clock.now()).toISOString());
    const isLight = changes.length === 0 && entry.kind === "emit";
    const isAhead = !this.#isStuck && !this.#isClosed && !recorder.isDamaged;
    if (isLight && isAhead && this.#note(entry)) return Promise.resolve(entry);
    void this.catchUp();
    const recorded = recorder.add(entry, changes);
    return this.#isStuck ? recorded.then((row) => this.#freed(row)) : recorded;
  }

  async intent(given: Omit<NewEntry, "kind">, ...changes: readonly StoreChange[]): Promise<ReportEnd> {
    void this.catchUp();
    return this.#options.recorder.intent(given, ...changes);
  }

  async accept(actor: string, reason: string): Promise<RunEvent> {
    await this.catchUp();
    return this.#options.recorder.accept(actor, reason);
  }

  onRecorded(listener: (row: RunEvent) => void): () => void {
    return this.#options.recorder.onRecorded(listener);
  }

  /**
   * Ends when the store has what was acknowledged before the call, or cannot take it; null when it has all. What is behind
   * is with the recorder when this returns: whatever is recorded next comes after it.
   */
  catchUp(): Promise<void> | null {
    if (this.#behind.length > 0) {
      this.#timer?.close();
      this.#timer = null;
      const under: Promise<void> = Promise.all([this.#under, this.#flush()]).then(() => {
        if (this.#under === under) this.#under = null;
      });
      this.#under = under;
    }
    return this.#under;
  }

  /** Forgets what the store has: payloads stay no longer in the journal than anywhere. */
  async trim(): Promise<void> {
    await this.catchUp();
    if (this.#behind.length + this.#flushes === 0) this.#options.journal.trim(true);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.trim();
    this.#timer?.close();
    this.#options.journal.close();
    await this.#options.recorder.close();
  }

  /** Whether it is in the journal; where it cannot be, the store is asked, which knows what to say. */
  #note(entry: RunEntry): boolean {
    const { journal, clock, log } = this.#options;
    try {
      journal.write(entry);
    } catch (error) {
      log.warn(`the journal cannot be written: ${(error as Error).message}`, { event: entry.event });
      this.#isStuck = true;
      return false;
    }
    this.#behind.push(entry);
    if (this.#behind.length >= maxBehind) void this.catchUp();
    else this.#timer ??= clock.setTimer(() => void this.catchUp(), behindMs);
    return true;
  }

  #freed(row: RunEvent): RunEvent {
    this.#isStuck = this.#behind.length > 0;
    return row;
  }

  /** All of one turn of the event loop are one transaction. What fails stays in the journal and is tried again. */
  async #flush(): Promise<void> {
    const { recorder, journal, clock, log } = this.#options;
    const entries = this.#behind;
    this.#behind = [];
    this.#flushes++;
    const ends = await Promise.allSettled(entries.map((entry) => recorder.add(entry)));
    const failed = ends.find((end) => end.status === "rejected");
    this.#isStuck = failed !== undefined;
    if (failed === undefined) {
      this.#flushes--;
      if (this.#behind.length + this.#flushes === 0) journal.trim();
      return;
    }
    const unknown = await this.#unknown(entries);
    this.#behind = [...unknown, ...this.#behind];
    // Not before: a flush that ends meanwhile must not take the journal for done with.
    this.#flushes--;
    // Whoever opens the record next finds them in the journal.
    if (recorder.isDamaged) return;
    if (this.#behind.length === 0) this.#isStuck = false;
    else
      log.warn(`the record is behind: ${String((failed.reason as Error).message)}`, {
        rows: this.#behind.length,
      });
    if (!this.#isClosed && this.#behind.length > 0)
      this.#timer ??= clock.setTimer(() => void this.catchUp(), retryMs);
  }

  /** Some of them may be in the store: another process has read the journal when it took this one for dead. */
  async #unknown(entries: readonly RunEntry[]): Promise<RunEntry[]> {
    try {
      return await unknownTo(this.#options.store, entries);
    } catch (error) {
      if (error instanceof SwarmError) return [...entries];
      throw error;
    }
  }
}

const retryMs = 1_000;

/**
 * Records what others had acknowledged before they ended, and tells how many there were. Another process may do the same
 * at the same time: what it was faster with is left out at the next attempt.
 */
export async function recordLeftovers(
  entries: readonly RunEntry[],
  store: Store,
  recorder: RowWriter,
): Promise<number> {
  let unknown = await unknownTo(store, entries);
  for (let recorded = 0; ; ) {
    const ends = await Promise.allSettled(unknown.map((entry) => recorder.add(entry)));
    recorded += ends.filter(({ status }) => status === "fulfilled").length;
    const failed = ends.find((end) => end.status === "rejected");
    if (failed === undefined) return recorded;
    const left = await unknownTo(store, unknown);
    if (left.length === unknown.length) throw failed.reason;
    unknown = left;
  }
}

async function unknownTo(store: Store, entries: readonly RunEntry[]): Promise<RunEntry[]> {
  const unknown: RunEntry[] = [];
  for (const entry of entries) if ((await store.findRunEvent(entry.id)) === null) unknown.push(entry);
  return unknown;
}
