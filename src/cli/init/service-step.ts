import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { startDetached, stopDaemon } from "../detach.ts";
import { removeStopMark } from "../stop-mark.ts";
import { serviceFile, writeService } from "../service.ts";
import { swarmHome } from "../swarm-home.ts";

/** Whether this user has a systemd that a unit could be given to. */
export function hasUserSystemd(env: NodeJS.ProcessEnv = process.env): boolean {
  const runtimeFolder = env.XDG_RUNTIME_DIR ?? "";
  return runtimeFolder !== "" && existsSync(`${runtimeFolder}/systemd/private`);
}

export async function startService(): Promise<string> {
  await stopDaemon(); // of this home there is one; the service's is to be it
  removeStopMark(swarmHome());
  const file = serviceFile();
  writeService();
  const failed = systemctl("daemon-reload") ?? systemctl("enable", "--now", "swarm-hooks");
  if (failed === null) return `${file} is written and started`;
  const { address } = await startDetached(["--auto"]);
  return `${file} is written, and systemd refused it (${failed}); started without, at ${address}`;
}

/** Null where there is no unit of ours. */
export function stopService(): string | null {
  if (!existsSync(serviceFile())) return null;
  return systemctl("disable", "--now", "swarm-hooks");
}

/** What went wrong, in a line; null: nothing. */
function systemctl(...args: string[]): string | null {
  const { status, stderr, error } = spawnSync("systemctl", ["--user", ...args], {
    encoding: "utf8",
    timeout: 30_000,
  });
  if (error !== undefined) return error.message;
  return status === 0 ? null : (stderr.trim().split("\n")[0] ?? `exit code ${status}`);
}
