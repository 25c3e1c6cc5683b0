/**
 * What hides a secret from patterns and not from a reader: colors and other controls of terminals, characters without a
 * width, and a line that a shell joins with the next one.
 */
const hiding =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  /\u001b\[[\d;:?]{0,32}[A-Za-z]|\u001b\][^\u0007\u001b\n]{0,256}(?:\u0007|\u001b\\)|[\u00ad\u200b-\u200d\u2060\ufeff]|\\\r?\n/g;

/** A character that JSON, HTML or an address has escaped; also in a text in a text, which has more backslashes. */
const escaped = /\\{1,4}u00([2-7][\da-f])|%([2-7][\da-f])|&#(\d{2,3});|&(quot|apos|amp);/gi;

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&" };

/** The text as a reader has it; the same text where it hides nothing. */
export function plainText(text: string): string {
  return text.replace(hiding, "").replace(escaped, readable);
}

function readable(
  whole: string,
  unicode: string | undefined,
  percent: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
  const code =
    decimal === undefined ? Number.parseInt(unicode ?? percent ?? "", 16) : Number.parseInt(decimal, 10);
  const character = String.fromCharCode(code);
  // A quotation mark or backslash in a text of JSON would end it, or begin something else.
  return code < 0x20 || code > 0x7e || (unicode !== undefined && /["\\]/.test(character)) ? whole : character;
}
