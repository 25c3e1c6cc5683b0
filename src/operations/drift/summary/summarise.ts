import { SwarmError } from "../../../base/errors.ts";
import { readRecords } from "../read/read-file.ts";
import type { SideData, SourceFile } from "../result.ts";
import { Dataset, type DatasetOptions } from "./dataset.ts";

export interface DataFile {
  readonly path: string;
  /** Lines of a batch run: what counts is their `output`. */
  readonly isBatch: boolean;
  /** What it held when a run made it, in hex; null: nobody knows. */
  readonly sha256: string | null;
}

/** One side of a comparison, and where it came from. */
export interface Summary {
  readonly side: SideData;
  readonly dataset: Dataset;
}

/** Reads all files, one after another, as if they were one. */
export async function summarise(
  source: string,
  files: readonly DataFile[],
  options: DatasetOptions,
): Promise<Summary> {
  const dataset = new Dataset(options);
  const read: SourceFile[] = [];
  let unread = 0;
  for (const { path, isBatch, sha256 } of files) {
    const file = await readRecords(path, (record) =>
      dataset.add(isBatch ? outputOf(record) : asObject(record, "value")),
    );
    if (sha256 !== null && sha256 !== file.digest) {
      const problem = "was written over since";
      throw new SwarmError("SWARM_DRIFT_RUN_DATA_GONE", { run: source, file: path, problem });
    }
    read.push({ path, bytes: file.bytes, sha256: file.digest });
    unread += file.unread;
  }
  const { rows, outside, undated, omitted } = dataset;
  return { side: { source, files: read, rows, outside, undated, unread, omitted }, dataset };
}

function outputOf(line: unknown): object {
  const output =
    typeof line === "object" && line !== null && Object.hasOwn(line, "output")
      ? (line as { output: unknown }).output
      : line;
  return asObject(output, "output");
}

/** What is no object becomes one with a single field. */
function asObject(value: unknown, name: string): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { [name]: value };
}
