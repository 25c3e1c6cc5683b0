import { createReadStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { isOver } from "./progress-text.ts";

const lookEveryMs = 200;

export const batchResultsCommand: Command = {
  summary: "print the results of a batch run as far as they are durable, one JSON object a line",
  positionals: ["RUN_ID"],
  flags: {
    follow: { short: "f", doc: "go on printing as they come, until the run is over" },
    errors: { doc: "the records that failed instead, with the reason" },
  },
  examples: [
    "swarm batch results nightly | jq .output",
    "swarm batch results nightly --follow",
    "swarm batch results nightly --errors",
  ],
  async run({ positionals: [run_id], flags }) {
    if (run_id === undefined) throw usage("batch results", "the id of a run is missing");
    return rows(run_id, flags.has("errors") ? "errors" : "results", flags.has("follow"));
  },
};

async function* rows(run_id: string, which: "results" | "errors", isFollowing: boolean) {
  for (let from = 0; ; ) {
    // Connected anew for each look: a daemon may start or stop meanwhile.
    const run = await withClient((client) => client.call("batchStatus", { params: { run_id } }));
    const to = which === "results" ? run.results_bytes : run.errors_bytes;
    if (to > from) {
      const file = join(run.output, `${which}.jsonl`);
      // Durable rows are whole lines, and so no character is cut in two.
      yield* createReadStream(file, { encoding: "utf8", start: from, end: to - 1 }) as AsyncIterable<string>;
    }
    from = to;
    if (!isFollowing || isOver(run)) return;
    await pause(lookEveryMs);
  }
}
