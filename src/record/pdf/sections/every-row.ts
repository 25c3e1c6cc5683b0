import type { RunEvent } from "../../port/run-event.ts";
import { Table } from "../table.ts";
import { type Material, shownTime } from "./section.ts";

/** The rows one by one, where that was asked for. */
export async function everyRowSection({ sheet, range, summary, rows }: Material): Promise<void> {
  if (range.rows !== "all") return;
  sheet.heading("Every row");
  if (summary.rows === 0) {
    sheet.paragraph("There are none.");
    return;
  }
  const table = new Table(sheet, [
    { title: "Row", share: 0.08, isRight: true },
    { title: "Time", share: 0.19 },
    { title: "Event", share: 0.2 },
    { title: "Said", share: 0.1 },
    { title: "By", share: 0.2 },
    { title: "Hash", share: 0.23 },
  ]);
  for await (const row of rows())
    table.row([
      String(row.seq),
      shownTime(row.time),
      row.kind === "emit" ? row.event : `${row.event} (${row.kind})`,
      { text: saidOf(row), color: saidOf(row) === "deny" ? "bad" : "ink" },
      row.actor,
      row.hash.slice(0, 24),
    ]);
  table.end();
  sheet.paragraph("Of each hash the first 24 digits are printed.", { color: "quiet", size: 7.5 });
}

function saidOf({ kind, outcome, verdict }: RunEvent): string {
  return kind === "emit" && outcome !== "failed" ? verdict : outcome;
}
