/** What of a record is looked at. */
export interface FlatFields {
  /** Those that are read as numbers; all different. */
  readonly numbers: readonly string[];
  readonly idField: string;
  readonly labelField: string | undefined;
  /** Whether numbers are wanted as floats of four bytes: long ones are then read without a detour. */
  readonly isSingle: boolean;
}

/**
 * Reads lines that are written alike: the same fields in the same order, numbers and plain texts. What lies between their
 * values is learnt from one line and compared, so a line that is read has the fields of the one that was learnt, and is
 * JSON; anything else is left to `JSON.parse`. A record with 30 numbers takes a third of the time, and no objects are made.
 */
export class FlatLines {
  /** Of the line that was read last, in the order of `numbers`. */
  readonly values: Float64Array;
  readonly #fields: FlatFields;
  #shape: Shape | null = null;
  #id: Stretch = { from: 0, to: 0 };
  #label: Stretch = { from: 0, to: 0 };

  constructor(fields: FlatFields) {
    this.#fields = fields;
    this.values = new Float64Array(fields.numbers.length);
  }

  /** Lines are to be like this one; false: it is none that can be read here. */
  learn(line: string): boolean {
    this.#shape = shapeOf(line, this.#fields);
    return this.#shape !== null;
  }

  /** Reads the line that begins at `from`. Returns where the next one begins, or -1 when this one is not like the others. */
  read(bytes: Buffer, from: number): number {
    if (this.#shape === null) return -1;
    const { texts, starts, roles } = this.#shape;
    const [id, label] = [this.#id, this.#label];
    id.from = id.to = label.from = label.to = 0;
    let at = from;
    for (let index = 0; ; index++) {
      for (let place = starts[index] as number, end = starts[index + 1] as number; place < end; place++)
        if (bytes[at++] !== texts[place]) return -1;
      if (index === roles.length) break;
      const role = roles[index] as number;
      const end = role >= 0 ? this.#readNumber(bytes, at, role) : endOfValue(bytes, at);
      if (end === -1) return -1;
      if (role === roleOf.id) {
        if (!isPlainId(bytes, at, end)) return -1;
        id.from = at;
        id.to = end;
      } else if (role === roleOf.label) {
        label.from = at;
        label.to = end;
      }
      at = end;
    }
    if (at === bytes.length) return at;
    return bytes[at] === newline ? at + 1 : -1;
  }

  /** How the record that was read last is called, as JSON; null when it does not say. */
  idText(bytes: Buffer): string | null {
    const { from, to } = this.#id;
    const isNamed = to > from && (bytes[from] !== quote || to - from > 2) && !isLetter(bytes[from]);
    return isNamed ? bytes.toString("latin1", from, to) : null;
  }

  /** Of the record that was read last. */
  label(bytes: Buffer): unknown {
    const { from, to } = this.#label;
    return to === from ? undefined : JSON.parse(bytes.toString("latin1", from, to));
  }

  /** Returns where it ends, or -1 when it is none. */
  #readNumber(bytes: Buffer, from: number, place: number): number {
    let at = from;
    let code = bytes[at] as number;
    if (code === minus) code = bytes[++at] as number;
    const firstDigit = at;
    let digits = 0;
    // A digit after the first nought is none of the number, and nothing that may follow it either.
    if (code === zero) code = bytes[++at] as number;
    else {
      if (!(code >= zero && code <= nine)) return -1;
      for (; code >= zero && code <= nine; code = bytes[++at] as number) digits = digits * 10 + (code - zero);
    }
    let scale = 0;
    if (code === point) {
      const firstOfFraction = ++at;
      for (code = bytes[at] as number; code >= zero && code <= nine; code = bytes[++at] as number)
        digits = digits * 10 + (code - zero);
      scale = at - firstOfFraction;
      if (scale === 0) return -1;
    }
    const length = at - firstDigit;
    if ((code | 0x20) === letterE) {
      const end = endOfExponent(bytes, at);
      if (end === -1) return -1;
      scale -= Number(bytes.toString("latin1", at + 1, end));
      at = end;
    }
    this.values[place] = this.#exact(digits, scale, length) ?? Number(bytes.toString("latin1", from, at));
    if (bytes[from] === minus) this.values[place] = -Math.abs(this.values[place] as number);
    return at;
  }

  /**
   * `digits` times ten to the power of -`scale`, as `Number` would have it; undefined when that is not sure.
   *
   * Up to 15 digits are exact as a double, as powers of ten are up to the 22nd, and a division is rounded once. More digits
   * are rounded a few times on their way, each time by a 2⁵³rd at most: as a float of four bytes they are sure
   * all the same, unless they lie next to where it is decided which of two it is.
   */
  #exact(digits: number, scale: number, length: number): number | undefined {
    if (scale > 22 || scale < -22 || length > 32) return undefined;
    const value = scale >= 0 ? digits / (tens[scale] as number) : digits * (tens[-scale] as number);
    if (length <= 15) return value;
    const isSure = Math.fround(value * (1 - slack)) === Math.fround(value * (1 + slack));
    return this.#fields.isSingle && isSure ? value : undefined;
  }
}

