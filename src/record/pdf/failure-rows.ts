import type { RunEvent } from "../port/run-event.ts";

/** Held back at once; beyond that a failure may stand in two rows. */
const maxHeld = 2_000;
const told: Readonly<Record<string, string>> = {
  "batch.started": "batch.failed",
  "cron.fired": "cron.failed",
};

/**
 * Failures of runs that two rows tell of: the outcome of what was announced, and after it the event that says so to hooks.
 * A process that is killed between them leaves the first alone.
 */
export class TwiceTold {
  /** Outcomes whose event may follow, by the event and the run's id. */
  readonly #held = new Map<string, RunEvent>();

  /** The outcome this event tells of again; null: it is not known from before. */
  firstOf({ kind, event, task }: RunEvent): RunEvent | null {
    const key = `${event} ${task}`;
    const first = kind === "emit" ? this.#held.get(key) : undefined;
    this.#held.delete(key);
    return first ?? null;
  }

  /** Holds back an outcome whose event may follow; false: it is none. */
  hold(row: RunEvent): boolean {
    const key = this.#keyOf(row);
    if (key === null || (!this.#held.has(key) && this.#held.size >= maxHeld)) return false;
    this.#held.set(key, row);
    return true;
  }

  /** The outcome of an earlier leg of the same run whose event never came. */
  earlierLeg(row: RunEvent): RunEvent | null {
    return this.#held.get(this.#keyOf(row) ?? "") ?? null;
  }

  left(): Iterable<RunEvent> {
    return this.#held.values();
  }

  #keyOf({ kind, event, task }: RunEvent): string | null {
    const follows = kind === "outcome" && task !== null ? told[event] : undefined;
    return follows === undefined ? null : `${follows} ${task}`;
  }
}
