/**
 * One line that is a JSON object with an id, at the top and once: `id` is that, as it is written. Over UTF-8 with a
 * character for each byte. It reads no more than lines have as a rule: what is nested deeper than this, has an escape in a
 * key, an id beyond ASCII or none is JSON.parse's.
 *
 * No alternative begins like another and no text fits a repetition in two ways, so a line that does not fit is given up in
 * time that grows with its length only.
 */
export function recordLine(idField: string): RegExp {
  const key = escaped(Buffer.from(JSON.stringify(idField)).toString("latin1"));
  const others = list(`(?!${key})${plainText}${gap}:${gap}${value}`);
  const id = `${key}${gap}:${gap}(${idValue})`;
  const comma = `${gap},${gap}`;
  return new RegExp(`\\{${gap}(?:${others}${comma})?${id}(?:${comma}${others})?${gap}\\}\\r?(?=\\n|$)`, "y");
}

const gap = " ?";
const plain = '[^"\\\\\\x00-\\x1f]*';
const plainText = `"${plain}"`;
const text = `"${plain}(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})${plain})*"`;
const number = "-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?";
const scalar = `(?:${text}|${number}|true|false|null)`;
/** Nothing in it is nested: with another level V8 takes twice as long to make machine code of it. */
const value = `(?:${scalar}|\\[${gap}(?:${list(scalar)}${gap})?\\]|\\{${gap}(?:${list(`${plainText}${gap}:${gap}${scalar}`)}${gap})?\\})`;
/** What is the same when it was read and written again: text of ASCII without escapes, and the digits JavaScript keeps. */
const idValue = '"[ !#-\\[\\]-~]+"|0|[1-9]\\d{0,14}';

function list(item: string): string {
  return `${item}(?:${gap},${gap}${item})*`;
}

function escaped(source: string): string {
  return source.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
