import { join } from "node:path";
import { lockFile } from "../../base/file-lock.ts";

/** Long enough for those who find the lock taken to let go of what they held to find out. */
const waitMs = 250;

/** One daemon per `SWARM_HOME`. Null: there is one. */
export function lockHome(home: string): { release(): void } | null {
  return lockFile(join(home, "daemon.lock"), waitMs);
}
