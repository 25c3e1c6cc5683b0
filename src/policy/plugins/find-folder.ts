import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { SwarmError } from "../../base/errors.ts";

/** What npm takes for a package's name, with its scope. */
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** The folder a person means: one by its path, or a package in `node_modules` here or above. */
export function findPluginFolder(written: string, cwd: string): string {
  const path = written.startsWith("~/") ? join(homedir(), written.slice(2)) : resolve(cwd, written);
  if (isFolder(path)) return path;
  if (packageName.test(written)) {
    for (let folder = cwd; ; folder = dirname(folder)) {
      const found = join(folder, "node_modules", written);
      if (isFolder(found)) return found;
      if (folder === dirname(folder)) break;
    }
  }
  throw new SwarmError("SWARM_PLUGIN_NOT_FOUND", { written, cwd });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false; // a file where a folder should be, or one we may not enter
  }
}
