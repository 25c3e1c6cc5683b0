import { oneLine } from "../../base/show.ts";
import { withClient } from "../client.ts";
import type { Command } from "../command.ts";
import { json } from "../json.ts";
import { findHookId } from "./find.ts";

export const hooksShowCommand: Command = {
  summary: "show one hook, what it is and how it has fared",
  positionals: ["HOOK"],
  examples: ["swarm hooks show no-force-push", "swarm hooks show tool_before-no_force_push-0f3a9c21 --json"],
  async run({ positionals: [written], isJson }) {
    const hook = await withClient(async (client) => {
      const id = await findHookId(client, "hooks show", written);
      return client.call("showHook", { params: { id }, query: { cwd: process.cwd() } });
    });
    if (isJson) return json(hook);
    const lines = Object.entries(hook).map(([key, value]) => `${key.padEnd(12)} ${shown(value)}`);
    return `${lines.join("\n")}\n`;
  },
};

function shown(value: unknown): string {
  if (value === null) return "-";
  return oneLine(typeof value === "object" ? JSON.stringify(value) : String(value));
}
