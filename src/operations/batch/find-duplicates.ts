import { createHash } from "node:crypto";
import { join } from "node:path";
import type { JsonObject } from "../../engine/events/schema.ts";
import { idTextOf } from "./port/batch-rows.ts";
import { type BucketLimits, IdBuckets } from "./id-buckets.ts";
import { type FoundId, IdTexts } from "./id-texts.ts";
import { InputFile } from "./input-file.ts";
import { LineMarks } from "./line-marks.ts";
import { OutputFile } from "./output-file.ts";
import { PieceReader } from "./piece-reader.ts";
import { type RunSpec, runFiles } from "./run-spec.ts";

/** As stats.json has it. */
export interface DuplicateCounts {
  /** Records whose id an earlier record has. */
  records: number;
  /** Ids that more than one record has. */
  ids: number;
}

/** Ids that are compared at once: each may cost a text and two numbers. */
const maxTextsAtOnce = 250_000;

/**
 * Records with an id that an earlier one has, to `duplicates.jsonl`. Hashes are sorted in buckets that fit into memory, and
 * mark the lines whose hashes are equal; these are then read again, once, and the ids themselves compared: in the order of
 * the lines, or, where they are too many for memory, in parts. Without any such line the input is not read again.
 */
export async function findDuplicates(
  spec: RunSpec,
  recordCount: number,
  limits?: BucketLimits,
  textsAtOnce = maxTextsAtOnce,
): Promise<DuplicateCounts> {
  const output = await OutputFile.open(join(spec.output, runFiles.duplicates), 0);
  const buckets = new IdBuckets(join(spec.output, runFiles.ids), recordCount, limits);
  const marks = new LineMarks();
  const counts = { records: 0, ids: 0 };
  try {
    for await (const lines of buckets.candidates()) for (const line of lines) marks.add(line);
    const texts = new IdTexts(join(spec.output, runFiles.ids), Math.ceil(marks.count / textsAtOnce));
    for await (const part of texts.parts(idsAt(spec, marks))) await compare(part, output, counts);
    await output.sync();
    return counts;
  } finally {
    await buckets.remove();
    await output.close();
  }
}

/** Every one that an id has is among them. */
async function compare(
  ids: AsyncIterable<FoundId>,
  output: OutputFile,
  counts: DuplicateCounts,
): Promise<void> {
  const seen = new Map<string, { readonly line: number; isRepeated: boolean }>();
  let rows = "";
  for await (const { line, idText } of ids) {
    const key = idText.length <= 100 ? idText : createHash("sha256").update(idText).digest("base64");
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, { line, isRepeated: false });
      continue;
    }
    counts.records++;
    if (!first.isRepeated) counts.ids++;
    first.isRepeated = true;
    rows += `{"record_id":${idText},"line":${line},"first_line":${first.line}}\n`;
    if (rows.length < 64 * 1024) continue;
    await output.append([Buffer.from(rows)]);
    rows = "";
  }
  await output.append([Buffer.from(rows)]);
}

/** The ids of the lines that are marked, in order. */
async function* idsAt(spec: RunSpec, marks: LineMarks): AsyncGenerator<FoundId, void, undefined> {
  if (marks.count === 0) return;
  const input = await InputFile.open(spec.input, spec.is_gzip);
  try {
    const reader = new PieceReader(input, { bytes: 0, lines: 0 }, []);
    for (let piece = await reader.next(4_096); piece !== null; piece = await reader.next(4_096)) {
      const { from_lines, to_lines, chunk } = piece;
      if (marks.hasAny(from_lines + 1, to_lines)) {
        const texts = chunk?.lines.toString("utf8").split("\n") ?? [];
        for (let line = from_lines + 1; line <= to_lines; line++) {
          if (!marks.has(line)) continue;
          yield { line, idText: idIn(texts[line - from_lines - 1] ?? "", spec.id_field, line) };
        }
      }
      reader.release(piece);
    }
  } finally {
    await input.close();
  }
}

function idIn(source: string, idField: string, line: number): string {
  try {
    const record = JSON.parse(source) as unknown;
    const isObject = typeof record === "object" && record !== null && !Array.isArray(record);
    return isObject ? idTextOf(record as JsonObject, idField, line, source) : String(line);
  } catch {
    return String(line); // it failed, and has its row among the errors
  }
}
