import type { RunEvent } from "../../src/record/port/run-event.ts";
import { type Child, h } from "./dom.ts";
import { hashOf } from "./place.ts";
import { badge, line, tableRow, textOrNull, time } from "./view.ts";

export const rowColumns = ["Row", "Time", "Event", "Verdict", "Why", "Who"];

/** One row of the record in a table. */
export function recordRow(row: RunEvent): HTMLTableRowElement {
  const { seq, id, time: at, event, kind, reason, hook, actor, agent, session } = row;
  const hasWhy = hook !== null || reason !== null;
  const why: Child = [hook === null ? null : [h("strong", {}, line(hook)), " "], textOrNull(reason)];
  return tableRow(rowColumns, [
    h("a", { class: "fixed", href: hashOf("record", {}, id) }, `#${seq}`),
    time(at),
    [eventName(event), kind === "emit" ? null : [" ", h("span", { class: "quiet" }, kind)]],
    verdictOf(row),
    hasWhy ? h("div", { class: "clamp" }, why) : null,
    [line(agent ?? actor), session === null ? null : h("div", { class: "quiet clamp" }, line(session))],
  ]);
}

/** Names of events are ours and short; one that breaks in two is hard to read. */
export function eventName(event: string): HTMLElement {
  return h("span", { class: "fixed" }, line(event));
}

/** What was decided; of a row that decides nothing, how it ended. */
export function verdictOf({
  kind,
  verdict,
  outcome,
}: Pick<RunEvent, "kind" | "verdict" | "outcome">): HTMLElement {
  return badge(kind === "emit" && outcome !== "failed" ? verdict : outcome);
}
