import { join } from "node:path";
import type { AgentName } from "../../port/agents.ts";
import { jsonServers } from "./json-servers.ts";
import { tomlServers } from "./toml-servers.ts";
import type { ServerSettings } from "./tool-server.ts";

/** Agents whose settings `swarm install --mcp` can change. */
export const serverSettings: Partial<Readonly<Record<AgentName, ServerSettings>>> = {
  // It hands its whole environment to a server.
  "claude-code": jsonServers(
    ({ home, env }) => join(env.CLAUDE_CONFIG_DIR || home, ".claude.json"),
    ({ argv: [command, ...args], env }) => ({ type: "stdio", command, args, env }),
  ),
  // It hands a few variables to a server, and those that are named.
  codex: tomlServers(({ home, env }) => join(env.CODEX_HOME || join(home, ".codex"), "config.toml")),
};
