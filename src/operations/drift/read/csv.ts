import type { RowReader, RowSink } from "./row-reader.ts";

/**
 * CSV as RFC 4180 has it and programs write it: the first row names the columns, quoted fields may hold delimiters, line
 * breaks and doubled quotes, lines end with LF or CRLF. A quote within a field that does not begin with one is a quote.
 */
export class CsvReader implements RowReader {
  readonly #delimiter: string;
  readonly #sink: RowSink;
  #text = "";
  #names: readonly string[] | null = null;
  /** Where the next quote is, once it was looked for; -1: nowhere. */
  #quoteAt: number | null = null;

  constructor(sink: RowSink, delimiter: string) {
    this.#sink = sink;
    this.#delimiter = delimiter;
  }

  get pendingChars(): number {
    return this.#text.length;
  }

  push(text: string): void {
    this.#text += text;
    this.#read();
  }

  end(): void {
    if (this.#text !== "") {
      this.#text += "\n";
      this.#read();
    }
    if (this.#text !== "") this.#sink.unread("a quote is never closed");
  }

  #read(): void {
    let at = 0;
    for (;;) {
      const lineEnd = this.#text.indexOf("\n", at);
      if (lineEnd === -1) break;
      const quote = this.#nextQuote(at);
      if (quote === -1 || quote > lineEnd) {
        // Most rows have no quotes, and are as fast as a split.
        const line = this.#text.slice(
          at,
          this.#text[lineEnd - 1] === "\r" && lineEnd > at ? lineEnd - 1 : lineEnd,
        );
        at = lineEnd + 1;
        if (line !== "") this.#row(line.split(this.#delimiter));
        continue;
      }
      const row = this.#quotedRow(at);
      if (row === null) break;
      at = row.end;
      this.#row(row.fields);
    }
    this.#text = this.#text.slice(at);
    this.#quoteAt = null;
  }

  /** Asked for at rising places: what was found ahead is kept. */
  #nextQuote(from: number): number {
    if (this.#quoteAt === null || (this.#quoteAt !== -1 && this.#quoteAt < from))
      this.#quoteAt = this.#text.indexOf('"', from);
    return this.#quoteAt;
  }

  /** Null when its end is not there yet. */
  #quotedRow(from: number): { readonly fields: string[]; readonly end: number } | null {
    const text = this.#text;
    const fields: string[] = [];
    for (let at = from; ; ) {
      let field = "";
      if (text[at] === '"') {
        const closing = closingQuote(text, at + 1);
        if (closing === -1) return null;
        field = text.slice(at + 1, closing).replaceAll('""', '"');
        at = closing + 1;
      }
      const lineEnd = text.indexOf("\n", at);
      if (lineEnd === -1) return null;
      const delimiter = text.indexOf(this.#delimiter, at);
      const isLast = delimiter === -1 || delimiter > lineEnd;
      const end = isLast ? lineEnd : delimiter;
      fields.push(field + text.slice(at, isLast && end > at && text[end - 1] === "\r" ? end - 1 : end));
      at = end + 1;
      if (isLast) return { fields, end: at };
    }
  }

  #row(fields: readonly string[]): void {
    if (this.#names === null) {
      this.#names = columnNames(fields);
      return;
    }
    const names = this.#names;
    if (fields.length !== names.length) {
      this.#sink.unread(`a row has ${fields.length} fields, expected ${names.length}`);
      return;
    }
    // Without a prototype, so that a column may have any name.
    const record: Record<string, unknown> = Object.create(null);
    for (let at = 0; at < names.length; at++) record[names[at] ?? ""] = cellValue(fields[at] ?? "");
    this.#sink.record(record);
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1 || text[at + 1] !== '"') return at === text.length - 1 ? -1 : at;
  }
}

function columnNames(fields: readonly string[]): string[] {
  const names = fields.map((field, at) => field.trim() || `column_${at + 1}`);
  return names.map((name, at) => (names.indexOf(name) === at ? name : `${name}_${at + 1}`));
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** What programs write where there is nothing, and their truths. */
const words: ReadonlyMap<string, boolean | null> = new Map([
  ...["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"].map((word) => [word, null] as const),
  ...["true", "True"].map((word) => [word, true] as const),
  ...["false", "False"].map((word) => [word, false] as const),
]);

function cellValue(field: string): string | number | boolean | null {
  const trimmed = field.trim();
  const number = Number(trimmed);
  // Most texts are no number at all; of those that are, 0x10 and Infinity are none to whoever wrote them.
  if (!Number.isNaN(number) && numberPattern.test(trimmed)) return number;
  const word = words.get(trimmed);
  return word === undefined ? field : word;
}
