import { oneLine } from "../base/show.ts";
import { type Styled, style } from "./style.ts";

/**
 * Rows in aligned columns; the last column is left ragged so that lines do not end in spaces. Whatever a cell says, it
 * stays in its place: names and reasons come from outside.
 */
export function table(head: readonly string[], rows: readonly (readonly (string | Styled)[])[]): string {
  const lines = [head, ...rows].map((line) => line.map(printed));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.width ?? 0)));
  return lines
    .map((line) =>
      line
        .map(({ shown, width }, column) => shown + " ".repeat((widths[column] ?? 0) - width))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
    .concat("\n");
}

function printed(cell: string | Styled): { shown: string; width: number } {
  const text = oneLine(typeof cell === "string" ? cell : cell.text);
  return { shown: typeof cell === "string" ? text : style(cell.format, text), width: text.length };
}
