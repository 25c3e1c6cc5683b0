import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * A path without links, also where its last parts are not there yet. What cannot be looked at stays as it is. `known`
 * holds what was found already: files of one folder share the way up, which is looked at once.
 */
export function realPath(path: string, known?: Map<string, string>): string {
  const found = known?.get(path);
  if (found !== undefined) return found;
  const real = findRealPath(path, known);
  known?.set(path, real);
  return real;
}

function findRealPath(path: string, known: Map<string, string> | undefined): string {
  try {
    // Most words of a command are no files: asking first is 2 µs, an exception is 15.
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync.native(path);
  } catch {
    return path; // a name too long, a folder we may not enter, a loop of links
  }
  const folder = dirname(path);
  return folder === path ? path : join(realPath(folder, known), basename(path));
}
