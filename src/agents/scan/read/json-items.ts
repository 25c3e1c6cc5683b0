import { HeldBytes } from "./held-bytes.ts";

const byte = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma] = [byte('"'), byte("\\"), byte(",")];
const opening: ReadonlySet<number> = new Set([byte("{"), byte("[")]);
const closing: ReadonlySet<number> = new Set([byte("}"), byte("]")]);

/** The name of a list, with the blanks around it. */
const maxNameBytes = 100;

/**
 * The parts of one JSON object, as texts: each item of the list `listName`, and every other field as an object of that
 * one field. The object may be of any size, each part is at most `maxBytes`; longer ones are passed over and told.
 */
export function* jsonItemsOf(
  chunks: Iterable<Buffer>,
  listName: string,
  maxBytes: number,
  onTooLong: () => void,
): Generator<string> {
  const part = new HeldBytes(maxBytes);
  const listStart = new RegExp(`^\\s*${JSON.stringify(listName)}\\s*:\\s*$`);
  let depth = 0;
  let isInList = false;
  let isInString = false;
  let isEscaped = false;
  const finish = (): string | null => {
    if (part.isTooLong) onTooLong();
    const text = part.text().trim();
    part.clear();
    if (text === "") return null;
    return isInList ? text : `{${text}}`;
  };
  for (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at] ?? 0;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (character === backslash) isEscaped = true;
        else if (character === quote) isInString = false;
        continue;
      }
      const partDepth = isInList ? 2 : 1;
      if (character === quote) isInString = true;
      else if (opening.has(character)) {
        depth += 1;
        if (depth === 1) start = at + 1;
        if (depth !== 2 || isInList) continue;
        part.add(chunk.subarray(start, at));
        start = at;
        if (part.length > maxNameBytes || !listStart.test(part.text())) continue;
        part.clear();
        start = at + 1;
        isInList = true;
      } else if (closing.has(character) || character === comma) {
        const isEnd = closing.has(character);
        if (depth === partDepth) {
          part.add(chunk.subarray(start, at));
          start = at + 1;
          const text = finish();
          if (text !== null) yield text;
          if (isEnd) isInList = false;
        }
        if (isEnd) depth -= 1;
      }
    }
    if (depth > 0) part.add(chunk.subarray(start));
  }
  const rest = finish();
  // Cut off in the middle: whoever parses it will see.
  if (rest !== null) yield rest;
}
