import { oneLine } from "../../../base/show.ts";
import type { ResultOf } from "../../../cli/client.ts";
import { type Styled, style } from "../../../cli/style.ts";

type Drift = ResultOf<"batchStatus">["drift"];

/** What the last drift check of a run came to, and where to read more; nothing when there was none. */
export function driftText(drift: Drift): string {
  if (drift === null) return "";
  const { check_id, is_drift, message } = drift;
  const words = oneLine(message, 500);
  return `${is_drift ? style("red", words) : words} (swarm drift show ${check_id})\n`;
}

/** The same in one word of a table. */
export function driftCell(drift: Drift): string | Styled {
  if (drift === null) return "-";
  return drift.is_drift ? { text: "drift", format: "red" } : "none";
}
