import type { JsonObject } from "../../../engine/events/schema.ts";
import type { Chunk, ChunkEnd } from "./processor.ts";

const newline = 0x0a;

/** The lines of a chunk before and from line `at` of it on, counted from 0. Both share its memory. */
export function splitChunk(chunk: Chunk, at: number): readonly [Chunk, Chunk] {
  let offset = 0;
  for (let line = 0; line < at; line++) {
    const end = chunk.lines.indexOf(newline, offset);
    offset = end === -1 ? chunk.lines.length : end + 1;
  }
  return [
    { firstLine: chunk.firstLine, lineCount: at, lines: chunk.lines.subarray(0, offset) },
    {
      firstLine: chunk.firstLine + at,
      lineCount: chunk.lineCount - at,
      lines: chunk.lines.subarray(offset),
    },
  ];
}

/** What became of stretches that follow each other, as of one. `mergeTally`: how what a kind counts adds up. */
export function joinEnds(
  ends: readonly ChunkEnd[],
  mergeTally?: (sum: JsonObject | null, tally: JsonObject) => JsonObject,
): ChunkEnd {
  const [first] = ends;
  if (first !== undefined && ends.length === 1) return first;
  const errorClasses: Record<string, number> = {};
  let tally: JsonObject | undefined;
  for (const end of ends) {
    for (const [name, count] of Object.entries(end.errorClasses))
      errorClasses[name] = (errorClasses[name] ?? 0) + count;
    if (end.tally !== undefined) tally = mergeTally?.(tally ?? null, end.tally) ?? tally;
  }
  return {
    results: Buffer.concat(ends.map((end) => end.results)),
    errors: Buffer.concat(ends.map((end) => end.errors)),
    doneCount: sum(ends.map((end) => end.doneCount)),
    failedCount: sum(ends.map((end) => end.failedCount)),
    errorClasses,
    idHashes: joined(
      ends.map((end) => end.idHashes),
      Uint32Array,
    ),
    latenciesMs: joined(
      ends.map((end) => end.latenciesMs),
      Float64Array,
    ),
    ...(tally === undefined ? {} : { tally }),
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function joined<A extends Uint32Array | Float64Array>(
  parts: readonly A[],
  Kind: new (length: number) => A,
): A {
  const whole = new Kind(sum(parts.map((part) => part.length)));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
