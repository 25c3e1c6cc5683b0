import { open } from "node:fs/promises";
import type { Range } from "./done-ranges.ts";
import type { Piece } from "./piece-reader.ts";

/** Before each block: the number of its first line, and how many hashes follow, a record each on lines that follow. */
const headerBytes = 16;
const hashBytes = 8;

type Lines = Pick<Piece, "chunk"> & Pick<Range, "from_lines" | "to_lines">;

/** The ids of a stretch of lines as ids.bin has them: one block, more where blank lines lie between its records. */
export function idBlocks(piece: Lines, idHashes: Uint32Array): Buffer[] {
  const firstLine = piece.from_lines + 1;
  const count = idHashes.length / 2;
  if (count === 0) return [];
  if (count === piece.to_lines - piece.from_lines) return blockOf(firstLine, idHashes);
  const lines = recordLines(piece);
  const blocks: Buffer[] = [];
  for (let from = 0, to = 1; from < count; from = to++) {
    while (to < count && lines[to] === (lines[to - 1] ?? 0) + 1) to++;
    blocks.push(...blockOf(lines[from] ?? firstLine + from, idHashes.subarray(2 * from, 2 * to)));
  }
  return blocks;
}

function blockOf(line: number, idHashes: Uint32Array): Buffer[] {
  const header = Buffer.alloc(headerBytes);
  header.writeDoubleLE(line, 0);
  header.writeUInt32LE(idHashes.length / 2, 8);
  return [header, Buffer.from(idHashes.buffer, idHashes.byteOffset, idHashes.byteLength)];
}

/** The numbers of the lines that are not blank. */
function recordLines({ chunk, from_lines }: Lines): number[] {
  const texts = chunk?.lines.toString("latin1").split("\n") ?? [];
  return texts.flatMap((text, at) => (text.trim() === "" ? [] : [from_lines + 1 + at]));
}

/** Some ids: their hashes, shortened to what a double holds, and their lines. Good until the next are asked for. */
export interface IdBatch {
  readonly hashes: Float64Array;
  readonly lines: Float64Array;
}

const readBytes = 256 * 1024;

/** Every id of a file of them, in the order they were written. */
export async function* readIds(path: string): AsyncGenerator<IdBatch, void, undefined> {
  const handle = await open(path, "r");
  try {
    const blocks = new IdBlocks();
    const buffer = Buffer.alloc(readBytes);
    for (let at = 0, held = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, held, readBytes - held, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      const length = held + bytesRead;
      const { used, ...batch } = blocks.read(buffer, length);
      yield batch;
      buffer.copyWithin(0, used, length);
      held = length - used;
    }
  } finally {
    await handle.close();
  }
}

/** Where it is in the file's blocks, from one buffer to the next. */
class IdBlocks {
  readonly #hashes = new Float64Array(readBytes / hashBytes);
  readonly #lines = new Float64Array(readBytes / hashBytes);
  #line = 0;
  #left = 0;

  /** `used`: how many of the bytes it took. */
  read(buffer: Buffer, length: number): IdBatch & { readonly used: number } {
    let at = 0;
    let count = 0;
    for (;;) {
      if (this.#left === 0) {
        if (length - at < headerBytes) break;
        this.#line = buffer.readDoubleLE(at);
        this.#left = buffer.readUInt32LE(at + 8);
        at += headerBytes;
      }
      if (length - at < hashBytes) break;
      // 53 of the 64 bits: what is equal is looked at again anyway.
      this.#hashes[count] = buffer.readUInt32LE(at) * 2 ** 21 + (buffer.readUInt32LE(at + 4) >>> 11);
      this.#lines[count++] = this.#line++;
      this.#left--;
      at += hashBytes;
    }
    return { hashes: this.#hashes.subarray(0, count), lines: this.#lines.subarray(0, count), used: at };
  }
}
