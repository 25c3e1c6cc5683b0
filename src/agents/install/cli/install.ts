import type { Command } from "../../../cli/command.ts";

const options = { scope: "SCOPE  user (default) or project" };
const flags = { yes: { short: "y", doc: "do not ask" } };

export const installCommand: Command = {
  summary: "have coding agents call our hooks: shows what would change in their settings, asks, keeps a copy",
  positionals: ["AGENT…"],
  options,
  flags: {
    ...flags,
    mcp: { doc: "also give Claude Code and Codex the swarm's tools: the MCP server swarm mcp" },
    migrate: { doc: "also move the agents' own hooks into our configuration, those that do the same there" },
  },
  examples: [
    "swarm install",
    "swarm install claude-code --yes",
    "swarm install codex --scope project",
    "swarm install --mcp",
    "swarm install --migrate",
  ],
  // Loaded when it is run: compilers, settings and YAML are no part of any other command's start.
  run: async (input) => (await import("./run-install.ts")).runInstall(input),
};

export const uninstallCommand: Command = {
  summary:
    "take our hooks and MCP server out of coding agents' settings: the file as it was, if nothing else changed in it",
  positionals: ["AGENT…"],
  options,
  flags: {
    ...flags,
    all: {
      doc: "undo swarm init: every settings file, its lines in config.yaml, the service; ends the daemon",
    },
  },
  examples: ["swarm uninstall", "swarm uninstall claude-code --yes", "swarm uninstall --all"],
  async run(input) {
    if (input.flags.has("all")) return (await import("./uninstall-all.ts")).uninstallAll(input);
    return (await import("./run-uninstall.ts")).runUninstall(input);
  },
};
