import { wrapWords } from "./wrap-words.ts";

/** With less room than this the text is left to the terminal to break. */
const minTextChars = 20;

/** How wide the terminal is that somebody looks at; undefined where none is, or one that does not say and gives 0. */
export function screenColumns(): number | undefined {
  return (process.stdout.isTTY === true && process.stdout.columns) || undefined;
}

/** A text in lines that fit the screen beside `lead` characters; whole where nobody looks. */
export function wrapToScreen(text: string, lead: number): string[] {
  const room = (screenColumns() ?? 0) - lead;
  return room < minTextChars ? [text] : wrapWords(text, room);
}

/** Names with what they mean beside them, wrapped to the screen. */
export function definitions(
  rows: readonly (readonly [name: string, text: string])[],
  columns?: number,
): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const room = columns === undefined ? 0 : columns - width - 4;
  return rows.flatMap(([name, text]) => {
    const [first = "", ...more] = room < minTextChars ? [text] : wrapWords(text, room);
    const lead = `  ${name.padEnd(width)}  `;
    return [`${lead}${first}`.trimEnd(), ...more.map((line) => " ".repeat(lead.length) + line)];
  });
}
