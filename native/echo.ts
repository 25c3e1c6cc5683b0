// Echo's inner loop, as WebAssembly: V8 has it in machine code at the first byte, where JavaScript takes 20,000 lines to get
// there, three times as long as the lines themselves. AssemblyScript, compiled by `npm run generate` into
// src/operations/batch/processors/echo/echo-wasm.ts. Addresses are of its memory, which src/operations/batch/processors/echo/echo-program.ts lays out; behind
// the lines there are 16 zero bytes, at which everything stops that reads on.

/** JSON.parse should say what the line is. */
const unsure: i32 = -1;
/** Arrays and objects within one another, each a call on the stack. */
const maxDepth: i32 = 100;
/** Digits that a number keeps when JavaScript reads it and writes it again. */
const maxIdDigits: i32 = 15;

const tab: u8 = 0x09;
const newline: u8 = 0x0a;
const carriageReturn: u8 = 0x0d;
const blank: u8 = 0x20;
const quote: u8 = 0x22;
const plus: u8 = 0x2b;
const comma: u8 = 0x2c;
const minus: u8 = 0x2d;
const point: u8 = 0x2e;
const slash: u8 = 0x2f;
const zero: u8 = 0x30;
const colon: u8 = 0x3a;
const openBracket: u8 = 0x5b;
const backslash: u8 = 0x5c;
const closeBracket: u8 = 0x5d;
const openBrace: u8 = 0x7b;
const closeBrace: u8 = 0x7d;
const a: u8 = 0x61;
const b: u8 = 0x62;
const e: u8 = 0x65;
const f: u8 = 0x66;
const n: u8 = 0x6e;
const r: u8 = 0x72;
const t: u8 = 0x74;
const u: u8 = 0x75;
/** Makes a capital letter a small one. */
const small: u8 = 0x20;
/** Four letters as the number they are read as. */
const wordTrue: u32 = 0x65757274;
const wordNull: u32 = 0x6c6c756e;
const wordFals: u32 = 0x736c6166;

/** The texts at the start of the memory, one after the other: the id's key, and what a row is made of besides id and line. */
const key: i32 = 0;
let rowStart: i32 = 0;
let rowMiddle: i32 = 0;
let rowEnd: i32 = 0;
let textsEnd: i32 = 0;

export function setTexts(keyBytes: i32, rowStartBytes: i32, rowMiddleBytes: i32, rowEndBytes: i32): void {
  rowStart = key + keyBytes;
  rowMiddle = rowStart + rowStartBytes;
  rowEnd = rowMiddle + rowMiddleBytes;
  textsEnd = rowEnd + rowEndBytes;
}

/** Where the next row and the next hash go, and the number of the next line. */
export let rows: i32 = 0;
export let hashes: i32 = 0;
export let line: f64 = 0;

/** Writes the rows of lines, and the hashes of their ids, up to one it is unsure of; tells where that one begins, or the end. */
export function echo(start: i32, end: i32): i32 {
  let at = start;
  while (at < end) {
    const to = afterLine(at, end);
    if (to === unsure) break;
    put(rowStart, rowMiddle);
    const id = rows;
    if (idTo === 0) putNumber(<i64>line);
    else put(idFrom, idTo);
    hash(id, rows);
    put(rowMiddle, rowEnd);
    put(at, to);
    put(rowEnd, textsEnd);
    line += 1;
    at = to < end ? to + 1 : end;
  }
  return at;
}

function put(from: i32, to: i32): void {
  memory.copy(rows, from, to - from);
  rows += to - from;
}

function putNumber(value: i64): void {
  let digits = 1;
  for (let left = value / 10; left > 0; left /= 10) digits++;
  for (let left = value, at = rows + digits; at > rows; left /= 10) store<u8>(--at, zero + <u8>(left % 10));
  rows += digits;
}

/** The same as `hashIdText` has of an id that is ASCII. */
function hash(from: i32, to: i32): void {
  let low: i32 = 0x811c9dc5;
  let high: i32 = 0x9747b28c;
  for (let at = from; at < to; at++) {
    const code = <i32>load<u8>(at);
    low = (low ^ code) * 0x01000193;
    high = (high ^ code) * 0x85ebca6b + low;
  }
  store<i32>(hashes, mixed(low ^ high));
  store<i32>(hashes + 4, mixed(high));
  hashes += 8;
}

function mixed(half: i32): i32 {
  let bits = (half ^ (half >>> 16)) * 0x85ebca6b;
  bits = (bits ^ (bits >>> 13)) * 0xc2b2ae35;
  return bits ^ (bits >>> 16);
}

/** Where the id is of the line that was read last, as it is to be written; both 0: it has none, and is called by its line. */
let idFrom: i32 = 0;
let idTo: i32 = 0;

/**
 * Reads a line that is one JSON object without making anything of it. Strict: what it takes JSON.parse takes too, and what
 * is out of the ordinary (an escape in a key, an id beyond ASCII, blanks before the object) it leaves to that. Tells where
 * the line ends, at its newline or with the lines, which must be UTF-8.
 */
