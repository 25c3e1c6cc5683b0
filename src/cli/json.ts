/** As every command prints it for a program. */
export function json(value: unknown): string {
  return `${escaped(JSON.stringify(value, null, 2))}\n`;
}

/** The same on one line, for streams. */
export function jsonLine(value: unknown): string {
  return `${escaped(JSON.stringify(value))}\n`;
}

/** JSON leaves in what steers a terminal or turns the reading order around; to a program the escape is the same. */
function escaped(text: string): string {
  return text.replaceAll(
    /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
