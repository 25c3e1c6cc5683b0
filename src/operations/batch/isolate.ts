import { SwarmError } from "../../base/errors.ts";
import { joinEnds, splitChunk } from "./port/chunk.ts";
import type { Chunk, ChunkEnd, ChunkPart, OnPart, Processor, ProcessorTally } from "./port/processor.ts";
import { recordsOf } from "./port/records.ts";
import { Rows } from "./port/rows.ts";

export interface IsolateOptions {
  readonly idField: string;
  /** How what the processor counts adds up. */
  readonly tally?: ProcessorTally | undefined;
  /** Given: what is finished before the rest, in order; the end is of the lines that follow. */
  readonly onPart?: OnPart;
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
  { idField, tally, onPart }: IsolateOptions,
): Promise<ChunkEnd> {
  const ends: ChunkEnd[] = [];
  const add = onPart ?? (({ end }: ChunkPart) => void ends.push(end));
  await attempt(chunk, tries);
  return joinEnds(ends, tally?.merge);

  async function attempt(part: Chunk, triesLeft: number): Promise<void> {
    let rest = part;
    const onDone = (done: ChunkPart) => {
      [, rest] = splitChunk(rest, done.lineCount);
      add(done);
    };
    try {
      const end = await processor.run(part, onDone);
      if (rest.lineCount > 0) add({ lineCount: rest.lineCount, end });
      return;
    } catch (error) {
      if (!(error instanceof SwarmError) || error.code !== "SWARM_BATCH_WORKER_LOST") throw error;
      if (rest.lineCount === 0) return;
      if (triesLeft > 1) return attempt(rest, triesLeft - 1);
      if (rest.lineCount === 1) return add({ lineCount: 1, end: crashed(rest, idField, error.message) });
    }
    const halves = splitChunk(rest, rest.lineCount >>> 1);
    for (const half of halves) await attempt(half, half.lineCount === 1 ? tries : 1);
  }
}

function crashed(chunk: Chunk, idField: string, message: string): ChunkEnd {
  const rows = new Rows();
  for (const record of recordsOf(chunk, idField)) rows.failed(record, "crash", message);
  return rows.take();
}
