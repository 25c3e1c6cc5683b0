import { SwarmError } from "../../base/errors.ts";
import { joinEnds, splitChunk } from "./port/chunk.ts";
import type { Chunk, ChunkEnd, Processor, ProcessorTally } from "./port/processor.ts";
import { recordsOf } from "./port/records.ts";
import { Rows } from "./port/rows.ts";

export interface IsolateOptions {
  readonly idField: string;
  /** How what the processor counts adds up. */
  readonly tally?: ProcessorTally | undefined;
}

/** A worker may be ended by somebody, or by the want of memory: whoever had a record then need not be at fault. */
const tries = 2;

/**
 * Runs a chunk whatever it does to its workers. One that loses its worker is run again; when that is lost too, in halves,
 * and those in halves, until the record that ends workers is alone: it becomes a row of class `crash`, the others are done.
 * In a chunk of n it costs 4 workers and one for each doubling of n. One half after the other: the chunk has one place.
 */
export async function runIsolated(
  processor: Processor,
  chunk: Chunk,
  { idField, tally }: IsolateOptions,
): Promise<ChunkEnd> {
  return attempt(chunk, tries);

  async function attempt(part: Chunk, triesLeft: number): Promise<ChunkEnd> {
    try {
      return await processor.run(part);
    } catch (error) {
      if (!(error instanceof SwarmError) || error.code !== "SWARM_BATCH_WORKER_LOST") throw error;
      if (triesLeft > 1) return attempt(part, triesLeft - 1);
      if (part.lineCount === 1) return crashed(part, idField, error.message);
    }
    const [before, after] = splitChunk(part, part.lineCount >>> 1);
    const ends: ChunkEnd[] = [];
    for (const half of [before, after]) ends.push(await attempt(half, half.lineCount === 1 ? tries : 1));
    return joinEnds(ends, tally?.merge);
  }
}

function crashed(chunk: Chunk, idField: string, message: string): ChunkEnd {
  const rows = new Rows();
  for (const record of recordsOf(chunk, idField)) rows.failed(record, "crash", message);
  return rows.take();
}
