import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { findJobId } from "./find.ts";

export const cronPauseCommand = switchCommand("pause", false);
export const cronResumeCommand = switchCommand("resume", true);

function switchCommand(verb: "pause" | "resume", enabled: boolean): Command {
  return {
    summary: enabled
      ? "run a paused job by its schedule again, from its next slot on"
      : "run a job by its schedule no more, until it is resumed",
    positionals: ["JOB"],
    examples: [`swarm cron ${verb} backup`],
    async run({ positionals: [written], isJson }) {
      const job = await withClient(async (client) => {
        const id = await findJobId(client, `cron ${verb}`, written);
        return client.call("changeCronJob", { params: { id }, body: { enabled } as never });
      });
      if (isJson) return json(job);
      const next = enabled ? `, next run ${job.next_run ?? "none"}` : "";
      return `${oneLine(String(job.name))} is ${verb}d${next}\n`;
    },
  };
}

export const cronDeleteCommand: Command = {
  summary: "delete a job; its runs stay in the history",
  positionals: ["JOB"],
  examples: ["swarm cron delete backup"],
  async run({ positionals: [written], isJson }) {
    const job = await withClient(async (client) => {
      const id = await findJobId(client, "cron delete", written);
      return client.call("deleteCronJob", { params: { id } });
    });
    return isJson ? json(job) : `${oneLine(String(job.name))} is deleted\n`;
  },
};
