import type { Change, ScanVerdict } from "./report.ts";

const strictness: Readonly<Record<ScanVerdict, number>> = { none: 0, allow: 0, ask: 1, deny: 2 };

/** What becomes of a call under the policy that is tried; null: the same as under the one in force. */
export function changeOf(inForce: ScanVerdict, tried: ScanVerdict): Change | null {
  const [before, after] = [strictness[inForce], strictness[tried]];
  if (after > before) return tried === "deny" ? "newly_denied" : "newly_asked";
  if (after < before) return tried === "ask" ? "asked_instead_of_denied" : "newly_let_through";
  // Before, the agent itself would have asked where it does.
  return inForce === "none" && tried === "allow" ? "newly_allowed" : null;
}
