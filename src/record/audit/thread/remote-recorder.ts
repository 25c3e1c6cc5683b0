import type { Clock } from "../../../base/clock.ts";
import { SwarmError } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import type { StoreChange } from "../../../store/port/store.ts";
import { completeEntry } from "../complete-entry.ts";
import { announce, notifyListeners, type RowWriter } from "../row-writer.ts";
import type { Fault } from "../verify.ts";
import type { NewEntry, ReportEnd } from "../../port/audit.ts";
import type { RunEntry, RunEvent } from "../../port/run-event.ts";
import { type Addition, type ChainedFields, receivedError, type Settled } from "./messages.ts";
import type { RecordThread } from "./record-thread.ts";

interface Waiting extends Addition {
  readonly resolve: (row: RunEvent) => void;
  readonly reject: (error: unknown) => void;
}

/** The recorder of another thread. What it is given in one turn of the event loop goes there as one message. */
export class RemoteRecorder implements RowWriter {
  readonly #thread: RecordThread;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<(row: RunEvent) => void>();
  #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(thread: RecordThread, clock: Clock, log: Log) {
    this.#thread = thread;
    this.#clock = clock;
    this.#log = log;
  }

  get fault(): Fault | null {
    return this.#thread.state.fault;
  }

  get isDamaged(): boolean {
    return this.#thread.state.isDamaged;
  }

  record(entry: NewEntry, ...changes: readonly StoreChange[]): Promise<RunEvent> {
    return this.add(completeEntry(entry, new Date(this.#clock.now()).toISOString()), changes);
  }

  add(entry: RunEntry, changes: readonly StoreChange[] = []): Promise<RunEvent> {
    if (this.#isClosed) return Promise.reject(new SwarmError("SWARM_ENGINE_CLOSED", { operation: "record" }));
    const { promise, resolve, reject } = Promise.withResolvers<RunEvent>();
    this.#waiting.push({ entry, changes, resolve, reject });
    if (this.#waiting.length === 1) queueMicrotask(() => void this.#send());
    return promise;
  }

  intent(given: Omit<NewEntry, "kind">, ...changes: readonly StoreChange[]): Promise<ReportEnd> {
    return announce((entry, ...more) => this.record(entry, ...more), given, changes);
  }

  async currentFault(): Promise<Fault | null> {
    await this.#thread.ask({ kind: "current_fault" });
    return this.fault;
  }

  async accept(actor: string, reason: string): Promise<RunEvent> {
    this.#send();
    const row = (await this.#thread.ask({ kind: "accept", actor, reason })) as RunEvent;
    this.#tell([row]);
    return row;
  }

  onRecorded(listener: (row: RunEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#send();
    await this.#thread.ask({ kind: "close_recorder" });
  }

  #send(): void {
    const sent = this.#waiting;
    if (sent.length === 0) return;
    this.#waiting = [];
    const additions = sent.map(({ entry, changes }) => ({ entry, changes }));
    this.#thread.ask({ kind: "add", additions }).then(
      (settled) => this.#settle(sent, settled as readonly Settled<ChainedFields>[]),
      (error: unknown) => {
        for (const { reject } of sent) reject(error);
      },
    );
  }

  #settle(sent: readonly Waiting[], settled: readonly Settled<ChainedFields>[]): void {
    const rows: RunEvent[] = [];
    for (const [at, { entry, resolve, reject }] of sent.entries()) {
      const end = settled[at] as Settled<ChainedFields>;
      if ("error" in end) {
        reject(receivedError(end.error));
        continue;
      }
      const { before: _before, after: _after, ...rest } = entry;
      const row: RunEvent = { ...rest, ...end.value };
      rows.push(row);
      resolve(row);
    }
    this.#tell(rows);
  }

  /** Later: whoever waits for a decision does not wait for those who watch. */
  #tell(rows: readonly RunEvent[]): void {
    if (this.#listeners.size === 0 || rows.length === 0) return;
    setImmediate(() => notifyListeners(this.#listeners, rows, this.#log));
  }
}
