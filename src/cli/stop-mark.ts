import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readOrMake } from "../base/private-file.ts";

/**
 * A person has stopped the daemon: `swarm stop`, or Ctrl-C. As long as the mark is there no agent's call starts one. `swarm up`
 * removes it; a reboot does not.
 */
export function markStopped(home: string): void {
  readOrMake(markFile(home), () => `${new Date().toISOString()}\n`);
}

export function isMarkedStopped(home: string): boolean {
  return existsSync(markFile(home));
}

export function removeStopMark(home: string): void {
  if (isMarkedStopped(home)) rmSync(markFile(home), { force: true });
}

function markFile(home: string): string {
  return join(home, "stopped");
}
