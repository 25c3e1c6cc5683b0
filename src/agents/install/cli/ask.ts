import { maskSecrets } from "../../../base/redact.ts";
import type { CommandInput } from "../../../cli/command.ts";
import { confirm } from "../../../cli/confirm.ts";
import { style } from "../../../cli/style.ts";

/** A file with what would become of it. */
export interface ShownEdit {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly diff: readonly string[];
}

export function isChange({ before, after }: Pick<ShownEdit, "before" | "after">): boolean {
  return before !== after;
}

/** Shows what would be done and asks, where there is anything to ask about. */
export async function isWanted(
  edits: readonly ShownEdit[],
  input: CommandInput,
  more: readonly string[],
): Promise<boolean> {
  const wanted = edits.filter(isChange);
  if (wanted.length === 0) return true;
  const shown = wanted.flatMap(({ file, diff }) => [style("bold", file), ...diff.map(coloured), ""]);
  return confirm("install", input, `${[...shown, ...more].join("\n")}\n`, "Change them?");
}

/** What stands around a change is the file's, and may be a key. */
function coloured(written: string): string {
  const line = maskSecrets(written);
  if (line.startsWith("+")) return style("green", line);
  return line.startsWith("-") ? style("red", line) : line;
}
