import { realpathSync } from "node:fs";
import { SwarmError } from "../../base/errors.ts";
import { type PathNames, ProjectFiles } from "../../config/project-files.ts";
import { readText } from "./edit-files.ts";

/**
 * The text of settings in a project; null when there are none. A project may have put a link in their place: to a file
 * outside of it, which would be shown with what changes in it, and written to.
 */
export function readProjectSettings(file: string, project: string, names: PathNames): string | null {
  const real = realPath(file);
  const realOr = (path: string) => realPath(path) ?? path;
  const folders = { home: realOr(names.home), swarmHome: realOr(names.swarmHome) };
  if (real !== null && !new ProjectFiles(realOr(project), folders, new Set()).has(real)) {
    const problem = "it leads out of the project, expected a file in it";
    throw new SwarmError("SWARM_SETTINGS_UNUSABLE", { file, problem });
  }
  return readText(file);
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null; // Reading it says why.
  }
}
