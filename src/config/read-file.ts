import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { SwarmError } from "../base/errors.ts";
import { configLimits } from "./limits.ts";

/** A configuration file's text, or null when there is none. Whatever else keeps it from being read is an error. */
export function readConfigFile(file: string): string | null {
  if (!isThere(file)) return null;
  let descriptor: number | undefined;
  try {
    // Opening a pipe that nobody writes to would wait for ever.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(descriptor).isFile()) throw unreadable(file, "not a file, expected one");
    return decode(file, readBounded(descriptor, file));
  } catch (error) {
    if (error instanceof SwarmError) throw error;
    throw unreadable(
      file,
      `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
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

/** The size a file claims may be wrong by the time it is read, so what is read is what counts. */
function readBounded(descriptor: number, file: string): Uint8Array {
  const buffer = Buffer.alloc(configLimits.fileBytes + 1);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += count;
    if (length > configLimits.fileBytes) {
      throw unreadable(file, `larger than ${configLimits.fileBytes} bytes, expected fewer`);
    }
    if (count === 0) return buffer.subarray(0, length);
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
