import { splitChunk } from "./port/chunk.ts";
import type { Chunk, ChunkEnd, ChunkPart } from "./port/processor.ts";
import type { Range } from "./done-ranges.ts";
import { idBlocks } from "./id-file.ts";
import type { Piece } from "./piece-reader.ts";

/** What became of a stretch of the input, until it is written. */
export interface Finished extends Range {
  readonly end: ChunkEnd;
  /** Of its records, as ids.bin has them. */
  readonly ids: readonly Buffer[];
  /** The piece whose last stretch it is: when it is written, no one needs the piece's lines any more. */
  readonly piece: Piece | null;
}

/** What it takes of memory while it waits. */
export function sizeOf({ end: { results, errors, idHashes } }: Finished): number {
  return results.length + errors.length + idHashes.byteLength;
}

/** The parts of a piece, each with the stretch of the input it covers. */
export class FinishedParts {
  readonly #piece: Piece;
  #rest: Chunk | null;
  #bytes: number;
  #lines: number;

  constructor(piece: Piece) {
    this.#piece = piece;
    this.#rest = piece.chunk;
    this.#bytes = piece.from_bytes;
    this.#lines = piece.from_lines;
  }

  get leftLines(): number {
    return this.#piece.to_lines - this.#lines;
  }

  next({ lineCount, end }: ChunkPart): Finished {
    const { to_bytes, to_lines } = this.#piece;
    const [from_bytes, from_lines, whole] = [this.#bytes, this.#lines, this.#rest];
    const isLast = whole === null || lineCount >= whole.lineCount;
    const [chunk, rest] = isLast ? [whole, null] : splitChunk(whole, lineCount);
    // Counted from the end, so that a mark at the start of the file belongs to the first stretch.
    this.#bytes = to_bytes - (rest?.lines.length ?? 0);
    this.#lines = isLast ? to_lines : from_lines + lineCount;
    this.#rest = rest;
    const range = { from_bytes, from_lines, to_bytes: this.#bytes, to_lines: this.#lines };
    return {
      ...range,
      end,
      ids: idBlocks({ ...range, chunk }, end.idHashes),
      piece: isLast ? this.#piece : null,
    };
  }
}
