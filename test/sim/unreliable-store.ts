import { SwarmError } from "../../src/base/errors.ts";
import { completeEntry } from "../../src/record/audit/complete-entry.ts";
import type { Audit, NewEntry, Recorded } from "../../src/record/port/audit.ts";
import type { Store, StoreChange } from "../../src/store/port/store.ts";
import type { UsedStore } from "./breaking.ts";
import type { Reservation } from "../../src/swarm/tasks/port/task-store.ts";
import type { StoredTask } from "../../src/swarm/tasks/port/task.ts";

/** How often a call of the store goes wrong: each from 0 to 1. */
export interface Faults {
  /** It fails and nothing was done. */
  readonly failsBefore: number;
  /** It was done, and whoever asked is told that it failed. */
  readonly failsAfter: number;
  /** Others have their turns before it is done, or before it is answered. */
  readonly isSlow: number;
}

export const noFaults: Faults = { failsBefore: 0, failsAfter: 0, isSlow: 0 };

/** A call that waits until a step lets it go on. */
export interface WaitingCall {
  readonly label: string;
  /** Whether it has written already what it has not answered yet. */
  readonly isWritten: boolean;
  readonly goOn: () => void;
}

export interface UnreliableOptions {
  readonly real: () => UsedStore;
  readonly faults: () => Faults;
  readonly random: () => number;
  readonly now: () => number;
  readonly onWaiting: (call: WaitingCall) => void;
  readonly note: (line: string) => void;
  /** Called with what was set aside, right after it was. */
  readonly onReserved: (task: StoredTask, reservation: Reservation) => Promise<void>;
  readonly onUnreserved: (taskId: string) => void;
  /** Called when a write was made and its caller is told that it failed. */
  readonly onUnsure: () => void;
  /** Called when something may have changed. */
  readonly onWrite: () => void;
}

const readers = new Set([
  "find",
  "list",
  "ready",
  "descendants",
  "unmetOf",
  "dependenciesOf",
  "dependentsOf",
]);

/** A real store whose calls fail and wait as the random numbers say, seen from one daemon. */
export class UnreliableStore {
  readonly store: Pick<Store, "tasks" | "agents" | "mail">;
  readonly audit: Audit;
  readonly #options: UnreliableOptions;
  #rows = 0;

  constructor(options: UnreliableOptions) {
    this.#options = options;
    this.store = {
      tasks: this.#wrap("tasks", () => options.real().tasks),
      agents: this.#wrap("agents", () => options.real().agents),
      mail: this.#wrap("mail", () => options.real().mail),
    };
    this.audit = {
      record: (entry, ...changes) => this.#record(entry, changes),
      intent: () => Promise.reject(new Error("the swarm announces no effects")),
    };
  }

  #wrap<Part extends object>(name: string, real: () => Part): Part {
    const call = (method: keyof Part & string, args: readonly unknown[]): Promise<unknown> =>
      this.#call(`${name}.${method}`, !readers.has(method), async () => {
        const part = real();
        const own = Reflect.get(part, method) as (...given: readonly unknown[]) => Promise<unknown>;
        const answer = await own.apply(part, [...args]);
        if (!readers.has(method)) this.#options.onWrite();
        if (method === "reserve" && answer !== null)
          await this.#options.onReserved(answer as StoredTask, args[0] as Reservation);
        if (method === "unreserve") this.#options.onUnreserved(args[0] as string);
        return answer;
      });
    return new Proxy(real(), {
      get:
        (_part, method) =>
        (...args: unknown[]) =>
          call(String(method) as keyof Part & string, args),
    });
  }

  async #record(given: NewEntry, changes: readonly StoreChange[]): Promise<Recorded> {
    const { real, now, onWrite } = this.#options;
    const label = `append ${given.ref ?? given.event}`;
    return this.#call(label, true, async () => {
      const id = `evt_${now()}_${++this.#rows}_${Math.floor(this.#options.random() * 2 ** 31)}`;
      const entry = completeEntry({ id, ...given }, new Date(now()).toISOString());
      await real().append([{ entry }], changes);
      onWrite();
      return entry;
    });
  }

  async #call<T>(label: string, isWrite: boolean, work: () => Promise<T>): Promise<T> {
    const { faults, random, note } = this.#options;
    const { failsBefore, failsAfter, isSlow } = faults();
    if (isSlow > 0 && random() < isSlow) await this.#wait(label, false);
    if (failsBefore > 0 && random() < failsBefore) {
      note(`  store: ${label} fails before`);
      throw failure();
    }
    const answer = await work();
    if (isSlow > 0 && random() < isSlow) await this.#wait(label, isWrite);
    if (failsAfter > 0 && random() < failsAfter) {
      note(`  store: ${label} fails after`);
      if (isWrite) this.#options.onUnsure();
      throw failure();
    }
    return answer;
  }

  #wait(label: string, isWritten: boolean): Promise<void> {
    this.#options.note(`  store: ${label} waits${isWritten ? " to be answered" : ""}`);
    return new Promise((goOn) => this.#options.onWaiting({ label, isWritten, goOn }));
  }
}

function failure(): SwarmError {
  return new SwarmError("SWARM_STORE_FAILED", { location: "the simulated store", problem: "as planned" });
}
