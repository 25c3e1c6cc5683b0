import { startProgram } from "../../../../base/web-assembly.ts";
import { hashIdText, resultRow } from "../../port/batch-rows.ts";
import type { Chunk } from "../../port/processor.ts";
import { echoWasm } from "./echo-wasm.ts";

/** What native/echo.ts exports. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  setTexts(keyBytes: number, rowStartBytes: number, rowMiddleBytes: number, rowEndBytes: number): void;
  echo(start: number, end: number): number;
  readonly rows: { value: number };
  readonly hashes: { value: number };
  readonly line: { value: number };
}

const pageBytes = 65_536;
/** Behind the lines, of zeros: nothing reads further. */
const gapBytes = 16;
const hashBytes = 8;
/** A row has its line, an id that is part of that, and so much around them; or the digits of a number instead of the id. */
const maxAroundBytes = 64;

/** Makes rows of lines in WebAssembly, as far as it is sure of them. In its memory: texts, lines, a gap, hashes, rows. */
export class EchoProgram {
  readonly #exports: Exports;
  readonly #linesAt: number;
  #memory: Buffer;
  /** The same, by words of four bytes. */
  #words: Uint32Array;
  #linesEnd = 0;
  #hashesAt = 0;
  #rowsAt = 0;
  #rowsLimit = 0;

  constructor(idField: string) {
    this.#exports = startProgram<Exports>(echoWasm);
    const texts = [idField, ...resultRow("#", "#").split("#")].map((text) => Buffer.from(text));
    const [key = 0, rowStart = 0, rowMiddle = 0, rowEnd = 0] = texts.map(({ length }) => length);
    this.#linesAt = key + rowStart + rowMiddle + rowEnd;
    [this.#memory, this.#words] = this.#memoryOf(this.#linesAt);
    this.#memory.set(Buffer.concat(texts));
    this.#exports.setTexts(key, rowStart, rowMiddle, rowEnd);
  }

  /** The number of the line it is at. */
  get line(): number {
    return this.#exports.line.value;
  }

  /** Takes the lines of a chunk, which must be UTF-8. */
  load({ lines, firstLine, lineCount }: Chunk): void {
    this.#linesEnd = this.#linesAt + lines.length;
    this.#hashesAt = hashBytes * Math.ceil((this.#linesEnd + gapBytes) / hashBytes);
    this.#rowsAt = this.#hashesAt + hashBytes * lineCount;
    this.#rowsLimit = this.#rowsAt + 2 * lines.length + maxAroundBytes * lineCount;
    [this.#memory, this.#words] = this.#memoryOf(this.#rowsLimit);
    this.#memory.set(lines, this.#linesAt);
    this.#memory.fill(0, this.#linesEnd, this.#linesEnd + gapBytes);
    const { rows, hashes, line } = this.#exports;
    [rows.value, hashes.value, line.value] = [this.#rowsAt, this.#hashesAt, firstLine];
  }

  /** Goes on where a line starts, up to one it is unsure of: tells where that starts, or the end of the lines. */
  run(start: number): number {
    return this.#exports.echo(this.#linesAt + start, this.#linesEnd) - this.#linesAt;
  }

  /** The line it was unsure of is a record of this id, and has this row, or failed and has none. */
  add(idText: string, row: string | null): void {
    const { rows, hashes } = this.#exports;
    hashIdText(idText, this.#words, hashes.value / 4);
    hashes.value += hashBytes;
    if (row !== null) rows.value += this.#memory.write(row, rows.value);
  }

  /** The line it was unsure of is done with. */
  pass(): void {
    this.#exports.line.value++;
  }

  /** What became of the lines, as a copy. */
  take(): { readonly results: Buffer; readonly idHashes: Uint32Array } {
    const { rows, hashes } = this.#exports;
    // More lines than were told of would have their hashes where rows are.
    if (hashes.value > this.#rowsAt || rows.value > this.#rowsLimit) throw new Error("rows without room");
    const results = Buffer.allocUnsafeSlow(rows.value - this.#rowsAt);
    this.#memory.copy(results, 0, this.#rowsAt, rows.value);
    return { results, idHashes: new Uint32Array(this.#memory.buffer.slice(this.#hashesAt, hashes.value)) };
  }

  /** All of the memory, when it is at least so large. What grows gets a new address, as far as JavaScript is concerned. */
  #memoryOf(bytes: number): [Buffer, Uint32Array] {
    const { memory } = this.#exports;
    const missing = bytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
    if (this.#memory?.buffer === memory.buffer) return [this.#memory, this.#words];
    return [Buffer.from(memory.buffer), new Uint32Array(memory.buffer)];
  }
}
