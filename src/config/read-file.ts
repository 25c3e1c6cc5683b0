import { constants, lstatSync, realpathSync } from "node:fs";
import { NotReadable, readBoundedFile } from "../base/bounded-file.ts";
import { SwarmError } from "../base/errors.ts";
import { configLimits } from "./limits.ts";
import { isInProject, type ProjectBounds } from "./project-bounds.ts";

/**
 * A configuration file's text, or null when there is none. Whatever else keeps it from being read is an error. With
 * `bounds` it is a project's, and has to lie in the project once every link is followed.
 */
export function readConfigFile(file: string, bounds: ProjectBounds | null = null): string | null {
  if (!isThere(file)) return null;
  try {
    const bytes = bounds === null ? read(file) : readInProject(file, bounds);
    return decode(file, bytes);
  } catch (error) {
    if (error instanceof SwarmError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw unreadable(file, error instanceof NotReadable ? problem : `cannot be read: ${problem}`, error);
  }
}

function read(file: string): Uint8Array {
  return readBoundedFile(file, configLimits.fileBytes).bytes;
}

/**
 * The real path is opened without following a link, and afterwards still has to be the path of what was read: links
 * that are changed meanwhile lead to a file that is not the one at that path.
 */
function readInProject(file: string, bounds: ProjectBounds): Uint8Array {
  const real = realpathSync.native(file);
  if (!isInProject(real, bounds)) throw new SwarmError("SWARM_CONFIG_OUTSIDE", { file, root: bounds.root });
  const { bytes, stats } = readBoundedFile(real, configLimits.fileBytes, constants.O_NOFOLLOW ?? 0);
  const found = lstatSync(real);
  if (realpathSync.native(real) !== real || found.ino !== stats.ino || found.dev !== stats.dev) {
    throw new NotReadable("was replaced while it was read, try again");
  }
  return bytes;
}

/** A link to nowhere is there, and an error: with its guards it would otherwise vanish without a word. */
export function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return false;
    throw unreadable(file, `cannot be read: ${message}`, error);
  }
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(file, "not UTF-8 text, expected that", error);
  }
}

function unreadable(file: string, problem: string, cause?: unknown): SwarmError {
  return new SwarmError("SWARM_CONFIG_UNREADABLE", { file, problem }, { cause });
}
