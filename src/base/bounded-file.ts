import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

export interface BoundedFile {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** Why a file was not read. */
export class NotReadable extends Error {}

/**
 * A regular file of at most `maxBytes`; whatever else it is throws `NotReadable`, whatever the system says throws as it
 * is. The size a file claims may be wrong by the time it is read, so what is read is what counts. `flags` are the system's, beside those it is opened with.
 */
export function readBoundedFile(file: string, maxBytes: number, flags = 0): BoundedFile {
  // Opening a pipe that nobody writes to would wait for ever.
  const descriptor = openSync(file, constants.O_RDONLY | 0 | flags);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new NotReadable("not a file, expected one");
    // One byte more than it claims: the read that finds nothing there is the end.
    let buffer = Buffer.allocUnsafe(Math.min(stats.size, maxBytes) + 1);
    for (let length = 0; ; ) {
      const count = readSync(descriptor, buffer, length, buffer.length - length, null);
      if (count === 0) return { bytes: buffer.subarray(0, length), stats };
      length += count;
      if (length > maxBytes) throw new NotReadable(`larger than ${maxBytes} bytes, expected fewer`);
      if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(length)]);
    }
  } finally {
    closeSync(descriptor);
  }
}
