import { isAbsolute } from "node:path";
import { invalidOption } from "../../base/invalid-option.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import { type AnyEventName, canonicalName } from "../../engine/events/names.ts";
import { recordedChanges } from "../../record/port/run-event.ts";

/** As much of an origin as anybody may write into every row of the record. */
const maxOriginChars = 256;
const maxFolderChars = 4_096;

/** A row may tell of what is no event: a switch that was turned, a caller who was refused. */
export function rowName(written: string): string {
  const isChange = (recordedChanges as readonly string[]).includes(written);
  return isChange ? written : canonicalName(written as AnyEventName);
}

export function checkOrigin({ cwd, ...names }: Origin): void {
  checkFolder("body", cwd);
  for (const [option, value] of Object.entries(names)) {
    if (typeof value !== "string" || value.length <= maxOriginChars) continue;
    throw invalidOption("body", option, `at most ${maxOriginChars} characters`, value);
  }
}

/** Relative to what, nobody could tell. */
export function checkFolder(where: string, folder: string | undefined, option = "cwd"): void {
  if (folder === undefined || (isAbsolute(folder) && folder.length <= maxFolderChars)) return;
  throw invalidOption(where, option, `an absolute path of at most ${maxFolderChars} characters`, folder);
}

/** Nobody waits longer than that at an open connection. */
export const maxWaitS = 3_600;

export function sequenceOf(written: string): number {
  if (/^\d{1,15}$/.test(written)) return Number(written);
  throw invalidOption("path", "seq", "a whole number", written);
}

/** Rows have their time in UTC, and are compared with it as text. */
export function timeOf(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d/.test(written) ? new Date(written) : new Date(Number.NaN);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw invalidOption("query", "since", "a time as 2026-01-31T12:00:00Z", written);
}
