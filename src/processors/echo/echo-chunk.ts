import { isUtf8 } from "node:buffer";
import { errorRow, hashIdBytes, hashIdText, resultRow } from "../../ports/batch-rows.ts";
import type { Chunk, ChunkEnd } from "../../ports/processor.ts";
import { readRecord, recordsOf } from "../../ports/records.ts";
import { Rows } from "../../ports/rows.ts";
import { type IdPlace, scanLine, unsure } from "./scan-line.ts";

/** What became of a chunk, but for how long it took. */
export type EchoedChunk = Omit<ChunkEnd, "latenciesMs">;

const newline = 0x0a;
/** A row is these and, between them, its id and its line. */
const [rowStart, rowMiddle, rowEnd] = resultRow("#", "#")
  .split("#")
  .map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

/** Answers chunks with themselves: a record's text is taken over as it is, once it is known to be JSON. */
export class ChunkEcho {
  readonly #idField: string;
  readonly #idKey: Buffer;
  readonly #id: IdPlace = { from: 0, to: 0 };
  /** Rows are put together here, and leave in a buffer of just their length. */
  #rows = Buffer.allocUnsafeSlow(512 * 1024);
  #length = 0;

  constructor(idField: string) {
    this.#idField = idField;
    this.#idKey = Buffer.from(idField);
  }

  echo(chunk: Chunk): EchoedChunk {
    const { lines, firstLine, lineCount } = chunk;
    if (!isUtf8(lines)) return echoBytes(chunk, this.#idField);
    const idHashes = new Uint32Array(2 * lineCount);
    const errorClasses: Record<string, number> = {};
    let [errors, count, failedCount] = ["", 0, 0];
    this.#length = 0;
    for (let line = firstLine, start = 0, end = 0; start < lines.length; line++, start = end + 1) {
      end = scanLine(lines, start, this.#idKey, this.#id);
      if (end !== unsure) {
        this.#addLine(lines, start, end, line, idHashes, 2 * count++);
        continue;
      }
      const found = lines.indexOf(newline, start);
      end = found === -1 ? lines.length : found;
      const source = lines.toString("utf8", start, end);
      if (source.trim() === "") continue;
      const { idText, problem } = readRecord(source, line, this.#idField);
      hashIdText(idText, idHashes, 2 * count++);
      if (problem === null) {
        this.#addRow(resultRow(idText, source));
        continue;
      }
      errors += errorRow(idText, line, problem.class, problem.message);
      errorClasses[problem.class] = (errorClasses[problem.class] ?? 0) + 1;
      failedCount++;
    }
    const results = Buffer.allocUnsafeSlow(this.#length);
    this.#rows.copy(results, 0, 0, this.#length);
    return {
      results,
      errors: Buffer.from(errors),
      doneCount: count - failedCount,
      failedCount,
      errorClasses,
      idHashes: idHashes.subarray(0, 2 * count),
    };
  }

  #addLine(lines: Buffer, start: number, end: number, line: number, idHashes: Uint32Array, at: number): void {
    const { from, to } = this.#id;
    if (to === 0) {
      const idText = String(line);
      hashIdText(idText, idHashes, at);
      this.#addRow(resultRow(idText, lines.toString("utf8", start, end)));
      return;
    }
    hashIdBytes(lines, from, to, idHashes, at);
    this.#makeRoom(rowStart.length + (to - from) + rowMiddle.length + (end - start) + rowEnd.length);
    const rows = this.#rows;
    let length = put(rowStart, rows, this.#length);
    for (let byte = from; byte < to; byte++) rows[length++] = lines[byte] ?? 0;
    length = put(rowMiddle, rows, length);
    lines.copy(rows, length, start, end);
    this.#length = put(rowEnd, rows, length + end - start);
  }

  #addRow(row: string): void {
    this.#makeRoom(3 * row.length);
    this.#length += this.#rows.write(row, this.#length);
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#rows.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + bytes));
    this.#rows.copy(larger, 0, 0, this.#length);
    this.#rows = larger;
  }
}

/** A few bytes: a call of Buffer's takes longer than this. */
function put(from: Buffer, into: Buffer, start: number): number {
  for (let at = 0; at < from.length; at++) into[start + at] = from[at] ?? 0;
  return start + from.length;
}

/** A chunk with bytes that are no UTF-8: the lines they are in fail, the others are echoed. */
function echoBytes(chunk: Chunk, idField: string): EchoedChunk {
  const rows = new Rows();
  for (const record of recordsOf(chunk, idField)) {
    if (record.problem === null) rows.done(record, record.source, 0);
    else rows.failed(record, record.problem.class, record.problem.message);
  }
  return rows.take();
}
