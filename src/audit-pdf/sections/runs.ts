import type { RunEvent } from "../../ports/run-event.ts";
import { isRunEnd, isRunStart } from "../row-kinds.ts";
import { Table } from "../table.ts";
import { type Material, payloadOf, shownTime, textOf } from "./section.ts";

/** Runs that began and are not known to have ended; more are counted, not listed. */
const maxOpen = 2_000;

/** Every run that ended in the range, and those that began and did not. */
export async function runsSection(material: Material): Promise<void> {
  const { sheet, summary, rows } = material;
  sheet.heading("Runs");
  if (summary.runs + summary.begun === 0) {
    sheet.paragraph("No scheduled, batch or pipeline run began or ended in this range.");
    return;
  }
  const table = new Table(sheet, [
    { title: "Ended", share: 0.19 },
    { title: "Run", share: 0.29 },
    { title: "Result", share: 0.12 },
    { title: "Took", share: 0.1, isRight: true },
    { title: "Details", share: 0.3 },
  ]);
  const open = new Map<string, RunEvent>();
  let unlisted = 0;
  for await (const row of rows()) {
    if (isRunStart(row)) {
      if (open.size < maxOpen) open.set(idOf(row), row);
      else unlisted++;
    }
    if (!isRunEnd(row)) continue;
    open.delete(idOf(row));
    await addRun(material, table, row);
  }
  for (const row of open.values()) {
    table.row([
      "–",
      [row.event.split(".")[0] ?? "", idOf(row)],
      { text: "no end recorded", color: "warn" },
      "",
      `began ${shownTime(row.time)}, row ${row.seq}`,
    ]);
  }
  table.end();
  if (unlisted > 0) sheet.paragraph(`${unlisted} more runs began; whether they ended was not followed.`);
}

async function addRun(material: Material, table: Table, row: RunEvent): Promise<void> {
  const data = await payloadOf(material, row);
  const [kind = "", end = ""] = row.event.split(".");
  const result = end === "end" ? textOf(data.reason, "ended") : end;
  const name = textOf(data.name ?? data.pipeline, "");
  const details = [
    `row ${row.seq}`,
    data.task === undefined ? "" : textOf(data.task),
    data.scheduled_at === undefined ? "" : `due ${shownTime(textOf(data.scheduled_at))}`,
    data.attempt === undefined || data.attempt === 1 ? "" : `attempt ${textOf(data.attempt)}`,
    data.done_count === undefined ? "" : `${textOf(data.done_count)} done`,
    data.failed_count === undefined ? "" : `${textOf(data.failed_count)} failed`,
    textOf(data.error ?? (end === "missed" ? data.reason : undefined), ""),
    Object.keys(data).length === 0 ? "its payload is not kept" : "",
  ];
  table.row([
    shownTime(row.time),
    [`${kind === "session" ? "pipeline" : kind} ${name}`, textOf(data.run_id ?? row.task ?? row.session)],
    { text: result, color: colorOf(end) },
    data.duration_s === undefined ? "" : `${textOf(data.duration_s)} s`,
    details.filter(Boolean).join("; "),
  ]);
}

function colorOf(end: string) {
  if (end === "completed") return "good";
  return end === "end" ? "ink" : "bad";
}

function idOf({ task, session, id }: RunEvent): string {
  return task ?? session ?? id;
}
