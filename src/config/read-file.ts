import { lstatSync } from "node:fs";
import { LeadsOutside, NotReadable, readBoundedFile, readContainedFile } from "../base/bounded-file.ts";
import { SwarmError } from "../base/errors.ts";
import { configLimits } from "./limits.ts";

export interface ConfigText {
  readonly text: string;
  /** Whether errors may quote values of it (`unquoted.ts`). */
  readonly isQuotable: boolean;
}

/** The text of a file of the user's, or null when there is none. Whatever else keeps it from being read is an error. */
export function readConfigFile(file: string): string | null {
  return attempt(file, () => decode(file, readBoundedFile(file, configLimits.fileBytes).bytes));
}

/** The same for a file that a project names: `isInside` decides about its path once links are followed. */
export function readProjectFile(file: string, isInside: (realPath: string) => boolean): ConfigText | null {
  return attempt(file, () => {
    const { bytes, isPlain } = readContainedFile(file, configLimits.fileBytes, isInside);
    return { text: decode(file, bytes), isQuotable: isPlain };
  });
}

function attempt<T>(file: string, read: () => T): T | null {
  if (!isThere(file)) return null;
  try {
    return read();
  } catch (error) {
    if (error instanceof SwarmError) throw error;
    if (error instanceof LeadsOutside) throw new SwarmError("SWARM_CONFIG_OUTSIDE", { file });
    const problem = error instanceof Error ? error.message : String(error);
    throw unreadable(file, error instanceof NotReadable ? problem : `cannot be read: ${problem}`, error);
  }
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
