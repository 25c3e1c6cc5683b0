/** All but tab and newline: C0, DEL and C1. A newline may be written with a carriage return before it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, all of them.
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

export function hasControls(text: string): boolean {
  return control.test(text);
}

/**
 * Every reading of a line with control characters; the line alone when it has none. A shell drops a NUL that it reads from
 * its input, a C library ends a text at it, a terminal takes a carriage return for the end of a line, and other programs
 * put a blank in place of what they cannot show. Whichever happens, one of these forms is what is run.
 */
export function formsOf(line: string): readonly string[] {
  const text = line.replaceAll("\r\n", "\n");
  if (!hasControls(text)) return [text];
  return [...new Set(["", " ", "\n"].map((instead) => text.replaceAll(controls, instead)))].concat(text);
}

/** Every reading of a name or a path, for the same reasons; also without blanks around it, which many tools cut off. */
export function nameForms(name: string): readonly string[] {
  const trimmed = name.trim();
  if (!hasControls(name) && trimmed === name && !name.includes("\n")) return [name];
  const ended = name.slice(0, name.search(/[\u0000\r\n]|$/)).trim();
  return [...new Set([name, trimmed, ended, name.replaceAll(controls, "").trim()])];
}
