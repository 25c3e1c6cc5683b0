import { type Client, withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";

export const webhooksReplayCommand: Command = {
  summary: "send deliveries again that were given up, or that arrived, under their own ids; recorded",
  positionals: ["ID…"],
  flags: { dead: { doc: "all that were given up" } },
  examples: ["swarm webhooks replay msg_0mwi2k8f3a1b2c3d4e5f60718293a", "swarm webhooks replay --dead"],
  async run({ positionals, flags, isJson }) {
    if (positionals.length === 0 && !flags.has("dead"))
      throw usage("webhooks replay", "an id is missing, or --dead");
    const [replayed, isDaemon] = await withClient(async (client) => {
      const ids = flags.has("dead") ? [...(await deadIds(client)), ...positionals] : positionals;
      const items = [];
      for (const id of new Set(ids)) items.push(await client.call("replayDelivery", { params: { id } }));
      return [items, client.isDaemon] as const;
    });
    if (isJson) return json({ items: replayed });
    if (replayed.length === 0) return "nothing was given up\n";
    const when = isDaemon ? "" : ", by the daemon: start it with swarm up";
    return `${replayed.map(({ id }) => id).join("\n")}\n${replayed.length} will be sent again${when}\n`;
  },
};

/** Oldest first, as they were to arrive. */
async function deadIds(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { state: "dead", limit: 1_000, cursor } as const;
    const { items, next_cursor } = await client.call("listDeliveries", { query });
    ids.unshift(...items.map(({ id }) => id).reverse());
    if (next_cursor === null) return ids;
    cursor = next_cursor;
  }
}
