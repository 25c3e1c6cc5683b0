import type { Log } from "../../base/log.ts";
import { redact } from "../../base/redact.ts";
import type { Outcome } from "../../engine/events/outcome.ts";

/** One line per event, for whoever asked for it. */
export function logOutcome(log: Log, outcome: Outcome, data: object): void {
  const { event, id, decision, handlers } = outcome;
  log.debug?.(`hooks: ${event} ${decision.verdict}`, {
    id,
    data: redact(data),
    decision,
    handlers: [...handlers],
  });
}
