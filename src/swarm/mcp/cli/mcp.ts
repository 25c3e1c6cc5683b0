import { type Command, usage } from "../../../cli/command.ts";

export const mcpCommand: Command = {
  summary: "serve the swarm's tools to a coding agent over MCP (stdin and stdout)",
  positionals: [],
  examples: ["swarm mcp", "claude mcp add swarm -- swarm mcp"],
  notes: [
    "Agents start it: they claim tasks, report and ask with its tools. Who calls is known by SWARM_AGENT_TOKEN of the environment, and by nothing else. swarm install --mcp adds it to agents' settings. Over HTTP the daemon has the same tools at /mcp.",
  ],
  async run() {
    if (process.stdin.isTTY) throw usage("mcp", "it is started by coding agents and speaks JSON with them");
    await (await import("../stdio.ts")).serveMcp();
    return "";
  },
};
