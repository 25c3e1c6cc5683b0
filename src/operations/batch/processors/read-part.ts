import type { ChunkEnd } from "../port/processor.ts";
import { hashesOf } from "../port/rows.ts";
import type { Frame, PartHeader } from "./frames.ts";

/** A part of what became of a chunk, as a worker has told it. */
export interface Part {
  readonly end: ChunkEnd;
  readonly lines: number;
  readonly isLast: boolean;
  readonly isWaiting: boolean;
}

/** Throws at numbers that do not fit each other: a function may have written to our pipe. */
export function readPart({ header, body }: Frame): Part {
  const head = header as unknown as PartHeader;
  const sizes = [head.results, head.errors, head.ids, head.latencies];
  for (const size of [...sizes, head.lines, head.done, head.failed]) {
    if (!Number.isSafeInteger(size) || size < 0) throw new Error(`a part has a count of ${size}`);
  }
  const recordCount = head.done + head.failed;
  const isWhole =
    // What it counts is of records: a part without any has nothing to count.
    (head.lines > 0 || head.tally === undefined) &&
    sizes.reduce((total, size) => total + size, 0) === body.length &&
    head.latencies % 8 === 0 &&
    recordCount <= head.lines;
  if (!isWhole) throw new Error("the sizes of a part do not fit each other");
  const errorsAt = head.results;
  const idsAt = errorsAt + head.errors;
  const latenciesAt = idsAt + head.ids;
  const ids = body.toString("utf8", idsAt, latenciesAt).split("\n");
  if (ids.pop() !== "" || ids.length !== recordCount)
    throw new Error("the ids of a part are not those of its records");
  return {
    end: {
      results: body.subarray(0, errorsAt),
      errors: body.subarray(errorsAt, idsAt),
      doneCount: head.done,
      failedCount: head.failed,
      errorClasses: head.classes,
      idHashes: hashesOf(ids),
      latenciesMs: new Float64Array(copied(body, latenciesAt, body.length)),
      ...(head.tally === undefined ? {} : { tally: head.tally }),
    },
    lines: head.lines,
    isLast: head.is_last === true,
    isWaiting: head.is_waiting === true,
  };
}

/** Numbers of 8 bytes must begin at a multiple of it, and the rows before them have any length. */
function copied(body: Buffer, from: number, to: number): ArrayBuffer {
  const copy = new ArrayBuffer(to - from);
  new Uint8Array(copy).set(body.subarray(from, to));
  return copy;
}
