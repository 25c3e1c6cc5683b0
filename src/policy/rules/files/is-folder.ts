import { statSync } from "node:fs";

export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false; // a name too long, a folder we may not enter, a loop of links
  }
}
