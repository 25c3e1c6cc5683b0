import { isAscii, isUtf8 } from "node:buffer";
import { type ErrorClass, errorRow, hashIdText, idTextOf, resultRow } from "../../ports/batch-rows.ts";
import type { Chunk, ChunkEnd } from "../../ports/processor.ts";

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
    const read = readRecord(source);
    if (read === null) continue;
    const idText = "problem" in read ? String(line) : idTextOf(read.record, idField, line, source);
    hashIdText(idText, idHashes, 2 * count++);
    if ("problem" in read) {
      errors += errorRow(idText, line, read.class, read.problem);
      errorClasses[read.class] = (errorClasses[read.class] ?? 0) + 1;
      failedCount++;
    } else {
      results += resultRow(idText, source);
    }
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

type Read =
  | { readonly record: Record<string, unknown> }
  | { readonly class: ErrorClass; readonly problem: string };

/** Null: a blank line, which is no record. */
function readRecord(source: string): Read | null {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    if (source.trim() === "") return null;
    return { class: "invalid_json", problem: (error as Error).message };
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return { record: value as Record<string, unknown> };
  }
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return { class: "not_an_object", problem: `${found}, expected an object` };
}

/** A chunk with bytes that are no UTF-8, line by line: what cannot be read as text fails, the rest is echoed. */
function echoBytes({ lines, firstLine }: Chunk, idField: string): EchoedChunk {
  const parts: EchoedChunk[] = [];
  for (let line = firstLine, start = 0; start < lines.length; line++) {
    const newline = lines.indexOf(10, start);
    const end = newline === -1 ? lines.length : newline + 1;
    const bytes = lines.subarray(start, end);
    start = end;
    parts.push(
      isUtf8(bytes) ? echoChunk({ lines: bytes, firstLine: line, lineCount: 1 }, idField) : notText(line),
    );
  }
  const errorClasses: Record<string, number> = {};
  for (const part of parts) {
    for (const [name, count] of Object.entries(part.errorClasses)) {
      errorClasses[name] = (errorClasses[name] ?? 0) + count;
    }
  }
  return {
    results: Buffer.concat(parts.map(({ results }) => results)),
    errors: Buffer.concat(parts.map(({ errors }) => errors)),
    doneCount: parts.reduce((sum, { doneCount }) => sum + doneCount, 0),
    failedCount: parts.reduce((sum, { failedCount }) => sum + failedCount, 0),
    errorClasses,
    idHashes: Uint32Array.from(parts.flatMap(({ idHashes }) => [...idHashes])),
  };
}

function notText(line: number): EchoedChunk {
  const idHashes = new Uint32Array(2);
  hashIdText(String(line), idHashes, 0);
  return {
    results: Buffer.alloc(0),
    errors: Buffer.from(errorRow(String(line), line, "invalid_json", "bytes that are no UTF-8")),
    doneCount: 0,
    failedCount: 1,
    errorClasses: { invalid_json: 1 },
    idHashes,
  };
}
