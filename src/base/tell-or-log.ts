import { SwarmError } from "./errors.ts";
import type { Log } from "./log.ts";

/** Tells others of what has happened. That they cannot be told changes nothing of it and is in the log; a mistake of ours is thrown. */
export async function tellOrLog(log: Log, tell: () => Promise<unknown>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    log.warn(error.message, { code: error.code });
  }
}
