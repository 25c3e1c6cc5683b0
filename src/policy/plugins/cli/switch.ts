import { withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { pluginNamed } from "./named.ts";

export const pluginsEnableCommand = switchCommand("enable", true);
export const pluginsDisableCommand = switchCommand("disable", false);

function switchCommand(verb: string, enabled: boolean): Command {
  return {
    summary: enabled
      ? "have a plugin run again that was disabled"
      : "keep a plugin and run nothing of it, in any project; recorded",
    positionals: ["NAME"],
    examples: [`swarm plugins ${verb} acme-bfsi`],
    async run({ positionals: [written], isJson }) {
      const name = pluginNamed(`plugins ${verb}`, written);
      const plugin = await withClient((client) =>
        client.call("switchPlugin", { params: { name }, body: { enabled } }),
      );
      return isJson ? json(plugin) : `${name} is ${verb}d\n`;
    },
  };
}
