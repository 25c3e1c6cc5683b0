import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { markStopped } from "../../src/cli/stop-mark.ts";
import { isAlive } from "../../src/handlers/process/harness.cases.ts";

/** Processes that agents' calls have started as the daemon of this home, or as one that tried to be. */
export function startedDaemons(home: string): number[] {
  return globSync("/proc/[0-9]*/cmdline")
    .filter((file) => {
      try {
        const args = readFileSync(file, "utf8").split("\0");
        return args.includes("up") && args.includes(join(home, "daemon.log"));
      } catch {
        return false; // it has ended
      }
    })
    .map((file) => Number(file.split("/")[2]));
}

/** Ends what agents' calls have started in this home, and sees to it that none of them starts more. */
export async function endStartedDaemons(home: string): Promise<void> {
  if (!existsSync(join(home, "last-start"))) return;
  markStopped(home);
  for (const pid of startedDaemons(home)) {
    process.kill(pid, "SIGKILL");
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
