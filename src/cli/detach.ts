import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ErrorCode, errorCatalog } from "../base/error-catalog.ts";
import { SwarmError } from "../base/errors.ts";
import { socketPath } from "../base/sockets.ts";
import { daemonHealth, type ResultOf } from "./client.ts";
import { markStopped } from "./stop-mark.ts";
import { swarmHome } from "./swarm-home.ts";

/** What a daemon without a terminal writes to. */
export function daemonLogFile(home = swarmHome()): string {
  return join(home, "daemon.log");
}

const [lookEveryMs, patienceMs] = [25, 30_000];

/** Starts a daemon that outlives this command, and waits until it answers. */
export async function startDetached(args: readonly string[]): Promise<ResultOf<"health">> {
  const running = await daemonHealth();
  if (running !== null) return running;
  const [program = ""] = process.argv.slice(1);
  const child = spawn(process.execPath, [program, "up", ...args, "--log-file", daemonLogFile()], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  for (let waitedMs = 0; waitedMs < patienceMs && child.exitCode === null; waitedMs += lookEveryMs) {
    const health = await daemonHealth();
    if (health !== null) {
      child.stderr.destroy();
      child.unref();
      return health;
    }
    await pause(lookEveryMs);
  }
  throw startFailure(complaint.trim());
}

/** The daemon's own error, in its own words: that it does not answer then is no second cause. */
function startFailure(complaint: string): SwarmError {
  const [, message = "", code = ""] = /^swarm: (.+) \[(SWARM_[A-Z_]+)\]$/m.exec(complaint) ?? [];
  if (Object.hasOwn(errorCatalog, code)) return new SwarmError(code as ErrorCode, {} as never, { message });
  const problem = complaint || `it does not answer; see ${daemonLogFile()}`;
  return new SwarmError("SWARM_DAEMON_LOST", { socket: socketPath(swarmHome(), "api"), problem });
}

/** Ends the daemon of this home as its service manager would, and waits until it is gone. Null: there is none. */
export async function stopDaemon(): Promise<ResultOf<"health"> | null> {
  // Before anything else: a daemon that a call is starting right now sees it when it is up.
  markStopped(swarmHome());
  const running = await daemonHealth();
  if (running === null) return null;
  process.kill(running.pid, "SIGTERM");
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookEveryMs) {
    if (!isAlive(running.pid)) return running;
    await pause(lookEveryMs);
  }
  const problem = `process ${running.pid} was told to stop and goes on; see ${daemonLogFile()}`;
  throw new SwarmError("SWARM_DAEMON_LOST", { socket: socketPath(swarmHome(), "api"), problem });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
