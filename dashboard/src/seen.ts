import { codeOf, unseen } from "../../src/base/visible.ts";

export interface Part {
  readonly text: string;
  /** The text is the code of a character that would not be seen, or would change how others are read. */
  readonly isCode: boolean;
}

/** A text from outside, in parts: what it looks like is what it is. `isBlock`: its line breaks are shown as such. */
export function partsOf(text: string, isBlock = false): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(unseen)) {
    if (isBlock && character === "\n") continue;
    if (index > from) parts.push({ text: text.slice(from, index), isCode: false });
    parts.push({ text: codeOf(character), isCode: true });
    from = index + character.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isCode: false });
  return parts;
}
