import { isAscii, isUtf8 } from "node:buffer";
import { errorRow, hashIdText, idTextOf, resultRow } from "../../ports/batch-rows.ts";
import type { Chunk, ChunkEnd } from "../../ports/processor.ts";
import { readRecord, recordsOf } from "../../ports/records.ts";
import { Rows } from "../../ports/rows.ts";

/** What became of a chunk, but for how long it took. */
export type EchoedChunk = Omit<ChunkEnd, "latenciesMs">;

/** Every record as it was read: its text is taken over as it is, once it is known to be JSON. */
export function echoChunk(chunk: Chunk, idField: string): EchoedChunk {
  const { lines, firstLine, lineCount } = chunk;
  // One text for the whole chunk, lines as stretches of it, and rows joined into one text again: a third less time than
  // copying each line's bytes. Latin-1 is ASCII's shortest way in and out.
  const encoding = isAscii(lines) ? "latin1" : "utf8";
  if (encoding === "utf8" && !isUtf8(lines)) return echoBytes(chunk, idField);
  const text = lines.toString(encoding);
  const idHashes = new Uint32Array(2 * lineCount);
  const errorClasses: Record<string, number> = {};
  let [results, errors, count, failedCount] = ["", "", 0, 0];
  for (let line = firstLine, start = 0; start < text.length; line++) {
    const newline = text.indexOf("\n", start);
    const source = text.slice(start, newline === -1 ? text.length : newline);
    start += source.length + 1;
    const record = objectIn(source);
    if (record === null && source.trim() === "") continue;
    const idText = record === null ? String(line) : idTextOf(record, idField, line, source);
    hashIdText(idText, idHashes, 2 * count++);
    if (record !== null) {
      results += resultRow(idText, source);
      continue;
    }
    const { problem } = readRecord(source, line, idField);
    const errorClass = problem?.class ?? "invalid_json";
    errors += errorRow(idText, line, errorClass, problem?.message ?? "");
    errorClasses[errorClass] = (errorClasses[errorClass] ?? 0) + 1;
    failedCount++;
  }
  return {
    results: Buffer.from(results, encoding),
    errors: Buffer.from(errors),
    doneCount: count - failedCount,
    failedCount,
    errorClasses,
    idHashes: idHashes.subarray(0, 2 * count),
  };
}

function objectIn(source: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(source);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
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
