import { setTimeout as pause } from "node:timers/promises";
import { oneLine } from "../../../base/show.ts";
import { type Client, type ResultOf, withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { styledStatus } from "../../cron/cli/status.ts";
import { driftText } from "../../drift/cli/mark-text.ts";
import { json } from "../../../cli/json.ts";
import { printError } from "../../../cli/print.ts";
import { style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";

type Run = ResultOf<"showPipelineRun">;
type Plan = ResultOf<"planPipeline">;

export const pipelinesRunCommand: Command = {
  summary: "run a pipeline of this folder to its end, or go on with a run that did not get there",
  positionals: ["PIPELINE"],
  options: {
    resume: "RUN  go on with this run, after its last finished step",
    data: "PATH  the data; default the latest snapshot",
  },
  flags: {
    force: { doc: "run every step, also those that have not changed" },
    "dry-run": { doc: "show what would run and what would be skipped, and why; run nothing" },
    detach: { doc: "do not wait for its end; it goes on in the daemon" },
  },
  examples: [
    "swarm pipelines run fraud",
    "swarm pipelines run fraud --dry-run",
    "swarm pipelines run fraud --force --data data/2026-04.csv",
    "swarm pipelines run --resume pr_0mwj3fdi080668cfd6c17c2f3f71d",
  ],
  run({ positionals: [name], options: { resume, data }, flags, isJson }) {
    const fail = (problem: string) => usage("pipelines run", problem);
    const isForced = flags.has("force");
    const isDry = flags.has("dry-run");
    if (name === undefined && resume === undefined) throw fail("the name of a pipeline is missing");
    if (resume !== undefined && (name !== undefined || isForced || isDry || data !== undefined))
      throw fail("--resume goes on with a run as it began: expected nothing beside it");
    const wish = { cwd: process.cwd(), force: isForced, data };
    return withClient(async (client) => {
      if (isDry) {
        const plan = await client.call("planPipeline", { params: { name: name ?? "" }, query: wish });
        return isJson ? json(plan) : shownPlan(plan);
      }
      if (flags.has("detach") && !client.isDaemon)
        throw fail("--detach needs a daemon: start it with swarm up");
      const begun =
        resume === undefined
          ? await client.call("runPipeline", { params: { name: name ?? "" }, body: wish })
          : await client.call("resumePipelineRun", { params: { id: resume } });
      if (flags.has("detach")) return isJson ? json(begun) : `${begun.run_id} is ${begun.status}\n`;
      const ended = await untilEnded(client, begun.run_id);
      const exitCode = ended.status === "completed" ? 0 : 1;
      return { text: isJson ? json(ended) : shownRun(ended), exitCode };
    });
  },
};

export const pipelinesCancelCommand: Command = {
  summary: "end a run of the daemon, with all its programs; it can be resumed",
  positionals: ["RUN"],
  examples: ["swarm pipelines cancel pr_0mwj3fdi080668cfd6c17c2f3f71d"],
  async run({ positionals: [id], isJson }) {
    if (id === undefined) throw usage("pipelines cancel", "the id of a run is missing");
    const run = await withClient((client) => client.call("cancelPipelineRun", { params: { id } }));
    return isJson ? json(run) : `${run.run_id} is ${run.status}\n`;
  },
};

/** A run and its steps in lines. */
export function shownRun(run: Run): string {
  const { run_id, pipeline, status, reason, version, model, data, steps, drift } = run;
  const rows = steps.map((step) => [
    step.step,
    styledStatus(step.status),
    step.tries === 0 ? "-" : String(step.tries),
    step.exit_code === null ? "-" : String(step.exit_code),
    step.outputs.map(({ path }) => path).join(" ") || "-",
    oneLine(step.reason ?? (step.made_by === null ? "" : `nothing has changed since ${step.made_by}`), 200),
  ]);
  const made = version === null ? "" : `, version ${version} of model ${model}`;
  const lines = [
    `run ${run_id} of pipeline ${pipeline}: ${style(status === "completed" ? "green" : "red", status)}${made}`,
    ...(reason === null ? [] : [oneLine(reason, 1_000)]),
    ...(data === null ? [] : [oneLine(`data ${data.path} (${data.bytes} bytes, SHA-256 ${data.sha256})`)]),
  ];
  const more = ["failed", "interrupted", "cancelled"].includes(status)
    ? style("dim", `go on with it: swarm pipelines run --resume ${run_id}\n`)
    : "";
  const shown =
    rows.length === 0 ? "" : table(["STEP", "STATUS", "TRIES", "EXIT", "OUTPUTS", "REASON"], rows);
  return `${lines.join("\n")}\n${shown}${driftText(drift)}${more}`;
}

function shownPlan({ data, note, steps }: Plan): string {
  const rows = steps.map(({ step, would, why }) => [
    step,
    { text: would, format: would === "skip" ? "dim" : would === "run" ? "cyan" : "red" } as const,
    why,
  ]);
  const taken =
    data === null ? "" : oneLine(`data ${data.path} (${data.bytes} bytes, SHA-256 ${data.sha256})`);
  const lines = [taken, note ?? ""].filter((line) => line !== "");
  return `${lines.map((line) => `${oneLine(line)}\n`).join("")}${table(["STEP", "WOULD", "WHY"], rows)}`;
}

const lookEveryMs = 200;
const looksPerQuestion = 10;

/** Says on stderr what the run waits for. One that goes on in this process ends with it: Ctrl-C cancels it. */
async function untilEnded(client: Client, id: string): Promise<Run> {
  const asked = new Set<string>();
  const cancel = (): void => {
    client.call("cancelPipelineRun", { params: { id } }).catch(() => undefined); // over already
  };
  const signals = client.isDaemon ? [] : (["SIGINT", "SIGTERM"] as const);
  for (const signal of signals) process.on(signal, cancel);
  try {
    for (let look = 0; ; look++) {
      const run = await client.call("showPipelineRun", { params: { id } });
      if (run.status !== "running") return run;
      if (look % looksPerQuestion === 0) await tellQuestions(client, id, asked);
      await pause(lookEveryMs);
    }
  } finally {
    for (const signal of signals) process.off(signal, cancel);
  }
}

async function tellQuestions(client: Client, runId: string, asked: Set<string>): Promise<void> {
  const { items } = await client.call("listApprovals", { query: { status: "pending", limit: 100 } });
  for (const { id, task, reason } of items) {
    if (task !== runId || asked.has(id)) continue;
    asked.add(id);
    const why = reason === null ? "" : ` (${oneLine(reason, 300)})`;
    printError(`run ${runId} waits for an approval${why}: swarm approvals approve ${id}\n`);
  }
}
