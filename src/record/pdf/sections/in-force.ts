import { count } from "../charts.ts";
import { isChange } from "../row-kinds.ts";
import { Table } from "../table.ts";
import { type Material, payloadOf, shownTime, textOf } from "./section.ts";

/** Which hooks and policies had a say, as what, and what was changed meanwhile. */
export async function inForceSection(material: Material): Promise<void> {
  const { sheet, summary, rows } = material;
  sheet.heading("Policies and hooks in force");
  if (summary.inForce.size === 0) {
    sheet.paragraph("No hook and no policy had a say in this range.");
  } else {
    sheet.paragraph(
      "Those that took part in a decision, each with the SHA-256 of what it was then. A digest that changes is another version.",
      { color: "quiet" },
    );
    const table = new Table(sheet, [
      { title: "Name", share: 0.21 },
      { title: "Kind", share: 0.1 },
      { title: "First seen", share: 0.19 },
      { title: "Last seen", share: 0.19 },
      { title: "Calls", share: 0.09, isRight: true },
      { title: "Digest", share: 0.22 },
    ]);
    const known = [...summary.inForce.values()].sort((a, b) =>
      a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
    );
    for (const { name, kind, from, to, calls, digest } of known)
      table.row([name, kind, shownTime(from), shownTime(to), count(calls), digest]);
    table.end();
    if (summary.unlistedInForce > 0)
      sheet.paragraph(`${count(summary.unlistedInForce)} calls of further versions are not listed.`);
  }
  sheet.heading("Changes");
  if (summary.changes === 0) {
    sheet.paragraph("No setting, trust, job, token or plugin was changed in this range.");
    return;
  }
  const table = new Table(sheet, [
    { title: "Time", share: 0.19 },
    { title: "Row", share: 0.08, isRight: true },
    { title: "Change", share: 0.2 },
    { title: "By", share: 0.18 },
    { title: "What", share: 0.35 },
  ]);
  for await (const row of rows()) {
    if (!isChange(row)) continue;
    const data = row.kind === "emit" ? await payloadOf(material, row) : {};
    const what = [textOf(data.name, ""), textOf(data.error, ""), row.reason ?? "", row.agent ?? ""];
    table.row([shownTime(row.time), String(row.seq), row.event, row.actor, what.filter(Boolean)]);
  }
  table.end();
}
