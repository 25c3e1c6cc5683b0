import { setTimeout as pause } from "node:timers/promises";
import { agentNames } from "../agents/port/agents.ts";
import { periodOf } from "../agents/scan/cli/period.ts";
import type { RunEvent } from "../record/port/run-event.ts";
import { type Client, withClient } from "./client.ts";
import { type Command, type CommandInput, usage } from "./command.ts";
import { jsonLine } from "./json.ts";
import { runEventLine } from "./run-event-line.ts";
import { type ToolCall, toolCallOf } from "./tool-call.ts";

/** How often a follower looks for new rows; the store answers in well under a millisecond. */
const lookEveryMs = 250;

export const logsCommand: Command = {
  summary: "print what happened and what ran, one line per row of the record; -f goes on as it happens",
  positionals: [],
  options: {
    limit: "N  how many of the newest to begin with, default 20",
    since: "TIME  only from then on: 12h, 30d, 8w or a date",
    tool: "NAME  only calls of this tool, as its agent calls it",
    agent: `NAME  only what came from one agent: ${agentNames.join(", ")}`,
  },
  flags: {
    follow: { short: "f", doc: "go on printing rows as they come, until Ctrl-C" },
    deny: { doc: "only what was denied" },
  },
  examples: [
    "swarm logs",
    "swarm logs --deny --since 7d",
    "swarm logs --tool Bash --agent claude-code",
    "swarm logs -f --json | jq .verdict",
  ],
  async run(input) {
    const { limit = "20" } = input.options;
    if (!/^\d{1,4}$/.test(limit))
      throw usage("logs", `--limit is ${JSON.stringify(limit)}, expected 0 to 1000`);
    return lines(Number(limit), filterOf(input), input);
  },
};

interface Filter {
  readonly since: string | undefined;
  readonly verdict: "deny" | undefined;
  readonly tool: string | undefined;
  readonly agent: string | undefined;
}

function filterOf({ options: { since, tool, agent }, flags }: CommandInput): Filter {
  const period = since === undefined ? undefined : periodOf(since, Date.now());
  if (period === null)
    throw usage("logs", `--since is ${JSON.stringify(since)}, expected 12h, 30d, 8w or a date`);
  if (agent !== undefined && !agentNames.some((name) => name === agent))
    throw usage("logs", `--agent is ${JSON.stringify(agent)}, expected ${agentNames.join(", ")}`);
  const sinceMs = period?.sinceMs ?? null;
  return {
    since: sinceMs === null ? undefined : new Date(sinceMs).toISOString(),
    verdict: flags.has("deny") ? "deny" : undefined,
    tool,
    agent,
  };
}

interface Found {
  readonly row: RunEvent;
  readonly call: ToolCall | null;
}

async function* lines(
  limit: number,
  filter: Filter,
  { flags, isJson }: CommandInput,
): AsyncGenerator<string> {
  const print = ({ row, call }: Found): string =>
    isJson ? jsonLine(row) : `${runEventLine(row, { hasDate: true, ran: call?.shown ?? null })}\n`;
  const { found, newest } = await withClient((client) => newestRows(client, limit, filter));
  yield found.toReversed().map(print).join("");
  if (!flags.has("follow")) return;
  let after = newest;
  for (;;) {
    // Connected anew for each look: a daemon may start or stop meanwhile.
    const { more, last } = await withClient((client) => rowsAfter(client, after, filter));
    for (const row of more) yield print(row);
    after = last;
    await pause(lookEveryMs);
  }
}

/** A tool's name is in the payload, not in the row: so many rows are looked through for it. */
const maxSearchedRows = 5_000;

async function newestRows(client: Client, limit: number, filter: Filter) {
  const { since, verdict } = filter;
  const found: Found[] = [];
  let newest = 0;
  let cursor: string | undefined;
  for (let searched = 0; searched < maxSearchedRows; ) {
    const query = { limit: Math.max(limit, 1), ...(since && { since }), ...(verdict && { verdict }) };
    const page = await client.call("listEvents", { query: { ...query, ...(cursor && { cursor }) } });
    newest = Math.max(newest, page.items[0]?.seq ?? 0);
    for (const row of page.items) {
      if (found.length >= limit) return { found, newest };
      found.push(...(await matching(client, row, filter)));
    }
    searched += page.items.length;
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return { found, newest };
}

async function rowsAfter(client: Client, after: number, filter: Filter) {
  const { items } = await client.call("followEvents", { params: { seq: String(after) } });
  const more: Found[] = [];
  for (const row of items) more.push(...(await matching(client, row, filter)));
  return { more, last: items.at(-1)?.seq ?? after };
}

/** The row with what it ran, or nothing where it is not wanted. */
async function matching(client: Client, row: RunEvent, filter: Filter): Promise<Found[]> {
  const { since, verdict, tool, agent } = filter;
  if (since !== undefined && row.time < since) return [];
  if (verdict !== undefined && row.verdict !== verdict) return [];
  if (agent !== undefined && row.source !== agent) return [];
  const call = await toolCallOf(client, row);
  return tool === undefined || call?.tool === tool ? [{ row, call }] : [];
}
