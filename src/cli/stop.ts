import type { Command } from "./command.ts";
import { stopDaemon } from "./detach.ts";
import { json } from "./json.ts";

const until = "; agents' calls start none until swarm up\n";

export const stopCommand: Command = {
  summary:
    "stop the daemon of this SWARM_HOME and wait until it is gone; agents' calls start none until swarm up",
  positionals: [],
  examples: ["swarm stop"],
  async run({ isJson }) {
    const stopped = await stopDaemon();
    if (isJson) return json({ stopped: stopped !== null, pid: stopped?.pid ?? null });
    return stopped === null
      ? `no daemon was running${until}`
      : `stopped, it was process ${stopped.pid}${until}`;
  },
};
