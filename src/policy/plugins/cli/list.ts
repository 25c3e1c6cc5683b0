import { withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { table } from "../../../cli/table.ts";

export const pluginsListCommand: Command = {
  summary: "list the installed plugins, and what is wrong with them",
  positionals: [],
  examples: ["swarm plugins list", "swarm plugins list --json"],
  async run({ isJson }) {
    const { items } = await withClient((client) => client.call("listPlugins"));
    if (isJson) return json({ plugins: items });
    if (items.length === 0) return "no plugins: add one with swarm plugins add, see docs/plugins.md\n";
    const rows = items.map(({ name, version, enabled, hooks, digest, source, problem }) => [
      name,
      version ?? "-",
      enabled ? "enabled" : "disabled",
      hooks === null ? "-" : String(hooks),
      digest.slice(0, 12),
      source,
      problem ?? "",
    ]);
    return table(["NAME", "VERSION", "STATE", "HOOKS", "DIGEST", "SOURCE", "PROBLEM"], rows);
  },
};
