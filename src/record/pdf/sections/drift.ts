import type { JsonObject } from "../../../engine/events/schema.ts";
import { isDriftCheck } from "../row-kinds.ts";
import { Table } from "../table.ts";
import { type Material, payloadOf, shownTime, textOf } from "./section.ts";

/** Each comparison of data with a baseline, and what was over its threshold. Without any there is no such part. */
export async function driftSection(material: Material): Promise<void> {
  const { sheet, summary, rows } = material;
  if (summary.driftChecks === 0) return;
  sheet.heading("Drift checks");
  const table = new Table(sheet, [
    { title: "Time", share: 0.18 },
    { title: "Check", share: 0.31 },
    { title: "Result", share: 0.09 },
    { title: "Compared, and what was found", share: 0.42 },
  ]);
  for await (const row of rows()) {
    if (!isDriftCheck(row)) continue;
    const data = await payloadOf(material, row);
    const isDrift = Array.isArray(data.findings) ? data.findings.length > 0 : row.reason?.startsWith("drift");
    const source = (side: unknown) => textOf((side as JsonObject | undefined)?.source);
    table.row([
      shownTime(row.time),
      [textOf(data.name, "drift"), textOf(row.task), `by ${row.actor}, row ${row.seq}`],
      { text: isDrift ? "drift" : "none", color: isDrift ? "bad" : "good", isBold: isDrift === true },
      [
        data.window === undefined
          ? "its payload is not kept"
          : `${source(data.window)} with ${source(data.baseline)}`,
        row.reason ?? "",
      ],
    ]);
  }
  table.end();
}
