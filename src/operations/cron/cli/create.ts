import { oneLine } from "../../../base/show.ts";
import { type ResultOf, withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { readSettingOptions, settingOptions } from "../../../cli/setting-options.ts";
import { style } from "../../../cli/style.ts";
import { jobFields } from "../port/cron-job.ts";
import { findJobId } from "./find.ts";

const jobOptions = settingOptions(jobFields, { cwd: "this one" });

export const cronCreateCommand: Command = {
  summary: "make a job that runs by a schedule",
  positionals: [],
  options: jobOptions,
  flags: {
    paused: { doc: "not due until swarm cron resume" },
    "dry-run": { doc: "check it and show what would run and when, without making it" },
  },
  examples: [
    'swarm cron create --name "nightly_fraud_drift" --schedule "0 3 * * *" --task drift_check --config \'{"baseline_run_id": "abc123", "window_hours": 24}\'',
    'swarm cron create --name nightly_retrain --schedule "0 2 * * *" --task retrain --config \'{"pipeline": "fraud"}\' --retries 2',
    'swarm cron create --name backup --schedule @daily --tz Europe/Berlin --task custom --config \'{"command": "./backup.sh"}\'',
    'swarm cron create --name tidy --schedule "every 6h" --task retention --retries 2',
    'swarm cron create --name backup --schedule @daily --task custom --config \'{"command": "./backup.sh"}\' --dry-run',
  ],
  async run({ options, flags, isJson }) {
    for (const needed of ["name", "schedule", "task"]) {
      if (options[needed] === undefined) throw usage("cron create", `--${needed} is missing`);
    }
    const settings = {
      cwd: process.cwd(),
      ...readSettingOptions("cron create", jobFields, options),
      enabled: !flags.has("paused"),
    };
    if (flags.has("dry-run")) {
      const plan = await withClient((client) => client.call("planCronJob", { body: settings as never }));
      return isJson ? json(plan) : planText(plan);
    }
    const { job, isDaemon } = await withClient(async (client) => ({
      job: await client.call("createCronJob", { body: settings as never }),
      isDaemon: client.isDaemon,
    }));
    if (isJson) return json(job);
    const next = job.next_run === null ? "it is paused" : `first run ${job.next_run}`;
    const note = isDaemon
      ? ""
      : `${style("yellow", "no daemon runs, so nothing fires: start it with swarm up")}\n`;
    return `${job.job_id} ${oneLine(String(job.name))}: ${next}\n${warningsText(job.warnings)}${note}`;
  },
};

/** What would keep a job's run from being done now, a line each. */
export function warningsText(warnings: readonly string[]): string {
  return warnings
    .map((warning) => `${style("yellow", `if it ran now: ${oneLine(warning, 500)}`)}\n`)
    .join("");
}

function planText({ job, meaning, runs, does, warnings }: ResultOf<"planCronJob">): string {
  const next = runs[0] === undefined ? "never" : `${runs[0].at} (${runs[0].local})`;
  const lines = does.map((line) => `  ${oneLine(line)}`);
  return [
    `${oneLine(String(job.name))}: ${oneLine(meaning)}, first ${next}`,
    `task ${job.task}:`,
    ...lines,
    `${warningsText(warnings)}nothing was made`,
    "",
  ].join("\n");
}

export const cronEditCommand: Command = {
  summary: "change what is given of a job, and leave the rest",
  positionals: ["JOB"],
  options: jobOptions,
  examples: [
    'swarm cron edit backup --schedule "0 4 * * *"',
    "swarm cron edit backup --retries 3 --backoff 300",
  ],
  async run({ positionals: [written], options, isJson }) {
    const settings = readSettingOptions("cron edit", jobFields, options);
    if (Object.keys(settings).length === 0) throw usage("cron edit", "nothing to change is given");
    const job = await withClient(async (client) => {
      const id = await findJobId(client, "cron edit", written);
      return client.call("changeCronJob", { params: { id }, body: settings as never });
    });
    return isJson
      ? json(job)
      : `${oneLine(String(job.name))} is changed, next run ${job.next_run ?? "none"}\n${warningsText(job.warnings)}`;
  },
};
