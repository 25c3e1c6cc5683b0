import { oneLine } from "../base/show.ts";
import type { RunEvent } from "../record/port/run-event.ts";
import { style, verdictText } from "./style.ts";

interface LineOptions {
  readonly hasDate?: boolean;
  /** `Bash: git push -f`; null where nothing ran, or it is not known. */
  readonly ran?: string | null;
}

/** One row of the record on one line: `12:04:05 tool.before deny by no-force-push: never force-push (1.2 ms, s1)`. */
export function runEventLine(row: RunEvent, { hasDate = false, ran = null }: LineOptions = {}): string {
  const { time, event, verdict, hook, reason, ms, kind, outcome, session, actor } = row;
  const what = oneLine(kind === "emit" ? event : `${event} (${kind})`, 60);
  const said =
    kind === "emit" && outcome !== "failed"
      ? verdictText(verdict)
      : style(outcome === "completed" ? "dim" : "red", outcome);
  const by = hook === null ? "" : ` by ${oneLine(hook, 60)}`;
  const why = reason === null ? "" : `: ${oneLine(reason, 160)}`;
  const where = session === null ? oneLine(actor, 40) : oneLine(session, 12);
  const when = hasDate ? time.slice(0, 19).replace("T", " ") : time.slice(11, 19);
  const did = ran === null ? "" : ` ${style("cyan", oneLine(ran, 120))}`;
  return `${style("dim", when)} ${what}${did} ${said}${by}${why} ${style("dim", `(${ms.toFixed(1)} ms, ${where})`)}`;
}
