import type { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Audit } from "../../record/port/audit.ts";

/** One row a second: whoever is turned away must not be able to fill the disk by trying. */
const everyMs = 1_000;

/** Records callers who were turned away: the first at once, the others of its second together when that is over. */
export class Refusals {
  readonly #audit: Audit;
  readonly #log: Log;
  /** Reasons are alike; the last stands for all of them. */
  #unrecorded: { readonly reason: string; readonly count: number } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(audit: Audit, log: Log) {
    this.#audit = audit;
    this.#log = log;
  }

  note(error: SwarmError): void {
    if (this.#timer === null) this.#record(error.message);
    else this.#unrecorded = { reason: error.message, count: (this.#unrecorded?.count ?? 0) + 1 };
  }

  /** Records what was not yet. */
  async drain(): Promise<void> {
    for (let passes = 0; this.#timer !== null && passes < 2; passes++) {
      clearTimeout(this.#timer);
      this.#nextSecond();
    }
  }

  #nextSecond(): void {
    this.#timer = null;
    if (this.#unrecorded === null) return;
    const { reason, count } = this.#unrecorded;
    this.#unrecorded = null;
    this.#record(count === 1 ? reason : `${reason} (and ${count - 1} more before)`);
  }

  #record(reason: string): void {
    this.#timer = setTimeout(() => this.#nextSecond(), everyMs).unref();
    this.#audit
      .record({ kind: "login", event: "login", actor: "unknown", source: "rest", outcome: "denied", reason })
      .catch((failure: Error) => void this.#log.warn(failure.message, { event: "login" }));
  }
}
