import { createHash } from "node:crypto";
import { join } from "node:path";
import type { JsonObject } from "../events/schema.ts";
import { idTextOf } from "../ports/batch-rows.ts";
import { type BucketLimits, IdBuckets } from "./id-buckets.ts";
import { InputFile } from "./input-file.ts";
import { OutputFile } from "./output-file.ts";
import { PieceReader } from "./piece-reader.ts";
import { type RunSpec, runFiles } from "./run-spec.ts";

/** As stats.json has it. */
export interface DuplicateCounts {
  /** Records whose id an earlier record has. */
  readonly records: number;
  /** Ids that more than one record has. */
  readonly ids: number;
}

/** Lines looked at in one passage over the input: each may cost a text and two numbers until it ends. */
const maxLinesAtOnce = 250_000;

/**
 * Records with an id that an earlier one has, to `duplicates.jsonl`. Hashes are sorted in buckets that fit into memory; the
 * lines whose hashes are equal are then read again, and the ids themselves compared. Without any such line the input is not
 * read again; with many it is read once for each quarter of a million.
 */
export async function findDuplicates(
  spec: RunSpec,
  recordCount: number,
  limits?: BucketLimits,
): Promise<DuplicateCounts> {
  const output = await OutputFile.open(join(spec.output, runFiles.duplicates), 0);
  const buckets = new IdBuckets(join(spec.output, runFiles.ids), recordCount, limits);
  const counts = { records: 0, ids: 0 };
  const compare = async (lines: readonly number[]) => {
    const found = await compareIds(spec, Float64Array.from(lines).sort(), output);
    counts.records += found.records;
    counts.ids += found.ids;
  };
  try {
    let lines: number[] = [];
    for await (const candidates of buckets.candidates()) {
      for (const line of candidates) lines.push(line);
      // Whole buckets: equal ids are in one.
      if (lines.length < maxLinesAtOnce) continue;
      await compare(lines);
      lines = [];
    }
    if (lines.length > 0) await compare(lines);
    await output.sync();
    return counts;
  } finally {
    await buckets.remove();
    await output.close();
  }
}

async function compareIds(spec: RunSpec, lines: Float64Array, output: OutputFile): Promise<DuplicateCounts> {
  const seen = new Map<string, { readonly line: number; isRepeated: boolean }>();
  const counts = { records: 0, ids: 0 };
  let rows = "";
  for await (const { line, idText } of idsAt(spec, lines)) {
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
  return counts;
}

/** The ids of some lines, in order. */
async function* idsAt(spec: RunSpec, lines: Float64Array) {
  const input = await InputFile.open(spec.input, spec.is_gzip);
  try {
    const reader = new PieceReader(input, { bytes: 0, lines: 0 }, []);
    let next = 0;
    while (next < lines.length) {
      const piece = await reader.next(4_096);
      if (piece === null) return;
      if ((lines[next] ?? 0) > piece.to_lines) continue;
      const texts = piece.chunk?.lines.toString("utf8").split("\n") ?? [];
      for (; next < lines.length && (lines[next] ?? 0) <= piece.to_lines; next++) {
        const line = lines[next] ?? 0;
        yield { line, idText: idIn(texts[line - piece.from_lines - 1] ?? "", spec.id_field, line) };
      }
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
