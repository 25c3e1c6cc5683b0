import { oneLine } from "../../../base/show.ts";
import { type ResultOf, withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { table } from "../../../cli/table.ts";
import { pluginNamed } from "./named.ts";

export const pluginsRunsCommand: Command = {
  summary: "list the programs that hooks of plugins ran or were refused, newest first",
  positionals: ["NAME"],
  options: {
    limit: "N  at most this many, 1 to 1000; default 50",
    cursor: "CURSOR  the next_cursor of the page before",
  },
  examples: ["swarm plugins runs", "swarm plugins runs acme-bfsi --limit 5 --json"],
  async run({ positionals: [written], options, isJson }) {
    const plugin = written === undefined ? undefined : pluginNamed("plugins runs", written);
    // As written: the operation reads and checks them.
    const query = { ...options, plugin } as never;
    const runs = await withClient((client) => client.call("listPluginRuns", { query }));
    if (isJson) return json(runs);
    if (runs.items.length === 0) return "no plugin has run a program, or tried to\n";
    return table(["TIME", "PLUGIN", "EVENT", "ENDED", "TOOK", "PROGRAM"], runs.items.map(row));
  },
};

function row(run: ResultOf<"listPluginRuns">["items"][number]): string[] {
  const { time, plugin, event, ending, exit_code, ms, argv, denied_why } = run;
  const ended = exit_code === null ? ending : `exit ${exit_code}`;
  const what = oneLine(argv.join(" "), 120);
  const why = denied_why === null ? "" : ` (${oneLine(denied_why)})`;
  return [time, plugin, event, ended, `${ms.toFixed(1)} ms`, `${what}${why}`];
}
