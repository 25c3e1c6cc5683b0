import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";

export interface BoundedFile {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** Why a file was not read. */
export class NotReadable extends Error {}

/** A link, or the path itself, leads out of the folder that the file has to lie in. */
export class LeadsOutside extends NotReadable {}

/**
 * A regular file of at most `maxBytes`; whatever else it is throws `NotReadable`, whatever the system says throws as it
 * is. The size a file claims may be wrong by the time it is read, so what is read is what counts.
 * `flags` are added to those that the file is opened with; `check` may refuse what was opened before it is read.
 */
export function readBoundedFile(
  file: string,
  maxBytes: number,
  flags = 0,
  check: (descriptor: number) => void = () => undefined,
): BoundedFile {
  // Opening a pipe that nobody writes to would wait for ever.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new NotReadable("not a file, expected one");
    check(descriptor);
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

export interface ContainedFile extends BoundedFile {
  readonly realPath: string;
  /** Whether it is the file at this very path: no link leads to it, and it has no second name elsewhere. */
  readonly isPlain: boolean;
}

/**
 * The same for a file that somebody else names: `isInside` decides about its real path. That path is opened without
 * following a link, and has to be the path of what was opened: folders that become links meanwhile lead to another file.
 * The kernel tells that path where there is /proc. Elsewhere the path is looked at again afterwards, which a folder that
 * is a link for a moment can pass. A second name of a file (a hard link) cannot be told from the first, only that there
 * is one.
 */
export function readContainedFile(
  file: string,
  maxBytes: number,
  isInside: (realPath: string) => boolean,
): ContainedFile {
  const realPath = realpathSync.native(file);
  if (!isInside(realPath)) throw new LeadsOutside("leads out of the folder it has to lie in");
  const replaced = () => new NotReadable("was replaced while it was read, expected one that stays");
  const { bytes, stats } = readBoundedFile(realPath, maxBytes, constants.O_NOFOLLOW ?? 0, (descriptor) => {
    const opened = pathOfDescriptor(descriptor);
    if (opened !== null && opened !== realPath) throw replaced();
  });
  const found = lstatSync(realPath);
  if (realpathSync.native(realPath) !== realPath || found.ino !== stats.ino || found.dev !== stats.dev)
    throw replaced();
  return { bytes, stats, realPath, isPlain: realPath === file && stats.nlink === 1 && found.nlink === 1 };
}

/** Where the open file is, as the kernel knows it; null where it does not say. */
function pathOfDescriptor(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}
