import { createInterface } from "node:readline/promises";
import { type CommandInput, usage } from "../command.ts";
import { style } from "../style.ts";

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

/** Shows what would be done and asks; a program that cannot be asked has to say --yes. */
export async function isWanted(
  edits: readonly ShownEdit[],
  { flags, isJson }: CommandInput,
  more: readonly string[],
): Promise<boolean> {
  const wanted = edits.filter(isChange);
  if (wanted.length === 0 || flags.has("yes")) return true;
  const shown = wanted.flatMap(({ file, diff }) => [style("bold", file), ...diff.map(coloured), ""]);
  process.stderr.write(`${[...shown, ...more].join("\n")}\n`);
  if (isJson || process.stdin.isTTY !== true)
    throw usage("install", "this would change the files above, and there is nobody to ask: add --yes");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question("Change them? [y/N] ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function coloured(line: string): string {
  if (line.startsWith("+")) return style("green", line);
  return line.startsWith("-") ? style("red", line) : line;
}
