import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";

/** More of a file is not looked into. */
const maxBytes = 64 * 1024;

/** The beginning of a regular file; null where there is none, it cannot be read, or it is no text. */
export function readText(path: string): string | null {
  let descriptor: number;
  // Most scripts a command might run are not there: asking first is 2 µs, an exception is 20.
  if (!existsSync(path)) return null;
  try {
    // A pipe would keep us waiting for who writes to it.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    if (!fstatSync(descriptor).isFile()) return null;
    const bytes = Buffer.allocUnsafe(maxBytes);
    const text = bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, maxBytes, 0));
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
