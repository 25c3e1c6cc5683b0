import { oneLine } from "../../base/show.ts";
import { withClient } from "../client.ts";
import type { Command } from "../command.ts";
import { json } from "../json.ts";
import { findHookId } from "./find.ts";

export const hooksEnableCommand = switchCommand("enable", true);
export const hooksDisableCommand = switchCommand("disable", false);

function switchCommand(verb: string, enabled: boolean): Command {
  return {
    summary: enabled
      ? "call a hook again that was disabled"
      : "stop calling a hook, wherever its file is in force; recorded",
    positionals: ["HOOK"],
    examples: [`swarm hooks ${verb} no-force-push`],
    async run({ positionals: [written], isJson }) {
      const hook = await withClient(async (client) => {
        const id = await findHookId(client, `hooks ${verb}`, written);
        return client.call("switchHook", {
          params: { id },
          query: { cwd: process.cwd() },
          body: { enabled },
        });
      });
      return isJson ? json(hook) : `${oneLine(hook.name)} is ${verb}d\n`;
    },
  };
}