function afterLine(start: i32, end: i32): i32 {
  idFrom = idTo = 0;
  if (load<u8>(start) !== openBrace) return unsure;
  let at = afterBlanks(start + 1);
  while (load<u8>(at) !== closeBrace) {
    if (load<u8>(at) !== quote) return unsure;
    const name = at + 1;
    at = afterPlain(name);
    if (load<u8>(at) !== quote) return unsure;
    const isId = at - name === rowStart - key && memory.compare(name, key, at - name) === 0;
    at = afterBlanks(at + 1);
    if (load<u8>(at) !== colon) return unsure;
    const value = afterBlanks(at + 1);
    at = afterValue(value, maxDepth);
    if (at === unsure || (isId && !isPlainId(value, at))) return unsure;
    at = afterBlanks(at);
    if (load<u8>(at) === closeBrace) break;
    if (load<u8>(at) !== comma) return unsure;
    at = afterBlanks(at + 1);
    if (load<u8>(at) === closeBrace) return unsure;
  }
  at++;
  if (load<u8>(at) === carriageReturn) at++;
  return at === end || load<u8>(at) === newline ? at : unsure;
}

/** Whether the id is written as it was read: text of plain ASCII, or digits. What is neither text nor a number is none. */
function isPlainId(from: i32, to: i32): bool {
  const first = load<u8>(from);
  idFrom = idTo = 0; // of two with the same key the last counts
  if (first === quote) {
    for (let at = from; at < to; at++) {
      const byte = load<u8>(at);
      if (byte >= 0x80 || byte === backslash) return false;
    }
    if (to - from === 2) return true;
  } else if (isDigit(first)) {
    if (to - from > maxIdDigits || afterDigits(from) !== to) return false;
  } else {
    return first !== minus;
  }
  idFrom = from;
  idTo = to;
  return true;
}

function afterValue(at: i32, depth: i32): i32 {
  const first = load<u8>(at);
  if (first === quote) return afterString(at + 1);
  if (isDigit(first) || first === minus) return afterNumber(at);
  if (first === openBrace) return depth === 0 ? unsure : afterMembers(at + 1, depth - 1);
  if (first === openBracket) return depth === 0 ? unsure : afterElements(at + 1, depth - 1);
  return afterWord(at);
}

function afterMembers(start: i32, depth: i32): i32 {
  let at = afterBlanks(start);
  if (load<u8>(at) === closeBrace) return at + 1;
  while (true) {
    if (load<u8>(at) !== quote) return unsure;
    at = afterString(at + 1);
    if (at === unsure) return unsure;
    at = afterBlanks(at);
    if (load<u8>(at) !== colon) return unsure;
    at = afterValue(afterBlanks(at + 1), depth);
    if (at === unsure) return unsure;
    at = afterBlanks(at);
    if (load<u8>(at) === closeBrace) return at + 1;
    if (load<u8>(at) !== comma) return unsure;
    at = afterBlanks(at + 1);
  }
}

function afterElements(start: i32, depth: i32): i32 {
  let at = afterBlanks(start);
  if (load<u8>(at) === closeBracket) return at + 1;
  while (true) {
    at = afterValue(at, depth);
    if (at === unsure) return unsure;
    at = afterBlanks(at);
    if (load<u8>(at) === closeBracket) return at + 1;
    if (load<u8>(at) !== comma) return unsure;
    at = afterBlanks(at + 1);
  }
}

function afterString(start: i32): i32 {
  let at = start;
  while (true) {
    at = afterPlain(at);
    if (load<u8>(at) === quote) return at + 1;
    if (load<u8>(at) !== backslash) return unsure;
    const escaped = load<u8>(at + 1);
    if (escaped === u) {
      for (let digit = at + 2; digit < at + 6; digit++) if (!isHex(load<u8>(digit))) return unsure;
      at += 6;
    } else if (isEscape(escaped)) {
      at += 2;
    } else {
      return unsure;
    }
  }
}

function afterNumber(start: i32): i32 {
  let at = load<u8>(start) === minus ? start + 1 : start;
  const whole = at;
  at = load<u8>(at) === zero ? at + 1 : afterDigits(at);
  if (at === whole) return unsure;
  if (load<u8>(at) === point) {
    const fraction = at + 1;
    at = afterDigits(fraction);
    if (at === fraction) return unsure;
  }
  if ((load<u8>(at) | small) === e) {
    const sign = load<u8>(at + 1);
    const exponent = sign === plus || sign === minus ? at + 2 : at + 1;
    at = afterDigits(exponent);
    if (at === exponent) return unsure;
  }
  return at;
}

function afterWord(at: i32): i32 {
  const word = load<u32>(at);
  if (word === wordTrue || word === wordNull) return at + 4;
  return word === wordFals && load<u8>(at + 4) === e ? at + 5 : unsure;
}

/** After the bytes of a string that stand for themselves, 16 at a time. */
function afterPlain(start: i32): i32 {
  let at = start;
  while (true) {
    const bytes = v128.load(at);
    const isEnd = v128.or(i8x16.eq(bytes, i8x16.splat(quote)), i8x16.eq(bytes, i8x16.splat(backslash)));
    const ends = i8x16.bitmask(v128.or(isEnd, i8x16.lt_u(bytes, i8x16.splat(blank))));
    if (ends !== 0) return at + ctz(ends);
    at += 16;
  }
}

function afterBlanks(start: i32): i32 {
  let at = start;
  while (load<u8>(at) === blank || load<u8>(at) === tab) at++;
  return at;
}

function afterDigits(start: i32): i32 {
  let at = start;
  while (isDigit(load<u8>(at))) at++;
  return at;
}

function isDigit(byte: u8): bool {
  return <u8>(byte - zero) < 10;
}

function isHex(byte: u8): bool {
  return isDigit(byte) || <u8>((byte | small) - a) < 6;
}

function isEscape(byte: u8): bool {
  if (byte === quote || byte === backslash || byte === slash) return true;
  return byte === b || byte === f || byte === n || byte === r || byte === t;
}
