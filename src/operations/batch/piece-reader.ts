import type { Chunk } from "./port/processor.ts";
import type { Range } from "./done-ranges.ts";
import type { InputFile } from "./input-file.ts";
import type { LineMarks } from "./line-marks.ts";

/** A stretch of the input that is done as one: a chunk, or one line that is too long to be. */
export interface Piece extends Range {
  readonly chunk: Chunk | null;
}

export interface PieceLimits {
  readonly lineBytes: number;
  /** A chunk ends with the line that passes it. Four times as much was no faster. */
  readonly chunkBytes: number;
}

export const pieceLimits: PieceLimits = { lineBytes: 16 * 1024 * 1024, chunkBytes: 256 * 1024 };

/** Smaller costs calls, larger memory. */
const blockBytes = 256 * 1024;
/** Room for a chunk, and how many are kept: as much as may be under way. */
const [roomBytes, maxRooms] = [512 * 1024, 32];
const newline = 0x0a;
/** Some editors begin a file with it; it is no part of the first record. */
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Cuts an input into pieces of whole lines, and passes over those that are done. */
export class PieceReader {
  readonly #input: InputFile;
  readonly #limits: PieceLimits;
  readonly #done: Range[];
  /** Lines that are read as if they were blank. */
  readonly #skipped: LineMarks | null;
  #bytes: number;
  #lines: number;
  /** Where lines are read to; what a piece takes is a copy of its own. */
  #buffer = Buffer.allocUnsafeSlow(2 * blockBytes);
  /** The part of it that was read from `#bytes` on. */
  #held: Buffer = this.#buffer.subarray(0, 0);
  #isAtEnd = false;
  readonly #rooms: Buffer[] = [];

  constructor(
    input: InputFile,
    from: { readonly bytes: number; readonly lines: number },
    done: readonly Range[],
    limits: PieceLimits = pieceLimits,
    skipped: LineMarks | null = null,
  ) {
    this.#input = input;
    this.#limits = limits;
    this.#bytes = from.bytes;
    this.#lines = from.lines;
    this.#done = [...done];
    this.#skipped = skipped;
  }

  /** The next so many lines, or fewer; null at the end. */
  async next(maxLines: number): Promise<Piece | null> {
    this.#passOverDone();
    for (let lineCount = 0, length = 0; ; ) {
      // Where a stretch that is done begins, a piece ends.
      const limit = (this.#done[0]?.from_bytes ?? Number.POSITIVE_INFINITY) - this.#bytes;
      while (lineCount < maxLines && length < this.#limits.chunkBytes && length < limit) {
        const found = this.#held.indexOf(newline, length);
        if (found === -1) break;
        length = found + 1;
        lineCount++;
      }
      const isWhole = lineCount === maxLines || length >= this.#limits.chunkBytes || length === limit;
      if (isWhole || (this.#isAtEnd && length > 0)) return this.#take(length, lineCount);
      if (this.#isAtEnd) return this.#held.length === 0 ? null : this.#take(this.#held.length, 1);
      if (this.#held.length - length > this.#limits.lineBytes) {
        return length > 0 ? this.#take(length, lineCount) : this.#dropLine();
      }
      await this.#readOn();
    }
  }

  /**
   * Takes back a piece's memory, to be used again. It is not freed: a worker that is being killed may still have it in its
   * pipe. Left to V8, which looks at what is outside its heap only every 64 MB, it would pile up.
   */
  release({ chunk }: Piece): void {
    const buffer = chunk?.lines.buffer;
    const isRoom = buffer instanceof ArrayBuffer && buffer.byteLength === roomBytes;
    if (isRoom && this.#rooms.length < maxRooms) this.#rooms.push(Buffer.from(buffer));
  }

  #room(length: number): Buffer {
    // Small ones are cheap, and many of them would hold much.
    if (length > roomBytes || length < roomBytes / 16) return Buffer.allocUnsafeSlow(length);
    return (this.#rooms.pop() ?? Buffer.allocUnsafeSlow(roomBytes)).subarray(0, length);
  }

  async #readOn(): Promise<void> {
    const { length } = this.#held;
    if (length + blockBytes > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(2 * this.#buffer.length);
      this.#held.copy(larger);
      this.#buffer = larger;
    } else {
      this.#held.copy(this.#buffer);
    }
    const count = await this.#input.read(this.#bytes + length, this.#buffer, length);
    this.#isAtEnd = count === 0;
    this.#held = this.#buffer.subarray(0, length + count);
  }

  #take(length: number, lineCount: number): Piece {
    const hasMark = this.#bytes === 0 && this.#held.subarray(0, 3).equals(byteOrderMark);
    const lines = this.#room(length);
    this.#held.copy(lines, 0, 0, length);
    this.#held = this.#held.subarray(length);
    this.#blank(lines, lineCount);
    const chunk = { firstLine: this.#lines + 1, lineCount, lines: hasMark ? lines.subarray(3) : lines };
    return { chunk, ...this.#moveOn(length, lineCount) };
  }

  #blank(lines: Buffer, lineCount: number): void {
    const from = this.#lines + 1;
    if (!(this.#skipped?.hasAny(from, from + lineCount - 1) ?? false)) return;
    for (let at = 0, start = 0; at < lineCount; at++) {
      const found = lines.indexOf(newline, start);
      const end = found === -1 ? lines.length : found;
      if (this.#skipped?.has(from + at)) lines.fill(" ", start, end);
      start = end + 1;
    }
  }

  #moveOn(length: number, lineCount: number): Range {
    const [from_bytes, from_lines] = [this.#bytes, this.#lines];
    this.#bytes += length;
    this.#lines += lineCount;
    return { from_bytes, from_lines, to_bytes: this.#bytes, to_lines: this.#lines };
  }

  /** A line without an end in sight is read to its end and not kept. */
  async #dropLine(): Promise<Piece> {
    let length = 0;
    for (;;) {
      const found = this.#held.indexOf(newline);
      const dropped = found === -1 ? this.#held.length : found + 1;
      length += dropped;
      this.#held = this.#held.subarray(dropped);
      if (found !== -1 || this.#isAtEnd) return { chunk: null, ...this.#moveOn(length, 1) };
      const count = await this.#input.read(this.#bytes + length, this.#buffer, 0);
      this.#held = this.#buffer.subarray(0, count);
      this.#isAtEnd = count === 0;
    }
  }

  #passOverDone(): void {
    for (
      let [next] = this.#done;
      next !== undefined && next.from_bytes === this.#bytes;
      [next] = this.#done
    ) {
      this.#done.shift();
      this.#held = this.#held.subarray(next.to_bytes - this.#bytes);
      this.#bytes = next.to_bytes;
      this.#lines = next.to_lines;
    }
  }
}
