import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "./real-path.ts";

const none: readonly string[] = [];
const kept = new Map<string, { readonly stamp: string; readonly files: readonly string[] }>();

/**
 * Settings files that hooks of ours were installed into, under the names they have and those that links make of them. The
 * same list while the note of them is the same. What cannot be read names none: agents may not write it.
 */
export function installedFiles(swarmHome: string): readonly string[] {
  const note = join(swarmHome, "installations.json");
  try {
    const found = statSync(note, { throwIfNoEntry: false });
    if (found === undefined) return none;
    const stamp = `${found.ino}.${found.ctimeMs}.${found.size}`;
    const before = kept.get(swarmHome);
    if (before?.stamp === stamp) return before.files;
    const noted: unknown = JSON.parse(readFileSync(note, "utf8"));
    const paths = (Array.isArray(noted) ? noted : []).flatMap((entry: { file?: unknown }) =>
      typeof entry?.file === "string" ? [entry.file, realPath(entry.file)] : [],
    );
    const files = [...new Set(paths)];
    kept.clear();
    kept.set(swarmHome, { stamp, files });
    return files;
  } catch {
    return none;
  }
}
