import { count } from "../charts.ts";
import { isDenial } from "../row-kinds.ts";
import { ruleOf } from "../summary.ts";
import { Table } from "../table.ts";
import { type Material, payloadOf, shownTime, subjectOf, textOf } from "./section.ts";

/** How much was decided, and each denial with the rule it was denied by. */
export async function decisionsSection(material: Material): Promise<void> {
  const { sheet, summary, rows } = material;
  sheet.heading("Decisions");
  if (summary.decisions === 0) {
    sheet.paragraph("Nothing was decided in this range.");
    return;
  }
  counted(material, "By event", "Event", summary.byEvent);
  if (summary.byAgent.sorted.length > 0) counted(material, "By agent", "Agent", summary.byAgent);
  sheet.heading("Denials");
  if (summary.denials === 0) {
    sheet.paragraph("Nothing was denied in this range.");
    return;
  }
  counted(material, "By rule or hook", "Rule or hook", summary.byRule);
  sheet.subheading("Each denial");
  const table = new Table(sheet, [
    { title: "Time", share: 0.19 },
    { title: "Row", share: 0.08, isRight: true },
    { title: "What", share: 0.26 },
    { title: "Rule or hook", share: 0.18 },
    { title: "Reason", share: 0.29 },
  ]);
  for await (const row of rows()) {
    if (!isDenial(row)) continue;
    const data = await payloadOf(material, row);
    const what = [
      `${row.event} ${textOf(data.tool_name ?? data.name, "")}`,
      subjectOf(data.tool_input),
      row.agent ?? "",
    ];
    table.row([
      shownTime(row.time),
      String(row.seq),
      what.filter(Boolean),
      ruleOf(row),
      row.reason ?? "no reason was given",
    ]);
  }
  table.end();
}

function counted(
  { sheet }: Material,
  title: string,
  name: string,
  tally: Material["summary"]["byEvent"],
): void {
  sheet.subheading(title);
  const table = new Table(sheet, [
    { title: name, share: 0.8 },
    { title: "Number", share: 0.2, isRight: true },
  ]);
  for (const [label, value] of tally.sorted) table.row([label, count(value)]);
  if (tally.others > 0) table.row(["all others", count(tally.others)]);
  table.end();
}
