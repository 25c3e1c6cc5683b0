import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { styledStatus } from "../../cron/cli/status.ts";
import { driftCell } from "../../drift/cli/mark-text.ts";
import { json } from "../../../cli/json.ts";
import { style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";
import { shownRun } from "./run.ts";

export const pipelinesListCommand: Command = {
  summary: "list the pipelines of this folder and the last runs",
  positionals: [],
  options: {
    pipeline: "NAME  only runs of pipelines of this name",
    limit: "N  at most this many runs, 1 to 1000; default 50",
    cursor: "CURSOR  the next_cursor of the page before",
  },
  examples: ["swarm pipelines list", "swarm pipelines list --pipeline fraud --limit 5 --json"],
  async run({ options, isJson }) {
    const { pipelines, runs } = await withClient(async (client) => ({
      pipelines: (await client.call("listPipelines", { query: { cwd: process.cwd() } })).items,
      // As written: the operation reads and checks them.
      runs: await client.call("listPipelineRuns", { query: options as never }),
    }));
    if (isJson) return json({ pipelines, runs: runs.items, next_cursor: runs.next_cursor });
    const declared =
      pipelines.length === 0
        ? "no pipelines here: docs/pipelines.md shows how to declare one\n"
        : table(
            ["PIPELINE", "MODEL", "STEPS", "MAY RUN"],
            pipelines.map(({ name, model, steps, problem }) => [
              name,
              model,
              steps.join(" "),
              problem === null ? { text: "yes", format: "green" } : { text: problem, format: "red" },
            ]),
          );
    const rows = runs.items.map(({ run_id, pipeline, status, started_at, version, drift, reason }) => [
      run_id,
      pipeline,
      styledStatus(status),
      started_at,
      version === null ? "-" : String(version),
      driftCell(drift),
      oneLine(reason ?? "", 100),
    ]);
    const heads = ["RUN_ID", "PIPELINE", "STATUS", "STARTED", "VERSION", "DRIFT", "REASON"];
    const more = runs.next_cursor === null ? "" : `${style("dim", `more: --cursor ${runs.next_cursor}`)}\n`;
    return declared + (rows.length === 0 ? "no runs\n" : `\n${table(heads, rows)}`) + more;
  },
};

export const pipelinesShowCommand: Command = {
  summary: "show a run: its data, its steps and what each made; with a step, what that printed",
  positionals: ["RUN"],
  options: { log: "STEP  what this step printed" },
  examples: [
    "swarm pipelines show pr_0mwj3fdi080668cfd6c17c2f3f71d",
    "swarm pipelines show pr_0mwj3fdi080668cfd6c17c2f3f71d --log train",
  ],
  async run({ positionals: [id], options: { log: step }, isJson }) {
    if (id === undefined)
      throw usage("pipelines show", "the id of a run is missing: see swarm pipelines list");
    return withClient(async (client) => {
      if (step === undefined) {
        const run = await client.call("showPipelineRun", { params: { id } });
        return isJson ? json(run) : shownRun(run);
      }
      const log = await client.call("showPipelineLog", { params: { id, step } });
      return isJson
        ? json(log)
        : (log.output ?? `step ${oneLine(step, 64)} of run ${id} has printed nothing\n`);
    });
  },
};
