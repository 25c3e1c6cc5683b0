import type { JsonObject } from "../../../engine/events/schema.ts";
import type { RunEvent } from "../../port/run-event.ts";
import { isRunEnd, isRunStart } from "../row-kinds.ts";
import { OpenRuns, type RunFacts, runIdOf } from "../run-facts.ts";
import type { Color } from "../sheet.ts";
import { Table } from "../table.ts";
import { type Material, payloadOf, shownTime, textOf } from "./section.ts";

/** Every run that ended in the range, those that were not to begin, and those that began and did not end. */
export async function runsSection(material: Material): Promise<void> {
  const { sheet, summary, rows } = material;
  sheet.heading("Runs");
  if (summary.runs + summary.begun === 0) {
    sheet.paragraph("No scheduled, batch or pipeline run began or ended in this range.");
    return;
  }
  const table = new Table(sheet, [
    { title: "Ended", share: 0.18 },
    { title: "Run", share: 0.31 },
    { title: "Result", share: 0.12 },
    { title: "Took", share: 0.09, isRight: true },
    { title: "Details", share: 0.3 },
  ]);
  const open = new OpenRuns();
  for await (const row of rows()) {
    if (isRunStart(row)) {
      open.begin(row);
      if (row.verdict === "deny") await addRun(material, table, row, open.take(row), "denied");
    } else if (isRunEnd(row)) await addRun(material, table, row, open.take(row));
    else if (row.event === "batch.cancelled" && open.isWaiting(row))
      await addRun(material, table, row, open.take(row), "cancelled");
    else open.add(row);
  }
  for (const { facts, start } of open.left()) {
    const result = facts.isWaiting ? "waits for an approval" : "no end recorded";
    table.row([
      "–",
      await namesOf(material, start, {}, facts),
      { text: result, color: "warn" },
      "",
      `${facts.isWaiting ? "asked" : "began"} ${shownTime(start.time)}, row ${start.seq}`,
    ]);
  }
  table.end();
  if (open.unfollowed > 0)
    sheet.paragraph(`${open.unfollowed} more runs began; whether they ended was not followed.`);
}

const colors: Readonly<Record<string, Color>> = {
  completed: "good",
  completed_with_errors: "warn",
  cancelled: "warn",
  interrupted: "warn",
};

async function addRun(
  material: Material,
  table: Table,
  row: RunEvent,
  facts: RunFacts,
  ending?: string,
): Promise<void> {
  const data = await payloadOf(material, row);
  const outcome = facts.outcome === null ? {} : await payloadOf(material, facts.outcome);
  const [, end = ""] = row.event.split(".");
  const told = end === "end" ? textOf(data.reason, "ended") : end;
  // Of batches that failed the event is one, whether somebody ended them or nobody.
  const result = ending ?? textOf(outcome.state ?? data.state, told);
  const reason = facts.outcome?.reason ?? (end === "end" ? null : row.reason);
  const details = [
    `row ${row.seq}`,
    data.task === undefined ? "" : textOf(data.task),
    data.scheduled_at === undefined ? "" : `due ${shownTime(textOf(data.scheduled_at))}`,
    data.attempt === undefined || data.attempt === 1 ? "" : `attempt ${textOf(data.attempt)}`,
    data.done_count === undefined ? "" : `${textOf(data.done_count)} done`,
    data.failed_count === undefined ? "" : `${textOf(data.failed_count)} failed`,
    stepsOf(facts),
    versionOf(outcome.version),
    facts.data ?? "",
    textOf(data.error ?? (end === "missed" ? data.reason : undefined), reason ?? ""),
    Object.keys(data).length === 0 && ending === undefined ? "its payload is not kept" : "",
  ];
  table.row([
    shownTime(row.time),
    await namesOf(material, row, data, facts),
    { text: result, color: colors[result] ?? "bad" },
    data.duration_s === undefined ? "" : `${textOf(data.duration_s)} s`,
    details.filter(Boolean).join("; "),
  ]);
}

/** What kind of run it is and what it is called, and below that its id. Only its beginning says what a pipeline is called. */
async function namesOf(
  material: Material,
  row: RunEvent,
  data: JsonObject,
  { start }: RunFacts,
): Promise<string[]> {
  const [kind = ""] = row.event.split(".");
  const id = textOf(data.run_id ?? runIdOf(row));
  const begun = start === null ? {} : await payloadOf(material, start);
  if (kind === "session") return [textOf(begun.session_title, "pipeline"), id];
  const name = textOf(data.name ?? begun.name, "");
  return [name === "" || name === id ? kind : `${kind} ${name}`, id];
}

function stepsOf({ steps }: RunFacts): string {
  if (steps === null) return "";
  const { ran, skipped, failed } = steps;
  const counted = [[ran, "run"] as const, [skipped, "skipped"] as const, [failed, "failed"] as const];
  return `steps: ${counted.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(", ")}`;
}

/** The version it made, or the number of the one it found to be the same. */
function versionOf(version: unknown): string {
  if (typeof version === "number") return `the same as version ${version}`;
  if (typeof version !== "object" || version === null) return "";
  return `a new version of ${textOf((version as JsonObject).model, "its model")}`;
}
