import { oneLine } from "../../../base/show.ts";
import { type Client, type ResultOf, withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";
import { findJobId } from "./find.ts";
import { styledStatus } from "./status.ts";

type Job = ResultOf<"listCronJobs">["items"][number];

export const cronListCommand: Command = {
  summary: "list the jobs, when each ran last and runs next",
  positionals: [],
  examples: ["swarm cron list", "swarm cron list --json"],
  async run({ isJson }) {
    const { jobs, problems } = await withClient(allJobs);
    if (isJson) return json({ jobs, problems });
    const broken = problems.map(({ problem }) => `${style("red", `not in force: ${problem}`)}\n`).join("");
    if (jobs.length === 0) return `${broken}no jobs: make one with swarm cron create, see docs/cron.md\n`;
    const rows = jobs.map(({ job_id, name, schedule, last_run, status, next_run }) => [
      job_id,
      String(name),
      String(schedule),
      last_run ?? "-",
      styledStatus(status),
      next_run ?? "-",
    ]);
    return broken + table(["JOB_ID", "NAME", "SCHEDULE", "LAST_RUN", "STATUS", "NEXT_RUN"], rows);
  },
};

export const cronShowCommand: Command = {
  summary: "show one job: what it says, where it stands, how it ended last",
  positionals: ["JOB"],
  examples: ["swarm cron show backup", "swarm cron show backup --json"],
  async run({ positionals: [written], isJson }) {
    const job = await withClient(async (client) => {
      const id = await findJobId(client, "cron show", written);
      return client.call("showCronJob", { params: { id } });
    });
    if (isJson) return json(job);
    const lines = Object.entries(job).map(([key, value]) => `${key.padEnd(18)} ${shown(value)}`);
    return `${lines.join("\n")}\n`;
  },
};

async function allJobs(client: Client) {
  const jobs: Job[] = [];
  for (let cursor: string | undefined; ; ) {
    const found = await client.call("listCronJobs", { query: { limit: 1_000, cursor } });
    jobs.push(...found.items);
    if (found.next_cursor === null) return { jobs, problems: found.problems };
    cursor = found.next_cursor;
  }
}

function shown(value: unknown): string {
  if (value === null) return "-";
  return oneLine(typeof value === "object" ? JSON.stringify(value) : String(value));
}
