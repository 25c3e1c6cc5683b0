import { statSync } from "node:fs";

/**
 * Changes whenever a file is written, replaced, removed or appears. Milliseconds with a fraction tell apart what is
 * 0.25 µs apart; numbers cost half of what big integers do.
 */
export function fileStamp(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? "-" : `${found.ino}.${found.mtimeMs}.${found.ctimeMs}.${found.size}`;
}
