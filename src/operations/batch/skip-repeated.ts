import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Chunk } from "./port/processor.ts";
import { hashIdText } from "./port/batch-rows.ts";
import { recordsOf } from "./port/records.ts";
import { type DuplicateCounts, findDuplicates } from "./find-duplicates.ts";
import { idBlocks } from "./id-file.ts";
import { InputFile } from "./input-file.ts";
import { LineMarks } from "./line-marks.ts";
import { OutputFile } from "./output-file.ts";
import { PieceReader } from "./piece-reader.ts";
import { type RunSpec, runFiles } from "./run-spec.ts";

/** Lines that are left out because an earlier record has their id. */
export interface SkippedLines {
  readonly lines: LineMarks;
  readonly counts: DuplicateCounts;
}

/**
 * Reads the whole input before any of its records is done: which of two with one id is the first must not depend on which
 * is done sooner. A run that is taken up again has `duplicates.jsonl` already, as that is durable before any checkpoint.
 */
export async function findRepeated(
  spec: RunSpec,
  isResumed: boolean,
  signal: AbortSignal,
): Promise<SkippedLines> {
  if (!isResumed) await findDuplicates(spec, await writeIds(spec, signal));
  const lines = new LineMarks();
  const firstLines = new Set<number>();
  const input = createReadStream(join(spec.output, runFiles.duplicates));
  for await (const row of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const { line, first_line } = JSON.parse(row) as { readonly line: number; readonly first_line: number };
    lines.add(line);
    firstLines.add(first_line);
  }
  return { lines, counts: { records: lines.count, ids: firstLines.size } };
}

/** Hashes of all ids to ids.bin; returns how many records there are. */
async function writeIds(spec: RunSpec, signal: AbortSignal): Promise<number> {
  const input = await InputFile.open(spec.input, spec.is_gzip);
  const output = await OutputFile.open(join(spec.output, runFiles.ids), 0);
  try {
    const reader = new PieceReader(input, { bytes: 0, lines: 0 }, []);
    let count = 0;
    for (let piece = await reader.next(4_096); piece !== null; piece = await reader.next(4_096)) {
      signal.throwIfAborted();
      const hashes = piece.chunk === null ? new Uint32Array(0) : hashesIn(piece.chunk, spec.id_field);
      count += hashes.length / 2;
      await output.append(idBlocks(piece, hashes));
      reader.release(piece);
    }
    return count;
  } finally {
    await output.close();
    await input.close();
  }
}

/** A record without an id is known by the number of its line: that is no id it has in common with another. */
function hashesIn(chunk: Chunk, idField: string): Uint32Array {
  const records = [...recordsOf(chunk, idField)];
  const hashes = new Uint32Array(2 * records.length);
  for (const [at, { record, idText, line }] of records.entries()) {
    const hasOwn = record !== null && Object.hasOwn(record, idField);
    hashIdText(hasOwn ? idText : `line ${line}`, hashes, 2 * at);
  }
  return hashes;
}
