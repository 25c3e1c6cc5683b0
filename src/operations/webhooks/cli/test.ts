import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";

export const webhooksTestCommand: Command = {
  summary: "send a test to a webhook now, signed as ever, and tell how it was answered",
  positionals: ["HOOK"],
  examples: ["swarm webhooks test notify", "swarm webhooks test notify --json"],
  async run({ positionals: [hook], isJson }) {
    if (hook === undefined) throw usage("webhooks test", "an id or a name is missing");
    const body = { hook, cwd: process.cwd() };
    const result = await withClient((client) => client.call("testWebhook", { body }));
    const { is_delivered, status, error, ms } = result;
    const took = `${ms.toFixed(0)} ms`;
    const told = is_delivered ? `delivered: status ${status}, ${took}` : `not delivered: ${error}, ${took}`;
    return { text: isJson ? json(result) : `${oneLine(told)}\n`, exitCode: is_delivered ? 0 : 1 };
  },
};
