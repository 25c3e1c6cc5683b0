/** A text that is not longer cannot take much memory, whatever is in it. */
const harmlessChars = 256 * 1024;
/** Values of a JSON text: more than any agent's line has, 10 MB when parsed. */
const maxParts = 200_000;

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, brace, bracket] = [code('"'), code("\\"), code(","), code("{"), code("[")];

/**
 * Whether a JSON text is made of so many values that parsing it takes many times its size: 4 MB of nested `[` take 900. What
 * stands in strings does not count.
 */
export function hasManyParts(json: string): boolean {
  if (json.length <= harmlessChars) return false;
  let parts = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (isInString) {
      if (character === backslash) at += 1;
      else if (character === quote) isInString = false;
    } else if (character === quote) isInString = true;
    else if (character === comma || character === brace || character === bracket) {
      parts += 1;
      if (parts > maxParts) return true;
    }
  }
  return false;
}
