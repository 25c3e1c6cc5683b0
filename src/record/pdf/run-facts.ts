import type { RunEvent } from "../port/run-event.ts";

/** What the rows of a run have told of it before its end does. */
export interface RunFacts {
  /** The row it began with; null when that is older than the range. */
  readonly start: RunEvent | null;
  /** Somebody is asked whether it may begin. */
  isWaiting: boolean;
  /** The row with what its effect came to. */
  outcome: RunEvent | null;
  /** What data it took. */
  data: string | null;
  steps: { ran: number; skipped: number; failed: number } | null;
}

/** Followed at once; more are counted. */
const maxOpen = 2_000;
const effects = new Set(["batch.started", "cron.fired", "pipeline.run"]);

/** Runs that have begun, by the id their rows have in common, until somebody takes them out. */
export class OpenRuns {
  readonly #open = new Map<string, RunFacts>();
  /** Runs that began and could not be followed. */
  unfollowed = 0;

  begin(row: RunEvent): void {
    const id = runIdOf(row);
    const known = this.#open.get(id);
    if (known === undefined && this.#open.size >= maxOpen) this.unfollowed++;
    else this.#open.set(id, { ...(known ?? nothing), start: row, isWaiting: row.verdict === "ask" });
  }

  /** Whatever else a row tells of a run. */
  add(row: RunEvent): void {
    const { kind, event, outcome, reason } = row;
    const isEffect = effects.has(event) && (kind === "intent" || kind === "outcome");
    if (!isEffect && event !== "pipeline.step" && event !== "pipeline.data") return;
    const id = runIdOf(row);
    const known = this.#open.get(id) ?? (this.#open.size < maxOpen ? { ...nothing } : null);
    if (known === null) return;
    this.#open.set(id, known);
    if (isEffect && kind === "intent") known.isWaiting = false;
    if (isEffect && kind === "outcome") known.outcome = row;
    if (event === "pipeline.data" && kind === "change") known.data = reason;
    if (event !== "pipeline.step" || kind === "intent") return;
    known.steps ??= { ran: 0, skipped: 0, failed: 0 };
    if (kind === "change") known.steps.skipped++;
    else if (outcome === "completed") known.steps.ran++;
    else known.steps.failed++;
  }

  isWaiting(row: RunEvent): boolean {
    return this.#open.get(runIdOf(row))?.isWaiting === true;
  }

  take(row: RunEvent): RunFacts {
    const id = runIdOf(row);
    const facts = this.#open.get(id) ?? nothing;
    this.#open.delete(id);
    return facts;
  }

  /** Those that are not known to have ended, with the row they began with. */
  *left(): Generator<{ readonly facts: RunFacts; readonly start: RunEvent }> {
    for (const facts of this.#open.values()) if (facts.start !== null) yield { facts, start: facts.start };
  }
}

const nothing: RunFacts = { start: null, isWaiting: false, outcome: null, data: null, steps: null };

export function runIdOf({ task, session, id }: RunEvent): string {
  return task ?? session ?? id;
}
