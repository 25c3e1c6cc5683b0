import type { SwarmError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Audit } from "../ports/audit.ts";

/** One row a second: whoever is turned away must not be able to fill the disk by trying. */
const everyMs = 1_000;

/** Records callers who were turned away. */
export class Refusals {
  readonly #audit: Audit;
  readonly #log: Log;
  #unrecorded = 0;
  #nextAtMs = 0;

  constructor(audit: Audit, log: Log) {
    this.#audit = audit;
    this.#log = log;
  }

  note(error: SwarmError): void {
    const now = Date.now();
    if (now < this.#nextAtMs) {
      this.#unrecorded++;
      return;
    }
    const more = this.#unrecorded === 0 ? "" : ` (and ${this.#unrecorded} more before)`;
    this.#unrecorded = 0;
    this.#nextAtMs = now + everyMs;
    const reason = `${error.message}${more}`;
    this.#audit
      .record({ kind: "login", event: "login", actor: "unknown", source: "rest", outcome: "denied", reason })
      .catch((failure: Error) => void this.#log.warn(failure.message, { event: "login" }));
  }
}
