import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { NotReadable } from "../../../base/bounded-file.ts";

/** A megabyte: larger pieces are not read faster. */
const chunkBytes = 1024 * 1024;

/**
 * A regular file in pieces of one buffer: a piece is good until the next one is asked for. No link is followed, and a pipe
 * is not waited for.
 */
export function* chunksOf(file: string, onRead: (bytes: number) => void): Generator<Buffer> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const descriptor = openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new NotReadable("not a file, expected one");
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, stats.size));
    // As much as is there now: a session under way goes on being written.
    for (let left = stats.size; left > 0; ) {
      const count = readSync(descriptor, buffer, 0, Math.min(left, buffer.length), null);
      if (count === 0) return;
      left -= count;
      onRead(count);
      yield buffer.subarray(0, count);
    }
  } finally {
    closeSync(descriptor);
  }
}
