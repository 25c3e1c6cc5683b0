import { setTimeout as pause } from "node:timers/promises";
import type { RunEvent } from "../record/port/run-event.ts";
import { type Client, withClient } from "./client.ts";
import { type Command, usage } from "./command.ts";
import { jsonLine } from "./json.ts";
import { runEventLine } from "./run-event-line.ts";

/** How often a follower looks for new rows; the store answers in well under a millisecond. */
const lookEveryMs = 250;

export const logsCommand: Command = {
  summary: "print what happened, one line per row of the record; -f goes on as it happens",
  positionals: [],
  options: { limit: "N  how many of the newest to begin with, default 20" },
  flags: { follow: { short: "f", doc: "go on printing rows as they come, until Ctrl-C" } },
  examples: ["swarm logs", "swarm logs -f", "swarm logs -f --json | jq .verdict"],
  async run({ options: { limit = "20" }, flags, isJson }) {
    if (!/^\d{1,4}$/.test(limit))
      throw usage("logs", `--limit is ${JSON.stringify(limit)}, expected 0 to 1000`);
    const print = (row: RunEvent): string => (isJson ? jsonLine(row) : `${runEventLine(row)}\n`);
    return lines(Number(limit), flags.has("follow"), print);
  },
};

async function* lines(
  limit: number,
  isFollowing: boolean,
  print: (row: RunEvent) => string,
): AsyncGenerator<string> {
  const newest = await withClient((client) =>
    client.call("listEvents", { query: { limit: Math.max(limit, 1) } }),
  );
  const shown = limit === 0 ? [] : newest.items.toReversed();
  yield shown.map(print).join("");
  if (!isFollowing) return;
  let after = newest.items[0]?.seq ?? 0;
  for (;;) {
    // Connected anew for each look: a daemon may start or stop meanwhile.
    for (const row of await withClient((client) => rowsAfter(client, after))) {
      yield print(row);
      after = row.seq;
    }
    await pause(lookEveryMs);
  }
}

async function rowsAfter(client: Client, after: number): Promise<RunEvent[]> {
  return (await client.call("followEvents", { params: { seq: String(after) } })).items;
}
