import { type Bar, barColumns, barRows, count } from "../charts.ts";
import { rangeText } from "../range-text.ts";
import { type Color, margin } from "../sheet.ts";
import type { Summary } from "../summary.ts";
import { type Material, shownTime } from "./section.ts";

const verdictColors: Readonly<Record<string, Color>> = {
  allow: "good",
  deny: "bad",
  ask: "warn",
  defer: "warn",
  "could not be decided": "bad",
};
const maxBars = 10;
/** More bars than this are too thin to be told apart: weeks or months then. */
const maxColumns = 62;

/** What it is, whether the record it was made from is intact, and what it adds up to. */
export function coverSection({ sheet, range, summary, head, verification, version }: Material): void {
  sheet.document.outline.addItem("Summary");
  sheet.y += 14;
  sheet.y += sheet.write(titleOf(range.kind), margin, sheet.y, {
    size: 24,
    isBold: true,
    width: sheet.width,
    color: "accent",
  });
  sheet.y += 2;
  sheet.paragraph(rangeText(range), { size: 12 });
  sheet.paragraph(
    `Made from the record as signed on ${shownTime(head.time)} UTC, row ${count(head.seq)}, by swarm-hooks ${version}. All times are UTC.`,
    { color: "quiet" },
  );
  stateBox(sheet, verification);
  numbers(sheet, summary);
  if (summary.rows === 0) {
    sheet.paragraph("The record has no rows in this range.", { size: 11, isBold: true });
    return;
  }
  barColumns(
    sheet,
    `Rows of the record per ${columnsOf(summary).unit}; denials in red`,
    columnsOf(summary).bars,
  );
  barRows(
    sheet,
    "Decisions by verdict",
    summary.byVerdict.sorted.map(([label, value]) => ({
      label: label === "none" ? "none (nothing objected)" : label,
      value,
      color: verdictColors[label] ?? "accent",
    })),
  );
  if (summary.denials > 0)
    barRows(sheet, "Denials by rule or hook", topOf(summary.byRule.sorted, summary.byRule.others, "bad"));
}

function titleOf(kind: Material["range"]["kind"]): string {
  if (kind === "rollup") return "Audit report";
  return kind === "run" ? "Audit report of a run" : "Audit report of a promotion";
}

function stateBox(
  sheet: Material["sheet"],
  { is_intact, rows, faults, open_intents }: Material["verification"],
): void {
  const text = is_intact
    ? `The record is intact: all ${count(rows)} rows were read while this was made, every hash, every link and the signature hold.`
    : `THE RECORD IS NOT INTACT. ${faults[0]?.problem ?? ""} What follows was taken from it as it is.`;
  const color = is_intact ? "good" : "bad";
  sheet.y += 2;
  const top = sheet.y;
  sheet.y += 6;
  const style = { size: 9, isBold: true, width: sheet.width - 24, color } as const;
  sheet.y += sheet.write(text, margin + 14, sheet.y, style) + 4;
  sheet.box(margin, top, 4, sheet.y - top, color);
  sheet.y += 6;
  if (open_intents.length > 0)
    sheet.paragraph(
      `Announced effects without a recorded end, questions that wait, work under way when this was made or cut off by a crash: ${count(open_intents.length)}.`,
      { color: "warn" },
    );
}

function numbers(sheet: Material["sheet"], summary: Summary): void {
  const shown = [
    ["rows", summary.rows],
    ["decisions", summary.decisions],
    ["denials", summary.denials],
    ["approvals", summary.approvals],
    ["runs", summary.runs],
    ["failures", summary.failures],
    ["changes", summary.changes],
  ] as const;
  const width = sheet.width / shown.length;
  for (const [index, [name, value]] of shown.entries()) {
    const x = margin + index * width;
    const isBad = value > 0 && (name === "denials" || name === "failures");
    sheet.write(count(value), x, sheet.y, { size: 15, isBold: true, width, color: isBad ? "bad" : "ink" });
    sheet.write(name, x, sheet.y + 20, { size: 8, width, color: "quiet" });
  }
  sheet.y += 42;
}

export function topOf(
  sorted: readonly (readonly [string, number])[],
  others: number,
  color: Color = "accent",
): Bar[] {
  const bars = sorted.slice(0, maxBars).map(([label, value]) => ({ label, value, color }));
  const rest = sorted.slice(maxBars).reduce((sum, [, value]) => sum + value, 0) + others;
  return rest === 0 ? bars : [...bars, { label: "all others", value: rest, color: "quiet" }];
}

/** Days without rows are bars of no height; a long range is shown by weeks' or months' worth of days. */
function columnsOf({ byDay }: Summary): { unit: string; bars: Bar[] } {
  const days = [...byDay.keys()].sort();
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const span = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
  const perBar = Math.ceil(span / maxColumns);
  const bars = Array.from({ length: Math.ceil(span / perBar) }, (_, index) => {
    const day = new Date(Date.parse(first) + index * perBar * 86_400_000).toISOString().slice(0, 10);
    return { label: day, value: 0, badValue: 0 };
  });
  for (const [day, { rows, denials }] of byDay) {
    const bar = bars[Math.floor((Date.parse(day) - Date.parse(first)) / 86_400_000 / perBar)];
    if (bar === undefined) continue;
    bar.value += rows;
    bar.badValue += denials;
  }
  return { unit: perBar === 1 ? "day" : `${perBar} days`, bars };
}
