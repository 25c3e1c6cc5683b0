import { DatabaseSync } from "node:sqlite";
import { SwarmError } from "./errors.ts";
import { readOrMake } from "./private-file.ts";

const busy = 5;

/**
 * A lock that one process at a time holds. Node has no file locks of its own; SQLite's are the kernel's, and go with
 * the process however it ends. Null: another one has it.
 *
 * To take the lock, SQLite shares it first. Of two that come at once, neither would get it if both gave up at once:
 * so each waits a little, holding nothing.
 */
export function lockFile(file: string, waitMs: number): { release(): void } | null {
  let database: DatabaseSync | undefined;
  try {
    readOrMake(file, () => "");
    database = new DatabaseSync(file);
    // By a pragma, because Node has an option for it from 22.16 on. In memory: no second file that a process which was killed
    // would leave behind.
    database.exec(`pragma busy_timeout = ${waitMs}; pragma journal_mode = memory; begin exclusive`);
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    if (((error as { errcode?: number }).errcode ?? 0) === busy) return null;
    throw new SwarmError(
      "SWARM_STORE_FAILED",
      { location: file, problem: (error as Error).message },
      { cause: error },
    );
  }
}
