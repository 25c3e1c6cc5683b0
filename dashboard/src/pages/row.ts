import type { ResultOf } from "../api.ts";
import { h } from "../dom.ts";
import { Loader, type Page, type Surroundings } from "../page.ts";
import { hashOf } from "../place.ts";
import { verdictOf } from "../rows.ts";
import { badge, code, empty, facts, jsonBlock, line, table, tableRow, textOrNull, time } from "../view.ts";

type Row = ResultOf<"showEvent">;

/** One row of the record: what happened, what every hook did, what it was about. */
export function openRow({ api }: Surroundings, id: string): Page {
  const element = h("div");
  const loader = new Loader(element, async () => {
    const row = await api.call("showEvent", { params: { id } });
    return [
      h("p", {}, h("a", { href: hashOf("record") }, "All rows")),
      h("h2", {}, line(row.event), " ", verdictOf(row)),
      factsOf(row),
      h("h3", {}, "Hooks"),
      handlersOf(row),
      h("h3", {}, "Payload"),
      ...payloadsOf(row),
    ];
  });
  return { title: "Row of the record", element, close: () => loader.stop() };
}

function factsOf(row: Row): HTMLElement {
  return facts([
    ["Row", `#${row.seq}`],
    ["Time", time(row.time)],
    ["Kind", row.kind],
    ["Outcome", badge(row.outcome)],
    ["Decided by", textOrNull(row.hook)],
    ["Reason", textOrNull(row.reason)],
    ["Who", line(row.actor)],
    ["Agent", textOrNull(row.agent)],
    [
      "Session",
      row.session === null
        ? null
        : h("a", { href: hashOf("record", { session: row.session }) }, line(row.session)),
    ],
    ["Task", textOrNull(row.task)],
    ["Folder", textOrNull(row.cwd)],
    ["Source", textOrNull(row.source)],
    ["Belongs to", belongsTo(row.ref)],
    ["Took", `${row.ms.toFixed(1)} ms`],
    ["Id", code(row.id)],
    ["Hash", code(row.hash)],
    ["Follows", code(row.prev_hash)],
  ]);
}

const columns = ["Hook", "Kind", "Mode", "Status", "Verdict", "Reason", "Took"];

/** Another row, or what a decision is about: `token:ci`. */
function belongsTo(ref: string | null): HTMLElement | null {
  if (ref === null) return null;
  return ref.includes(":") ? code(ref) : h("a", { href: hashOf("record", {}, ref) }, line(ref));
}

function handlersOf({ handlers, kind }: Row): HTMLElement {
  if (handlers.length === 0) {
    const why =
      kind === "emit" ? "No hook is for this event. See what is in force: " : "This row is no event's. ";
    return empty("No hook took part.", why, h("a", { href: hashOf("hooks") }, "Hooks"));
  }
  const rows = handlers.map(({ name, kind, mode, status, verdict, reason, ms }) =>
    tableRow(columns, [
      h("strong", {}, line(name)),
      line(kind),
      mode,
      badge(status),
      badge(verdict),
      textOrNull(reason),
      `${ms.toFixed(1)} ms`,
    ]),
  );
  return table("What every hook did", columns, rows);
}

function payloadsOf({ data_before, data_after, before_hash }: Row): HTMLElement[] {
  if (data_before === null) {
    const why =
      before_hash === null
        ? "This row has none."
        : "It was too large to keep, or its time is over; the hash stays.";
    return [empty("No payload.", why)];
  }
  if (data_after === null) return [jsonBlock("as it was", data_before)];
  return [jsonBlock("before the hooks", data_before), jsonBlock("after they rewrote it", data_after)];
}
