/** C0, DEL and C1 without tab and newline, which shells read as what they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

export function hasControls(text: string): boolean {
  return text.search(controls) !== -1;
}

/**
 * Lists the readings of a line with control characters; without any there is one. A shell drops a NUL that it reads from
 * its input, a C library ends a text at it, a terminal takes a carriage return for the end of a line, and other programs
 * put a blank in place of what they cannot show. Whichever happens, one of these readings is what is run.
 */
export function readingsOf(line: string): readonly string[] {
  const text = line.replaceAll("\r\n", "\n");
  if (!hasControls(text)) return [text];
  return [...new Set(["", " ", "\n"].map((instead) => text.replaceAll(controls, instead)))].concat(text);
}
