import type { Command } from "./command.ts";
import { stopDaemon } from "./detach.ts";
import { json } from "./json.ts";

export const stopCommand: Command = {
  summary: "stop the daemon of this SWARM_HOME and wait until it is gone; what is under way ends first",
  positionals: [],
  examples: ["swarm stop"],
  async run({ isJson }) {
    const stopped = await stopDaemon();
    if (isJson) return json({ stopped: stopped !== null, pid: stopped?.pid ?? null });
    return stopped === null ? "no daemon was running\n" : `stopped, it was process ${stopped.pid}\n`;
  },
};
