import { isUtf8 } from "node:buffer";
import { errorRow, resultRow } from "../../port/batch-rows.ts";
import type { Chunk, ChunkEnd } from "../../port/processor.ts";
import { readRecord, recordsOf } from "../../port/records.ts";
import { hashesOf, Rows } from "../../port/rows.ts";
import { recordLine } from "./record-line.ts";

/** What became of a chunk, but for how long it took. */
export type EchoedChunk = Omit<ChunkEnd, "latenciesMs">;

/** Only a chunk of one long line is larger. V8 throws when a pattern keeps more than 64 MB to go back to: a list of 8 MB. */
const maxBytes = 2_000_000;

/** Answers chunks with themselves: a record's text is taken over as it is, once it is known to be JSON. */
export class ChunkEcho {
  readonly #idField: string;
  readonly #recordLine: RegExp;

  constructor(idField: string) {
    this.#idField = idField;
    this.#recordLine = recordLine(idField);
  }

  echo(chunk: Chunk): EchoedChunk {
    if (chunk.lines.length > maxBytes || !isUtf8(chunk.lines)) return echoPlainly(chunk, this.#idField);
    const pattern = this.#recordLine;
    // A character for each byte: rows are cut out and put together without being decoded.
    const lines = chunk.lines.toString("latin1");
    const ids: string[] = [];
    const errorClasses: Record<string, number> = {};
    let [results, errors, failedCount] = ["", "", 0];
    for (let line = chunk.firstLine, start = 0; start < lines.length; line++) {
      pattern.lastIndex = start;
      const id = pattern.exec(lines)?.[1];
      if (id !== undefined) {
        ids.push(id);
        results += resultRow(id, lines.slice(start, pattern.lastIndex));
        start = pattern.lastIndex + 1;
        continue;
      }
      const newline = lines.indexOf("\n", start);
      const end = newline === -1 ? lines.length : newline;
      const source = chunk.lines.toString("utf8", start, end);
      start = end + 1;
      if (source.trim() === "") continue;
      const { idText, problem } = readRecord(source, line, this.#idField);
      ids.push(idText);
      if (problem === null) {
        results += Buffer.from(resultRow(idText, source)).toString("latin1");
      } else {
        errors += errorRow(idText, line, problem.class, problem.message);
        errorClasses[problem.class] = (errorClasses[problem.class] ?? 0) + 1;
        failedCount++;
      }
    }
    return {
      results: Buffer.from(results, "latin1"),
      errors: Buffer.from(errors),
      doneCount: ids.length - failedCount,
      failedCount,
      errorClasses,
      idHashes: hashesOf(ids),
    };
  }
}

/** The lines of a chunk with bytes that are no UTF-8 fail if those are in them. */
function echoPlainly(chunk: Chunk, idField: string): EchoedChunk {
  const rows = new Rows();
  for (const record of recordsOf(chunk, idField)) {
    if (record.problem === null) rows.done(record, record.source, 0);
    else rows.failed(record, record.problem.class, record.problem.message);
  }
  return rows.take();
}