interface Stretch {
  from: number;
  to: number;
}

/** What lies before each value, and after the last, one after the other; and what each value is for. */
interface Shape {
  readonly texts: Uint8Array;
  /** Where each text begins, and where the last ends. */
  readonly starts: Int32Array;
  /** A place among the numbers, or one of `roleOf`. */
  readonly roles: Int32Array;
}

const roleOf = { other: -1, id: -2, label: -3 } as const;
const tens = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
/** Many times what 32 digits are rounded by, and a hundred-thousandth of what lies between two floats of four bytes. */
const slack = 2 ** -40;
const [newline, quote, backslash, minus, point] = [0x0a, 0x22, 0x5c, 0x2d, 0x2e];
const [zero, nine, letterE] = [0x30, 0x39, 0x65];
const words = ["true", "false", "null"].map((word) => Buffer.from(word));

const beforeValue = /[ \t\r]*([{,])[ \t\r]*"([\x20\x21\x23-\x5b\x5d-\x7e]*)"[ \t\r]*:[ \t\r]*/y;
const flatValue =
  /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|"[\x20\x21\x23-\x5b\x5d-\x7e]*"|true|false|null/y;
const afterAll = /[ \t\r]*\}[ \t\r]*$/y;

function shapeOf(line: string, { numbers, idField, labelField }: FlatFields): Shape | null {
  const texts: string[] = [];
  const names: string[] = [];
  let at = 0;
  for (;;) {
    const before = matchAt(beforeValue, line, at);
    if (before === null) break;
    const [text, mark, name = ""] = before;
    if ((mark === "{") !== (at === 0)) return null;
    const value = matchAt(flatValue, line, at + text.length);
    if (value === null) return null;
    texts.push(text);
    names.push(name);
    at += text.length + value[0].length;
  }
  const end = matchAt(afterAll, line, at);
  const isOnce = new Set(names).size === names.length;
  if (end === null || names.length === 0 || !isOnce || !numbers.every((name) => names.includes(name)))
    return null;
  const purposes = [...numbers, idField, ...(labelField === undefined ? [] : [labelField])];
  if (new Set(purposes).size < purposes.length) return null;
  texts.push(end[0]);
  const starts = [0];
  for (const text of texts) starts.push((starts.at(-1) ?? 0) + text.length);
  const roles = names.map((name) => {
    if (name === idField) return roleOf.id;
    return name === labelField ? roleOf.label : numbers.indexOf(name);
  });
  return {
    texts: Buffer.from(texts.join(""), "latin1"),
    starts: Int32Array.from(starts),
    roles: Int32Array.from(roles),
  };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Of a plain text, a number or a word; -1 when it is none of these. */
function endOfValue(bytes: Buffer, from: number): number {
  const code = bytes[from] as number;
  if (code === quote) return endOfText(bytes, from);
  if (code === minus || (code >= zero && code <= nine)) return endOfNumber(bytes, from);
  for (const word of words)
    if (word[0] === code && word.every((letter, index) => bytes[from + index] === letter))
      return from + word.length;
  return -1;
}

/** Without anything that is written in another way than it is read: marks, controls, letters beyond ASCII. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = from + 1; ; at++) {
    const code = bytes[at] as number;
    if (code === quote) return at + 1;
    if (!(code >= 0x20 && code < 0x7f) || code === backslash) return -1;
  }
}

function endOfNumber(bytes: Buffer, from: number): number {
  const first = bytes[from] === minus ? from + 1 : from;
  let at = endOfDigits(bytes, first);
  if (at === first || (bytes[first] === zero && at > first + 1)) return -1;
  if (bytes[at] === point) {
    const fraction = at + 1;
    at = endOfDigits(bytes, fraction);
    if (at === fraction) return -1;
  }
  return ((bytes[at] as number) | 0x20) === letterE ? endOfExponent(bytes, at) : at;
}

/** `from`: of the letter. */
function endOfExponent(bytes: Buffer, from: number): number {
  const sign = bytes[from + 1];
  const first = sign === minus || sign === 0x2b ? from + 2 : from + 1;
  const end = endOfDigits(bytes, first);
  return end === first ? -1 : end;
}

function endOfDigits(bytes: Buffer, from: number): number {
  let at = from;
  for (let code = bytes[at] as number; code >= zero && code <= nine; code = bytes[at] as number) at++;
  return at;
}

/** Whether a record would be called just as it is written: 1.0 would be called 1. */
function isPlainId(bytes: Buffer, from: number, to: number): boolean {
  if (bytes[from] === quote || isLetter(bytes[from])) return true;
  const first = bytes[from] === minus ? from + 1 : from;
  const isNegativeZero = first > from && bytes[first] === zero;
  return to - first <= 15 && !isNegativeZero && endOfDigits(bytes, first) === to;
}

function isLetter(code: number | undefined): boolean {
  return code !== undefined && code >= 0x61;
}
