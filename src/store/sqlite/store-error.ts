import { SwarmError } from "../../base/errors.ts";

const busy = new Set([5, 6]);
const full = new Set([13]);
const ioError = 10;
const osOutOfSpace = new Set(["ENOSPC", "EDQUOT"]);

/** What SQLite or the file system said, in our words: the cause and what to do. */
export function storeError(file: string, error: unknown): SwarmError {
  if (error instanceof SwarmError) return error;
  const { errcode, code, message } = error as { errcode?: number; code?: string; message: string };
  const primary = (errcode ?? 0) & 0xff;
  const params = { location: file, problem: message };
  // A full disk shows as an I/O error too, when the file that could not grow is one of SQLite's side files.
  if (full.has(primary) || primary === ioError || osOutOfSpace.has(code ?? ""))
    return new SwarmError("SWARM_STORE_FULL", params, { cause: error });
  if (isBusy(error)) return new SwarmError("SWARM_STORE_BUSY", params, { cause: error });
  return new SwarmError("SWARM_STORE_FAILED", params, { cause: error });
}

/** Whether SQLite says that another has the file. */
export function isBusy(error: unknown): boolean {
  return busy.has(((error as { errcode?: number }).errcode ?? 0) & 0xff);
}
