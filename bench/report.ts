import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import type { Row } from "./compare.ts";

const headings = [
  "suite",
  "name",
  "ratio",
  "against",
  "target",
  "result",
  "samples",
  "spread",
  "ns",
  "against ns",
];
const bytesHeadings = ["bytes", "against bytes"];
const isRight = (heading: string) => !["suite", "name", "against", "result"].includes(heading);

/** Columns that line up, for a terminal. */
export function asTable(rows: readonly Row[]): string {
  const [titles, ...lines] = cellsOf(rows);
  if (titles === undefined) return "";
  const widths = titles.map((_, column) =>
    Math.max(...[titles, ...lines].map((cells) => cells[column]?.length ?? 0)),
  );
  return [titles, ...lines]
    .map((cells) =>
      cells
        .map((cell, column) => pad(cell, widths[column] ?? 0, isRight(titles[column] ?? "")))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** The same table for a document, below a line that says where it was measured. */
export function asMarkdown(rows: readonly Row[], command: string): string {
  const [titles = [], ...lines] = cellsOf(rows);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const rule = titles.map((title) => (isRight(title) ? "---:" : "---"));
  const table = [titles, rule, ...lines].map(line).join("");
  return `${machine()} \`${command}\`\n\n${table}`;
}

const readme = new URL("README.md", import.meta.url);
const marks = ["<!-- table: made by --write, do not edit -->\n", "<!-- end of table -->"] as const;

export function writeReadme(markdown: string): void {
  const text = readFileSync(readme, "utf8");
  const from = text.indexOf(marks[0]);
  const to = text.indexOf(marks[1]);
  if (from === -1 || to < from) throw new Error(`bench/README.md lacks ${marks[0].trim()} or ${marks[1]}`);
  const before = text.slice(0, from + marks[0].length);
  writeFileSync(readme, `${before}\n${markdown}\n${text.slice(to)}`);
}

function cellsOf(rows: readonly Row[]): string[][] {
  const hasBytes = rows.some((row) => row.bytes_per_op !== undefined);
  return [
    hasBytes ? [...headings, ...bytesHeadings] : headings,
    ...rows.map((row) => [
      row.suite,
      row.name,
      String(row.ratio),
      row.against,
      row.target === null ? "" : `≤ ${row.target}`,
      row.target === null ? "" : row.ratio <= row.target ? "ok" : "over",
      String(row.samples),
      row.spread.join("–"),
      row.mib === undefined ? String(row.ns) : `${row.mib} MiB`,
      row.against_mib === undefined ? String(row.against_ns) : `${row.against_mib} MiB`,
      ...(hasBytes ? [row.bytes_per_op ?? "", row.against_bytes_per_op ?? ""].map(String) : []),
    ]),
  ];
}

function pad(cell: string, width: number, toTheRight: boolean): string {
  return toTheRight ? cell.padStart(width) : cell.padEnd(width);
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return `${model}, ${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.version};`;
}
