import type { Clock, Timer } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { defaultLog, type Log } from "../../base/log.ts";
import type { Head, NewRow, Store, StoreChange } from "../../store/port/store.ts";
import type { NewEntry, ReportEnd } from "../port/audit.ts";
import { isPayloadKept } from "../port/chain.ts";
import type { RecordedChange, RunEntry, RunEvent } from "../port/run-event.ts";
import { completeEntry } from "./complete-entry.ts";
import { grantOf } from "./grants.ts";
import { approverRows, type HeadMark } from "./head-mark.ts";
import { sealRow } from "./row-seal.ts";
import { announce, notifyListeners, type RowWriter } from "./row-writer.ts";
import { signTail } from "./sign-tail.ts";
import type { SigningKey } from "./signing-key.ts";
import type { Fault } from "./verify.ts";

export type Durability = "process" | "power_loss";

export interface RecorderOptions {
  readonly store: Store;
  readonly key: SigningKey;
  readonly clock: Clock;
  /** Where the newest signed head is kept outside of the store, if anywhere. */
  readonly mark?: HeadMark | undefined;
  /** What a row must survive before whoever recorded it is told so. */
  readonly durability: Durability;
  /** Told when heads are no longer signed, and when a listener throws. */
  readonly log?: Log;
}

/** Rows are fsynced and the head is signed at most 100 ms after they were written: half of it for the timer. */
const settleMs = 50;

interface Waiting {
  readonly entry: RunEntry;
  readonly changes: readonly StoreChange[];
  readonly resolve: (row: RunEvent) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The one writer. Entries that arrive in one turn of the event loop are written in one transaction: at 32 callers
 * that is one commit for up to 32 rows. While a transaction is under way the next group gathers.
 */
export class Recorder implements RowWriter {
  readonly #options: RecorderOptions;
  readonly #log: Log;
  readonly #listeners = new Set<(row: RunEvent) => void>();
  #waiting: Waiting[] = [];
  /** Ends when what was begun last has; neither ever fails. */
  #writing: Promise<unknown> = Promise.resolve();
  #settling: Promise<unknown> = Promise.resolve();
  #isSettled = true;
  /** The newest row, if it is known to follow from a signed head. */
  #known: Head | null = null;
  #fault: Fault | null = null;
  #timer: Timer | null = null;
  #isClosed = false;
  #isDamaged = false;
  /** In this turn of the event loop. */
  #hasWritten = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#log = options.log ?? defaultLog;
  }

  get fault(): Fault | null {
    return this.#fault;
  }

