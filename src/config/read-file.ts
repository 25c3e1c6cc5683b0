import { lstatSync } from "node:fs";
import { NotReadable, readBoundedFile } from "../base/bounded-file.ts";
import { SwarmError } from "../base/errors.ts";
import { configLimits } from "./limits.ts";

/** A configuration file's text, or null when there is none. Whatever else keeps it from being read is an error. */
export function readConfigFile(file: string): string | null {
  if (!isThere(file)) return null;
  try {
    return decode(file, readBoundedFile(file, configLimits.fileBytes).bytes);
  } catch (error) {
    if (error instanceof SwarmError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw unreadable(file, error instanceof NotReadable ? problem : `cannot be read: ${problem}`, error);
  }
}

/** A link to nowhere is there, and an error: with its guards it would otherwise vanish without a word. */
function isThere(file: string): boolean {
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
