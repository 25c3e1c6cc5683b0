import type { JsonObject } from "../../engine/events/schema.ts";
import type { ChunkEnd } from "./port/processor.ts";
import type { Range } from "./done-ranges.ts";
import type { Finished } from "./finished.ts";
import { frame } from "./processors/frames.ts";

interface EarlyHeader extends Range, Pick<ChunkEnd, "doneCount" | "failedCount" | "errorClasses" | "tally"> {
  /** Bytes of each, in this order. */
  readonly results: number;
  readonly errors: number;
  readonly latencies: number;
}

/** A result whose turn has not come, as a frame of an early file: its numbers, then its rows, latencies and ids. */
export function earlyFrame({ end, ids, from_bytes, to_bytes, from_lines, to_lines }: Finished): Buffer {
  const { results, errors, latenciesMs, doneCount, failedCount, errorClasses, tally } = end;
  const latencies = new Uint8Array(latenciesMs.buffer, latenciesMs.byteOffset, latenciesMs.byteLength);
  const header: EarlyHeader = {
    ...{ from_bytes, to_bytes, from_lines, to_lines, doneCount, failedCount, errorClasses },
    ...{ results: results.length, errors: errors.length, latencies: latencies.length },
    ...(tally !== undefined && { tally }),
  };
  return frame({ ...header }, results, errors, latencies, ...ids);
}

export function readEarly(read: JsonObject, body: Buffer): Finished {
  const header = read as unknown as EarlyHeader;
  const { from_bytes, to_bytes, from_lines, to_lines, doneCount, failedCount, errorClasses, tally } = header;
  const errorsAt = header.results;
  const latenciesAt = errorsAt + header.errors;
  const idsAt = latenciesAt + header.latencies;
  // Copied: numbers of 8 bytes begin at a multiple of it.
  const latenciesMs = new Float64Array(Uint8Array.from(body.subarray(latenciesAt, idsAt)).buffer);
  return {
    ...{ from_bytes, to_bytes, from_lines, to_lines, piece: null, ids: [body.subarray(idsAt)] },
    end: {
      ...{ doneCount, failedCount, errorClasses, latenciesMs, idHashes: new Uint32Array(0) },
      results: body.subarray(0, errorsAt),
      errors: body.subarray(errorsAt, latenciesAt),
      ...(tally !== undefined && { tally }),
    },
  };
}
