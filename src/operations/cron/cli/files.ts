import { readFileSync, writeFileSync } from "node:fs";
import { parseJson } from "../../../base/parse-json.ts";
import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { table } from "../../../cli/table.ts";

export const cronPreviewCommand: Command = {
  summary: "tell what a schedule means and show its next ten runs",
  positionals: ["SCHEDULE"],
  options: { tz: "ZONE  time zone, as Europe/Berlin; default the machine's" },
  examples: [
    'swarm cron preview "0 2 * * *" --tz Europe/Berlin',
    'swarm cron preview "every 2h"',
    "swarm cron preview @daily",
  ],
  async run({ positionals: [schedule], options: { tz }, isJson }) {
    if (schedule === undefined)
      throw usage("cron preview", 'a schedule is missing; one with spaces needs quotes: "0 2 * * *"');
    const preview = await withClient((client) => client.call("previewSchedule", { query: { schedule, tz } }));
    if (isJson) return json(preview);
    const rows = preview.runs.map(({ at, local }, index) => [String(index + 1), at, local]);
    const runs =
      rows.length === 0
        ? "that time has passed: it never fires, and no such job can be made\n"
        : table(["", "UTC", "LOCAL"], rows);
    return `${oneLine(preview.meaning)}\n${runs}`;
  },
};

export const cronExportCommand: Command = {
  summary: "write all jobs as jobs.json has them",
  positionals: [],
  options: { output: "FILE  where to; default stdout" },
  examples: ["swarm cron export > jobs.json", "swarm cron export --output jobs.json"],
  async run({ options: { output }, isJson }) {
    const exported = await withClient((client) => client.call("exportCronJobs"));
    const text = json(exported);
    if (output === undefined) return text;
    try {
      writeFileSync(output, text, { mode: 0o600, flag: "wx" });
    } catch (error) {
      throw usage("cron export", `${output} cannot be written: ${(error as Error).message}`);
    }
    const told = { file: output, jobs: exported.jobs.length };
    return isJson ? json(told) : `wrote ${told.jobs} jobs to ${output}\n`;
  },
};

export const cronImportCommand: Command = {
  summary: "make and change jobs, by name, as a jobs.json says: all of them, or none when one is wrong",
  positionals: ["FILE"],
  examples: ["swarm cron import jobs.json", "swarm cron import jobs.json --json"],
  async run({ positionals: [file], isJson }) {
    if (file === undefined) throw usage("cron import", "a file is missing");
    const jobs = readJobs(file);
    const report = await withClient((client) => client.call("importCronJobs", { body: { jobs } as never }));
    if (isJson) return json(report);
    const { created, changed, unchanged, declared } = report;
    const left = declared.length === 0 ? "" : `, ${declared.length} left to the file that declares them`;
    return `${created.length} made, ${changed.length} changed, ${unchanged.length} as they were${left}\n`;
  },
};

function readJobs(file: string): unknown {
  try {
    const read: unknown = parseJson(readFileSync(file, "utf8"));
    return Array.isArray(read) ? read : (read as { jobs?: unknown } | null)?.jobs;
  } catch (error) {
    throw usage("cron import", `${file} cannot be read: ${(error as Error).message}`);
  }
}
