import { oneLine } from "../base/show.ts";
import type { RunEvent } from "../record/port/run-event.ts";
import { style, verdictText } from "./style.ts";

/** One row of the record on one line: `12:04:05 tool.before deny by no-force-push: never force-push (1.2 ms, s1)`. */
export function runEventLine(row: RunEvent): string {
  const { time, event, verdict, hook, reason, ms, kind, outcome, session, actor } = row;
  const what = oneLine(kind === "emit" ? event : `${event} (${kind})`, 60);
  const said =
    kind === "emit" && outcome !== "failed"
      ? verdictText(verdict)
      : style(outcome === "completed" ? "dim" : "red", outcome);
  const by = hook === null ? "" : ` by ${oneLine(hook, 60)}`;
  const why = reason === null ? "" : `: ${oneLine(reason, 160)}`;
  const where = session === null ? oneLine(actor, 40) : oneLine(session, 12);
  return `${style("dim", time.slice(11, 19))} ${what} ${said}${by}${why} ${style("dim", `(${ms.toFixed(1)} ms, ${where})`)}`;
}
