import { withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { confirm, yesFlag } from "../../../cli/confirm.ts";
import { json } from "../../../cli/json.ts";
import { pluginNamed } from "./named.ts";

export const pluginsRemoveCommand: Command = {
  summary: "remove a plugin and its private copy; what it guarded is not guarded any more",
  positionals: ["NAME"],
  flags: yesFlag,
  examples: ["swarm plugins remove acme-bfsi --yes"],
  async run(input) {
    const name = pluginNamed("plugins remove", input.positionals[0]);
    return withClient(async (client) => {
      const { items } = await client.call("listPlugins");
      const shown = `${name} and its hooks would be gone from every project\n`;
      const isThere = items.some((plugin) => plugin.name === name);
      if (isThere && !(await confirm("plugins remove", input, shown, "Remove it?")))
        return "nothing was removed\n";
      const removed = await client.call("removePlugin", { params: { name } });
      return input.isJson ? json(removed) : `${name}: removed\n`;
    });
  },
};