  async currentFault(): Promise<Fault | null> {
    await this.#inTurn(async () => {
      const { hash } = await this.#options.store.head();
      if (hash !== this.#known?.hash) this.#known = null;
      await this.#lookBack();
    });
    return this.#fault;
  }

  async accept(actor: string, reason: string): Promise<RunEvent> {
    const event: RecordedChange = "audit.accepted";
    const row = await this.record({ kind: "change", event, actor, reason });
    const { store, key, mark } = this.#options;
    await this.#inTurn(async () => {
      const head = await store.head();
      const signed = key.sign(head, this.#time());
      await store.replaceSignedHead(signed);
      await store.sync();
      mark?.replace(signed);
      // Only where it is not known: whoever takes rows of approvers out does not get that accepted.
      if (mark?.approvers() === null) mark.keepApprovers(approverRows(await store.approverChanges()));
      this.#fault = null;
      this.#known = head;
    });
    return row;
  }

  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  record(entry: NewEntry, ...changes: readonly StoreChange[]): Promise<RunEvent> {
    return this.add(completeEntry(entry, this.#time()), changes);
  }

  add(entry: RunEntry, changes: readonly StoreChange[] = []): Promise<RunEvent> {
    if (this.#isClosed) return Promise.reject(new SwarmError("SWARM_ENGINE_CLOSED", { operation: "record" }));
    const { promise, resolve, reject } = Promise.withResolvers<RunEvent>();
    this.#waiting.push({ entry, changes, resolve, reject });
    if (this.#waiting.length === 1) this.#writeSoon();
    return promise;
  }

  intent(given: Omit<NewEntry, "kind">, ...changes: readonly StoreChange[]): Promise<ReportEnd> {
    return announce((entry, ...more) => this.record(entry, ...more), given, changes);
  }

  onRecorded(listener: (row: RunEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#write();
    await this.#settling;
    await this.#settle();
  }

  /** At once for the first of a turn of the event loop, which is all there is mostly; the others of it share the next. */
  #writeSoon(): void {
    const write = (): void => void this.#write();
    if (this.#hasWritten) {
      setImmediate(write);
      return;
    }
    this.#hasWritten = true;
    setImmediate(() => {
      this.#hasWritten = false;
    });
    queueMicrotask(write);
  }

  #write(): Promise<void> {
    return this.#inTurn(() => this.#writeGroup());
  }

  /** What moves the head, and what needs it to stand still, happens one after the other. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => undefined); // whoever asked is told
    return done;
  }

  async #writeGroup(): Promise<void> {
    const group = this.#takeGroup();
    if (group.length === 0) return;
    let rows: readonly RunEvent[] = [];
    try {
      await this.#lookBack();
      rows = await this.#options.store.append(
        group.map((waiting) => newRow(waiting, this.#options.key)),
        group.flatMap(({ changes }) => changes),
      );
    } catch (error) {
      this.#isOver(error);
      for (const { reject } of group) reject(error);
      return;
    }
    // Another process has written since: what it wrote is looked at before it is signed.
    this.#known = rows[0]?.prev_hash === this.#known?.hash ? (rows.at(-1) ?? null) : null;
    this.#isSettled = false;
    this.#answer(group, rows);
    // Whoever waits for a decision does not wait for those who watch.
    if (this.#listeners.size > 0) setImmediate(() => notifyListeners(this.#listeners, rows, this.#log));
  }

  /** A change may be impossible, and the rows of others must not go down with it: it is written by itself. */
  #takeGroup(): Waiting[] {
    const at = this.#waiting.findIndex(({ changes }) => changes.some(mayBeImpossible));
    const group = this.#waiting.splice(0, at === -1 ? this.#waiting.length : Math.max(at, 1));
    if (this.#waiting.length > 0) void this.#write();
    return group;
  }

  /**
   * Signs what is there, if it follows from what was signed last. Signing the newest row without looking would vouch
   * for whatever somebody else has put before it.
   */
  async #lookBack(): Promise<void> {
    if (this.#known !== null || this.#fault !== null) return;
    const { store, key, clock, mark } = this.#options;
    const { head, fault } = await signTail(store, key, clock, mark);
    if (fault === null) this.#known = head;
    else this.#log.warn(`the record was changed and is no longer signed: ${fault.problem}`, { ...fault });
    this.#fault = fault;
  }

  /** Tells everybody at once but those whose rows have to reach the disk first. */
  #answer(group: readonly Waiting[], rows: readonly RunEvent[]): void {
    const settled = rows.some((row) => this.#mustSettle(row)) ? this.#settle() : null;
    if (settled === null) this.#settleSoon();
    for (const [at, { resolve, reject }] of group.entries()) {
      const row = rows[at] as RunEvent;
      if (settled !== null && this.#mustSettle(row)) settled.then(() => resolve(row), reject);
      else resolve(row);
    }
  }

  #mustSettle({ kind }: RunEvent): boolean {
    return kind === "intent" || kind === "outcome" || this.#options.durability === "power_loss";
  }

  #settleSoon(): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#timer = this.#options.clock.setTimer(() => void this.#settle(), settleMs);
  }

  /** Does not hold up the next group; what fails is tried again, unless that is the end of it. */
  #settle(): Promise<void> {
    this.#timer?.close();
    this.#timer = null;
    const settled = this.#signAndSync();
    this.#settling = Promise.allSettled([this.#settling, settled]);
    settled.catch((error: unknown) => {
      if (!this.#isOver(error)) this.#settleSoon();
    });
    return settled;
  }

  /** Whether the store has failed for good, which is said once. */
  #isOver(error: unknown): boolean {
    if (!(error instanceof SwarmError) || error.code !== "SWARM_STORE_DAMAGED") return false;
    if (!this.#isDamaged) this.#log.warn(error.message, { code: error.code });
    this.#isDamaged = true;
    return true;
  }

  /** Signs the newest row and fsyncs it with all rows before it. */
  async #signAndSync(): Promise<void> {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { store, key, mark } = this.#options;
    try {
      const signed = this.#known === null ? null : key.sign(this.#known, this.#time());
      if (signed === null) await this.#inTurn(() => this.#lookBack());
      else await store.saveSignedHead(signed);
      await store.sync();
      // After the rows have reached the disk: after a power loss it must not name rows that did not.
      if (signed !== null) mark?.raise(signed);
    } catch (error) {
      this.#isSettled = false;
      throw error;
    }
  }

  #time(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}

/** What is only added is never in the way of anything. */
function mayBeImpossible({ kind }: StoreChange): boolean {
  return kind !== "outbox_enqueue";
}

function newRow({ entry, changes }: Waiting, key: SigningKey): NewRow {
  const grant = changes.map(grantOf).find((each) => each !== null) ?? null;
  const isKept = isPayloadKept(entry);
  return {
    entry: { ...entry, ref: entry.ref ?? grant?.ref ?? null },
    seal: (row) => sealRow(key, row, grant?.state ?? null, isKept),
  };
}
