import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { findHookId } from "../../../cli/hooks/find.ts";
import { json } from "../../../cli/json.ts";
import { style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";

export const webhooksDeliveriesCommand: Command = {
  summary: "list deliveries of webhooks, newest first: what waits, what arrived, what was given up",
  positionals: [],
  options: {
    state: "STATE  only pending, delivered or dead ones",
    hook: "HOOK  only those of this hook, by its id or name",
    limit: "N  at most this many, 1 to 1000; default 50",
    cursor: "CURSOR  the next_cursor of the page before",
  },
  examples: [
    "swarm webhooks deliveries",
    "swarm webhooks deliveries --state dead",
    "swarm webhooks deliveries --hook notify --limit 5 --json",
  ],
  async run({ options: { hook, ...rest }, isJson }) {
    const [deliveries, isDaemon] = await withClient(async (client) => {
      const hook_id = hook === undefined ? undefined : await findHookId(client, "webhooks deliveries", hook);
      // As written: the operation reads and checks them.
      const query = { ...rest, hook_id } as never;
      return [await client.call("listDeliveries", { query }), client.isDaemon] as const;
    });
    if (isJson) return json(deliveries);
    if (deliveries.items.length === 0) return "there are none\n";
    const rows = deliveries.items.map((one) => [
      one.created_at,
      one.state,
      String(one.attempts),
      one.event,
      one.hook,
      one.id,
      oneLine(one.last_error ?? "", 100),
    ]);
    const shown = table(["QUEUED", "STATE", "TRIED", "EVENT", "HOOK", "ID", "LAST ERROR"], rows);
    const { next_cursor: next } = deliveries;
    const more = next === null ? "" : `${style("dim", `more: --cursor ${next}`)}\n`;
    const isWaiting = !isDaemon && deliveries.items.some(({ state }) => state === "pending");
    const hint = isWaiting ? "pending ones are sent by the daemon: start it with swarm up\n" : "";
    return shown + more + hint;
  },
};
