const literal = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs;
/** Perl's and Ruby's other quotes. */
const otherQuotes = /(?:\bq[qw]?|%[wqQW])\s?[[({<|/!]([^\])}>|/!]{0,2000})/g;

/** `{sw arm}` */
const tclWords = /\{([\w. ]{2,60})\}/g;

/** The texts that stand in code, in the order they stand there. */
export function literalsIn(code: string): string[] {
  return [
    ...[...code.matchAll(literal)].map(([, , text = ""]) => text),
    ...[...code.matchAll(otherQuotes)].map(([, text = ""]) => text),
    ...[...code.matchAll(tclWords)].map(([, text = ""]) => text),
  ];
}

/** So much of what is decoded is looked at. */
const maxTexts = 64;

/** What texts and numbers in code come to when they are turned as the code's own words say it does. */
export function decodedTexts(code: string): string[] {
  const texts = literalsIn(code).slice(0, maxTexts);
  const found: string[] = [];
  if (/b64|base64|atob|unpack|decode/i.test(code)) found.push(...texts.flatMap(fromBase64));
  if (/hex|pack/i.test(code)) found.push(...texts.flatMap(fromHex));
  if (/revers|::-1|\brev\b|strrev/i.test(code)) {
    found.push(...texts.map(reversed), reversed(texts.join("")));
  }
  if (/rot_?13|\btr\b|translate|maketrans/i.test(code)) found.push(...texts.map(rot13));
  if (/chr|char|bytes|buffer|pack/i.test(code)) found.push(...fromNumbers(code));
  for (const [, , removed = ""] of code.matchAll(removal))
    found.push(...texts.map((text) => text.replaceAll(removed, "")));
  return found;
}

/** `'sXwXarm'.replace('X', '')` */
const removal = /(?:replace(?:All)?|gsub|delete|sub|str_replace)\s*\(\s*(["'/])([^"'/\n]{1,8})\1g?/g;

function fromBase64(text: string): string[] {
  const compact = text.replaceAll(/\s/g, "");
  if (!/^[\w+/-]{4,4096}={0,2}$/.test(compact)) return [];
  const decoded = Buffer.from(compact, "base64").toString("latin1");
  return isText(decoded) ? [decoded] : [];
}

function fromHex(text: string): string[] {
  const digits = text.replaceAll(/\\x|0x|[\s:]/g, "");
  return /^(?:[\da-f]{2}){2,2048}$/i.test(digits) ? [Buffer.from(digits, "hex").toString("latin1")] : [];
}

function isText(text: string): boolean {
  return /^[\t\n\r\x20-\x7e]*$/.test(text);
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}

function rot13(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** `[46, 115, 119]`, `chr(115) . chr(119)`: numbers that are letters, one after the other. */
function fromNumbers(code: string): string[] {
  const numbers = [...code.matchAll(/(?<![\w.])(?:0x([\da-f]{2})|(\d{2,3}))(?![\w.])/gi)].slice(0, 2_000);
  const letters = numbers.map(([, hex, decimal]) =>
    Number.parseInt(hex ?? decimal ?? "", hex === undefined ? 10 : 16),
  );
  return [String.fromCharCode(...letters.filter((code) => code >= 32 && code < 127))];
}
