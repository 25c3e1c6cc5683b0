import { oneLine } from "../../base/show.ts";
import { withClient } from "../client.ts";
import type { Command } from "../command.ts";
import { json } from "../json.ts";
import { table } from "../table.ts";
import { findHookId } from "./find.ts";

export const hooksRunsCommand: Command = {
  summary: "list a hook's runs, newest first",
  positionals: ["HOOK"],
  options: {
    limit: "N  at most this many, 1 to 1000; default 50",
    cursor: "CURSOR  the next_cursor of the page before",
  },
  examples: ["swarm hooks runs no-force-push", "swarm hooks runs no-force-push --limit 5 --json"],
  async run({ positionals: [written], options: query, isJson }) {
    const runs = await withClient(async (client) => {
      const id = await findHookId(client, "hooks runs", written);
      // As written: the operation reads and checks them.
      return client.call("listHookRuns", { params: { id }, query: query as never });
    });
    if (isJson) return json(runs);
    if (runs.items.length === 0) return "it never ran, as far as the record goes\n";
    const rows = runs.items.map(({ time, event, status, verdict, ms, id, reason }) => [
      time,
      event,
      status,
      verdict,
      `${ms.toFixed(1)} ms`,
      id,
      oneLine(reason ?? "", 100),
    ]);
    return table(["TIME", "EVENT", "STATUS", "VERDICT", "TOOK", "ID", "REASON"], rows);
  },
};
