import type { Stream } from "./launchers.ts";

export const noInput: Stream = { commands: [], text: null };

/** What several commands write one after the other. */
export function joined(outputs: readonly Stream[]): Stream {
  const [first] = outputs;
  if (outputs.length === 1 && first !== undefined) return first;
  const texts = outputs.map(({ text }) => text);
  return {
    commands: outputs.flatMap(({ commands }) => commands),
    text: texts.every((text) => text !== null) ? texts.join("") : null,
  };
}
