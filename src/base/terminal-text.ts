/**
 * What steers a terminal, ends a line where none ends, or turns the reading order around: C0 but for tabs and line
 * breaks, DEL, C1, U+2028, U+2029 and the controls of bidirectional text.
 */
const steering = /(?![\t\n]|\r\n)[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/** What colours of ours begin and end with: bold, dim, red, green, yellow and cyan. */
const colours = new RegExp(`(${"\u001b"}\\[(?:1|2|22|31|32|33|36|39)m)`);

/**
 * A text with every such character as `\u202e`: programs, agents and file names may hold any. Within JSON that is the
 * same value, so lines of JSON stay what they are.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(steering, (character) => `\\u${hex(character)}`);
}

/** The same for what a command prints, which has colours of ours where `isColoured`. */
export function terminalText(text: string, isColoured: boolean): string {
  if (!isColoured) return escapeControls(text);
  return text
    .split(colours)
    .map((part, at) => (at % 2 === 1 ? part : escapeControls(part)))
    .join("");
}

/** JSON that can be printed: JSON itself leaves in DEL, C1 and the controls of bidirectional text. */
export function printableJson(value: unknown, indent?: number): string {
  return escapeControls(JSON.stringify(value, null, indent));
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}
