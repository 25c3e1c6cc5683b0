/** Where a record's id is, as it is to be written; both 0: it has none, and is called by its line. */
export interface IdPlace {
  from: number;
  to: number;
}

/** JSON.parse should say what it is. */
export const unsure = -1;

/** Arrays and objects within one another, each a call on the stack. */
const maxDepth = 100;
/** Digits that a number keeps when JavaScript reads it and writes it again. */
const maxIdDigits = 15;

const [tab, newline, carriageReturn, blank] = [0x09, 0x0a, 0x0d, 0x20];
const [quote, plus, comma, minus, point, slash, zero, nine, colon] = [
  0x22, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x39, 0x3a,
];
const [upperA, upperE, upperF, openBracket, backslash, closeBracket] = [0x41, 0x45, 0x46, 0x5b, 0x5c, 0x5d];
const [a, b, e, f, l, n, r, s, t, u, openBrace, closeBrace] = [
  0x61, 0x62, 0x65, 0x66, 0x6c, 0x6e, 0x72, 0x73, 0x74, 0x75, 0x7b, 0x7d,
];

/**
 * Reads a line that is one JSON object without making anything of it: echo needs to know that it is JSON, and its id. A
 * quarter of JSON.parse's time. Strict: what it takes JSON.parse takes too, and what is out of the ordinary (an escape in a
 * key, an id beyond ASCII, blanks before the object) it leaves to that. Tells where the line ends, at its newline or with
 * the bytes, which must be UTF-8.
 */
export function scanLine(bytes: Uint8Array, start: number, idKey: Uint8Array, id: IdPlace): number {
  id.from = id.to = 0;
  if (bytes[start] !== openBrace) return unsure;
  let at = afterBlanks(bytes, start + 1);
  while (bytes[at] !== closeBrace) {
    if (bytes[at] !== quote) return unsure;
    const key = at + 1;
    at = afterPlain(bytes, key);
    if (bytes[at] !== quote) return unsure;
    const isId = at - key === idKey.length && isAt(bytes, key, idKey);
    at = afterBlanks(bytes, at + 1);
    if (bytes[at] !== colon) return unsure;
    const value = afterBlanks(bytes, at + 1);
    at = afterValue(bytes, value, maxDepth);
    if (at === unsure || (isId && !isPlainId(bytes, value, at, id))) return unsure;
    at = afterBlanks(bytes, at);
    if (bytes[at] === closeBrace) break;
    if (bytes[at] !== comma) return unsure;
    at = afterBlanks(bytes, at + 1);
    if (bytes[at] === closeBrace) return unsure;
  }
  at++;
  if (bytes[at] === carriageReturn) at++;
  return at === bytes.length || bytes[at] === newline ? at : unsure;
}

/** Whether the id is written as it was read: text of plain ASCII, or digits. What is neither text nor a number is none. */
function isPlainId(bytes: Uint8Array, from: number, to: number, id: IdPlace): boolean {
  const first = bytes[from] ?? 0;
  id.from = id.to = 0; // of two with the same key the last counts
  if (first === quote) {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= 0x80 || byte === backslash) return false;
    }
    if (to - from === 2) return true;
  } else if (isDigit(first)) {
    for (let at = from; at < to; at++) if (!isDigit(bytes[at])) return false;
    if (to - from > maxIdDigits) return false;
  } else {
    return first !== minus;
  }
  id.from = from;
  id.to = to;
  return true;
}

function afterValue(bytes: Uint8Array, at: number, depth: number): number {
  const first = bytes[at];
  if (first === quote) return afterString(bytes, at + 1);
  if (isDigit(first) || first === minus) return afterNumber(bytes, at);
  if (first === openBrace) return depth === 0 ? unsure : afterMembers(bytes, at + 1, depth - 1);
  if (first === openBracket) return depth === 0 ? unsure : afterElements(bytes, at + 1, depth - 1);
  return afterWord(bytes, at);
}

function afterMembers(bytes: Uint8Array, start: number, depth: number): number {
  let at = afterBlanks(bytes, start);
  if (bytes[at] === closeBrace) return at + 1;
  for (;;) {
    if (bytes[at] !== quote) return unsure;
    at = afterString(bytes, at + 1);
    if (at === unsure) return unsure;
    at = afterBlanks(bytes, at);
    if (bytes[at] !== colon) return unsure;
    at = afterValue(bytes, afterBlanks(bytes, at + 1), depth);
    if (at === unsure) return unsure;
    at = afterBlanks(bytes, at);
    if (bytes[at] === closeBrace) return at + 1;
    if (bytes[at] !== comma) return unsure;
    at = afterBlanks(bytes, at + 1);
  }
}

function afterElements(bytes: Uint8Array, start: number, depth: number): number {
  let at = afterBlanks(bytes, start);
  if (bytes[at] === closeBracket) return at + 1;
  for (;;) {
    at = afterValue(bytes, at, depth);
    if (at === unsure) return unsure;
    at = afterBlanks(bytes, at);
    if (bytes[at] === closeBracket) return at + 1;
    if (bytes[at] !== comma) return unsure;
    at = afterBlanks(bytes, at + 1);
  }
}

function afterString(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    at = afterPlain(bytes, at);
    if (bytes[at] === quote) return at + 1;
    if (bytes[at] !== backslash) return unsure;
    const escaped = bytes[at + 1];
    if (escaped === u) {
      for (let digit = at + 2; digit < at + 6; digit++) if (!isHex(bytes[digit])) return unsure;
      at += 6;
    } else if (
      escaped === quote ||
      escaped === backslash ||
      escaped === slash ||
      escaped === b ||
      escaped === f ||
      escaped === n ||
      escaped === r ||
      escaped === t
    ) {
      at += 2;
    } else {
      return unsure;
    }
  }
}

function afterNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === minus ? start + 1 : start;
  const whole = at;
  at = bytes[at] === zero ? at + 1 : afterDigits(bytes, at);
  if (at === whole) return unsure;
  if (bytes[at] === point) {
    const fraction = at + 1;
    at = afterDigits(bytes, fraction);
    if (at === fraction) return unsure;
  }
  if (bytes[at] === e || bytes[at] === upperE) {
    const hasSign = bytes[at + 1] === plus || bytes[at + 1] === minus;
    const exponent = hasSign ? at + 2 : at + 1;
    at = afterDigits(bytes, exponent);
    if (at === exponent) return unsure;
  }
  return at;
}

function afterWord(bytes: Uint8Array, at: number): number {
  const [first, second, third, fourth] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  if (first === t) return second === r && third === u && fourth === e ? at + 4 : unsure;
  if (first === n) return second === u && third === l && fourth === l ? at + 4 : unsure;
  const isFalse = first === f && second === a && third === l && fourth === s && bytes[at + 4] === e;
  return isFalse ? at + 5 : unsure;
}

function afterPlain(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let byte = bytes[at]; byte !== undefined && byte >= blank && byte !== quote && byte !== backslash; ) {
    byte = bytes[++at];
  }
  return at;
}

function afterBlanks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] === blank || bytes[at] === tab) at++;
  return at;
}

function afterDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return isDigit(byte) || (byte >= upperA && byte <= upperF) || (byte >= a && byte <= f);
}

function isAt(bytes: Uint8Array, start: number, key: Uint8Array): boolean {
  for (let at = 0; at < key.length; at++) if (bytes[start + at] !== key[at]) return false;
  return true;
}
