import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tellingVariables } from "../agents/port/adapter.ts";
import { lockFile } from "../base/file-lock.ts";
import { loadUserConfig } from "../config/load.ts";
import { daemonLogFile } from "./detach.ts";
import { isMarkedStopped } from "./stop-mark.ts";

/**
 * A start takes half a second, and one that fails fails again: a broken store, a program that was removed. Calls are
 * judged without a daemon meanwhile.
 */
const betweenStartsMs = 30_000;

/** What the environment has of one call and its agent, and a daemon for all of them must not have. */
const ofOneCall: ReadonlySet<string> = new Set([...tellingVariables, "SWARM_RUN"]);

/**
 * Starts the daemon of this home for the calls to come, if nobody else is doing so and the user wants one. Does not wait
 * for it. `env` is the one that the client has recorded, not the agent's.
 */
export function autoStart(home: string, env: NodeJS.ProcessEnv): void {
  if (isMarkedStopped(home) || !loadUserConfig({ home, env }).autoStart) return;
  // At most one start at a time; the daemon's own lock sees to it that at most one runs.
  const lock = lockFile(join(home, "start.lock"), 0);
  if (lock === null) return;
  try {
    const noteFile = join(home, "last-start");
    const sinceMs = Date.now() - lastStartMs(noteFile);
    // A clock that was set back is no reason to wait for it.
    if (sinceMs >= 0 && sinceMs < betweenStartsMs) return;
    writeFileSync(noteFile, `${new Date().toISOString()}\n`, { mode: 0o600 });
    start(home, env);
  } finally {
    lock.release();
  }
}

function lastStartMs(noteFile: string): number {
  try {
    return Date.parse(readFileSync(noteFile, "utf8").trim()) || 0;
  } catch {
    return 0;
  }
}

/** In a session of its own: what ends the agent, or its terminal, does not end the daemon. */
function start(home: string, env: NodeJS.ProcessEnv): void {
  const [program = ""] = process.argv.slice(1);
  const log = openSync(daemonLogFile(home), "a", 0o600);
  try {
    const args = [program, "up", "--auto", "--log-file", daemonLogFile(home)];
    const child = spawn(process.execPath, args, {
      cwd: home,
      detached: true,
      env: Object.fromEntries(Object.entries(env).filter(([name]) => !ofOneCall.has(name))),
      // Why it cannot start is in the log.
      stdio: ["ignore", "ignore", log],
    });
    child.on("error", () => undefined);
    child.unref();
  } finally {
    closeSync(log);
  }
}
