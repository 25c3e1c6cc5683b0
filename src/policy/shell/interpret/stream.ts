import type { ShellCommand } from "../command.ts";
import { marks } from "../marks.ts";

/** What flows from one command to the next: who wrote it, and the text itself if it stands in the line. */
export interface Stream {
  readonly commands: readonly ShellCommand[];
  readonly text: string | null;
}

export const noInput: Stream = { commands: [], text: null };

/** What several commands write one after the other. */
export function joined(outputs: readonly Stream[]): Stream {
  const [first] = outputs;
  if (outputs.length === 1 && first !== undefined) return first;
  const texts = outputs.map(({ text }) => text);
  // What is known of it counts: `$(ls; echo -f)`.
  const isKnown = texts.every((text) => text !== null) || texts.some((text) => text);
  return {
    commands: outputs.flatMap(({ commands }) => commands),
    text: isKnown ? texts.map((text) => text ?? `${marks.unknown}\n`).join("") : null,
  };
}
