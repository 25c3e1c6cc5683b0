import { basename } from "node:path";
import type { ScanReport } from "./report.ts";

/** Which calls are looked at. */
export interface Period {
  /** Null: all there are. */
  readonly sinceMs: number | null;
  /** `in 30 days`. */
  readonly words: string;
}

/** Kinds of findings the sentence names. */
const maxNamed = 6;

/** `in 30 days: 4 force-pushes, 11 reads of .env, 2 rm -rf outside the project`. */
export function summaryOf(
  { words }: Period,
  { policy, compared_with }: Pick<ScanReport, "policy" | "compared_with">,
  { calls, groups, counts }: Pick<ScanReport, "calls" | "groups" | "counts">,
): string {
  if (compared_with !== null) return comparison(words, policy, calls, counts);
  if (groups.length === 0) {
    return `${words}: nothing to deny or to ask about, in ${numbered(calls, "tool call")}`;
  }
  const named = groups.slice(0, maxNamed).map(({ summary }) => summary);
  const rest = groups.slice(maxNamed).reduce((sum, { count }) => sum + count, 0);
  return `${words}: ${named.join(", ")}${rest === 0 ? "" : ` and ${rest.toLocaleString("en")} more`}`;
}

function comparison(words: string, policy: string, calls: number, counts: ScanReport["counts"]): string {
  const parts = [
    counts.newly_denied > 0 && `newly deny ${numbered(counts.newly_denied, "call")}`,
    counts.newly_asked > 0 && `newly ask about ${numbered(counts.newly_asked, "call")}`,
    counts.asked_instead_of_denied > 0 && `ask about ${counts.asked_instead_of_denied} instead of denying`,
    counts.newly_let_through > 0 && `newly let ${numbered(counts.newly_let_through, "call")} through`,
    counts.newly_allowed > 0 && `allow ${numbered(counts.newly_allowed, "call")} without the agent asking`,
  ].filter((part) => part !== false);
  const would = parts.length === 0 ? "change nothing" : parts.join(", ");
  return `${words} ${basename(policy)} would ${would}, of ${numbered(calls, "tool call")}`;
}

export function numbered(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}
