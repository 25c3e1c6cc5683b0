import { setTimeout as pause } from "node:timers/promises";
import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { driftCell } from "../../drift/cli/mark-text.ts";
import { json, jsonLine } from "../../../cli/json.ts";
import { type Style, type Styled, style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";
import { untilSignalled } from "../../../cli/until-signalled.ts";
import { followRun } from "./follow.ts";
import { type BatchStatus, endText, grouped, isOver, progressText, shareOf } from "./progress-text.ts";

export const batchListCommand: Command = {
  summary: "list the batch runs, newest first",
  positionals: [],
  options: {
    state:
      "STATE  only waiting_approval, running, completed, completed_with_errors, failed, cancelled or interrupted",
    limit: "N  at most this many, 1 to 1000; default 50",
    cursor: "CURSOR  the next_cursor of the page before",
  },
  examples: ["swarm batch list", "swarm batch list --state interrupted --json"],
  async run({ options: query, isJson }) {
    // As written: the operation reads and checks them.
    const runs = await withClient((client) => client.call("listBatchRuns", { query: query as never }));
    if (isJson) return json(runs);
    if (runs.items.length === 0) return "no batch runs\n";
    const heads = [
      "RUN_ID",
      "STATE",
      "PROCESSOR",
      "DONE",
      "FAILED",
      "OF IT",
      "RATE",
      "DRIFT",
      "CREATED",
      "REASON",
    ];
    const more = runs.next_cursor === null ? "" : `${style("dim", `more: --cursor ${runs.next_cursor}`)}\n`;
    return table(heads, runs.items.map(row)) + more;
  },
};

export const batchStatusCommand: Command = {
  summary: "tell how far a batch run has come",
  positionals: ["RUN_ID"],
  examples: ["swarm batch status nightly", "swarm batch status nightly --json"],
  async run({ positionals: [run_id], isJson }) {
    if (run_id === undefined) throw usage("batch status", "the id of a run is missing");
    const run = await withClient((client) => client.call("batchStatus", { params: { run_id } }));
    return isJson ? json(run) : isOver(run) ? endText(run) : `${run.run_id} ${progressText(run)}\n`;
  },
};

export const batchWatchCommand: Command = {
  summary: "follow a batch run to its end: a bar on a terminal, lines elsewhere",
  positionals: ["RUN_ID"],
  examples: ["swarm batch watch nightly", "swarm batch watch nightly --json | jq .done_count"],
  async run({ positionals: [run_id], isJson }) {
    if (run_id === undefined) throw usage("batch watch", "the id of a run is missing");
    if (isJson) return changes(run_id);
    const ended = await untilSignalled((signal) =>
      withClient((client) => followRun(client, run_id, signal, false)),
    );
    if (ended === null) return { text: "", exitCode: 130 };
    return { text: endText(ended), exitCode: ended.state === "completed" ? 0 : 1 };
  },
};

const lookEveryMs = 200;

/** One line whenever it has come further. */
async function* changes(run_id: string): AsyncGenerator<string> {
  for (let last = ""; ; ) {
    // Connected anew for each look: a daemon may start or stop meanwhile.
    const run = await withClient((client) => client.call("batchStatus", { params: { run_id } }));
    const line = jsonLine(run);
    if (line !== last) yield line;
    if (isOver(run)) return;
    last = line;
    await pause(lookEveryMs);
  }
}

const styles: Readonly<Record<BatchStatus["state"], Style>> = {
  waiting_approval: "yellow",
  running: "cyan",
  completed: "green",
  completed_with_errors: "red",
  failed: "red",
  cancelled: "yellow",
  interrupted: "red",
};

function row(run: BatchStatus): (string | Styled)[] {
  const { run_id, state, processor, done_count, failed_count, rate_per_s, created_at, reason, drift } = run;
  const share = shareOf(run);
  return [
    run_id,
    { text: state, format: styles[state] },
    processor,
    grouped(done_count),
    grouped(failed_count),
    share === null ? "-" : `${Math.floor(share * 100)} %`,
    rate_per_s === null ? "-" : `${grouped(Math.round(rate_per_s))}/s`,
    driftCell(drift),
    created_at,
    oneLine(reason ?? "", 80),
  ];
}
