import { setTimeout as pause } from "node:timers/promises";
import { oneLine } from "../../../base/show.ts";
import { type Client, type ResultOf, withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { printError } from "../../../cli/print.ts";
import { json } from "../../../cli/json.ts";
import { style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";
import { findJobId } from "./find.ts";
import { styledStatus } from "./status.ts";

type Run = ResultOf<"listCronRuns">["items"][number];

export const cronRunsCommand: Command = {
  summary: "list a job's runs, newest first, and every slot that did not run with the reason",
  positionals: ["JOB"],
  options: {
    limit: "N  at most this many, 1 to 1000; default 50",
    cursor: "CURSOR  the next_cursor of the page before",
  },
  examples: ["swarm cron runs backup", "swarm cron runs backup --limit 5 --json"],
  async run({ positionals: [written], options: query, isJson }) {
    const runs = await withClient(async (client) => {
      const id = await findJobId(client, "cron runs", written);
      // As written: the operation reads and checks them.
      return client.call("listCronRuns", { params: { id }, query: query as never });
    });
    if (isJson) return json(runs);
    if (runs.items.length === 0) return "it never ran\n";
    const heads = ["RUN_ID", "SCHEDULED", "LATE", "TRIGGER", "ATTEMPT", "STATUS", "EXIT", "TOOK", "REASON"];
    const more = runs.next_cursor === null ? "" : `${style("dim", `more: --cursor ${runs.next_cursor}`)}\n`;
    return table(heads, runs.items.map(row)) + more;
  },
};

export const cronRunCommand: Command = {
  summary: "run a job now, whatever its schedule says",
  positionals: ["JOB"],
  flags: { wait: { doc: "wait for its end and print its output; exit 1 when it did not complete" } },
  examples: ["swarm cron run backup", "swarm cron run backup --wait"],
  run({ positionals: [written], flags, isJson }) {
    return withClient(async (client) => {
      const id = await findJobId(client, "cron run", written);
      const begun = await client.call("runCronJob", { params: { id } });
      if (!flags.has("wait"))
        return isJson
          ? json(begun)
          : begun.status === "waiting"
            ? waitingText(begun)
            : `${begun.run_id} is ${begun.status}\n`;
      if (begun.status === "waiting") printError(waitingText(begun));
      const ended = await untilEnded(client, begun.run_id);
      const exitCode = ended.status === "completed" ? 0 : 1;
      const reason = ended.reason === null ? "" : `: ${oneLine(ended.reason, 500)}`;
      const text = isJson ? json(ended) : `${ended.output ?? ""}${ended.run_id} ${ended.status}${reason}\n`;
      return { text, exitCode };
    });
  },
};

/** Why nothing happens yet, and who can change that. */
function waitingText({ run_id, reason }: Pick<Run, "run_id" | "reason">): string {
  return `${run_id} is waiting: ${oneLine(reason ?? "for an approval", 500)}; decide with: swarm approvals list\n`;
}

const lookEveryMs = 200;

async function untilEnded(client: Client, id: string): Promise<ResultOf<"showCronRun">> {
  for (;;) {
    const run = await client.call("showCronRun", { params: { id } });
    if (run.ended_at !== null) return run;
    await pause(lookEveryMs);
  }
}

function row(run: Run) {
  const { run_id, scheduled_at, lateness_ms, trigger, attempt, status, exit_code, started_at, ended_at } =
    run;
  const tookMs =
    started_at === null || ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at);
  return [
    run_id,
    scheduled_at,
    seconds(lateness_ms),
    trigger,
    String(attempt),
    styledStatus(status),
    exit_code === null ? "-" : String(exit_code),
    seconds(tookMs),
    oneLine(run.reason ?? "", 100),
  ];
}

function seconds(ms: number | null): string {
  return ms === null ? "-" : `${(ms / 1_000).toFixed(1)} s`;
}
