import { redact } from "../../base/redact.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import { policyHook } from "../../policy/rules/judge.ts";

/** What rules would have said that are not enforced, for the record, where nothing else is the reason. */
export function unenforcedNotes({ decision, handlers }: Outcome): string[] {
  if (decision.reason !== null) return [];
  return handlers.flatMap(({ kind, verdict, reason }) =>
    kind === policyHook && verdict === "none" && reason !== null ? String(redact(reason)) : [],
  );
}
