import type { RunEvent } from "../../port/run-event.ts";
import { TwiceTold } from "../failure-rows.ts";
import { isFailure } from "../row-kinds.ts";
import { Table } from "../table.ts";
import { type Material, payloadOf, shownTime, textOf } from "./section.ts";

/** Whatever did not end as it should: hooks, events that could not be decided, runs, effects outside. */
export async function failuresSection(material: Material): Promise<void> {
  const { sheet, summary, rows } = material;
  sheet.heading("Failures");
  if (summary.failures === 0) {
    sheet.paragraph("Nothing failed in this range.");
    return;
  }
  const table = new Table(sheet, [
    { title: "Time", share: 0.19 },
    { title: "Row", share: 0.08, isRight: true },
    { title: "Event", share: 0.2 },
    { title: "Of what", share: 0.2 },
    { title: "What went wrong", share: 0.33 },
  ]);
  const twiceTold = new TwiceTold();
  const add = async (row: RunEvent, first: RunEvent | null): Promise<void> => {
    const data = await payloadOf(material, row);
    const wrong = row.reason ?? textOf(data.error ?? data.reason, "no reason was recorded");
    table.row([
      shownTime(row.time),
      first === null ? String(row.seq) : [String(first.seq), String(row.seq)],
      row.kind === "emit" ? row.event : `${row.event} (${row.kind})`,
      textOf(row.hook ?? data.name ?? row.agent ?? row.task),
      `${wrong}${data.code === undefined ? "" : ` [${textOf(data.code)}]`}`,
    ]);
  };
  // A run's effect fails, and then the run tells hooks that it has: one failure, two rows.
  for await (const row of rows()) {
    if (!isFailure(row)) continue;
    const first = twiceTold.firstOf(row);
    const alone = twiceTold.earlierLeg(row);
    if (alone !== null) await add(alone, null);
    if (!twiceTold.hold(row)) await add(row, first);
  }
  for (const alone of twiceTold.left()) await add(alone, null);
  table.end();
}
