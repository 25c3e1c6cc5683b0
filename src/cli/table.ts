import { oneLine } from "../base/show.ts";
import { screenColumns } from "./definitions.ts";
import { type Styled, style } from "./style.ts";
import { wrapWords } from "./wrap-words.ts";

/** With less room than this the last column is left to the terminal to break. */
const minLastChars = 16;

/**
 * Rows in aligned columns; the last column is left ragged so that lines do not end in spaces. Whatever a cell says, it
 * stays in its place: names and reasons come from outside. On a terminal the last column is wrapped within it.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | Styled)[])[],
  columns = screenColumns(),
): string {
  const lines = [head, ...rows].map((line) => line.map(plain));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.text.length ?? 0)));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = columns === undefined || columns - before < minLastChars ? undefined : columns - before;
  return lines
    .flatMap((line) => {
      const last = line.length - 1;
      const cells = line.map(({ text, format }, column) => {
        const parts = column === last && room !== undefined ? wrapWords(text, room) : [text];
        const padding = column === last ? "" : " ".repeat((widths[column] ?? 0) - text.length);
        return parts.map((part) => (format === null ? part : style(format, part)) + padding);
      });
      const [more = []] = cells.slice(last).map((parts) => parts.slice(1));
      const first = cells.map(([part = ""]) => part).join("  ");
      return [first.trimEnd(), ...more.map((part) => " ".repeat(before) + part)];
    })
    .join("\n")
    .concat("\n");
}

function plain(cell: string | Styled): { text: string; format: Styled["format"] | null } {
  if (typeof cell === "string") return { text: oneLine(cell), format: null };
  return { text: oneLine(cell.text), format: cell.format };
}
