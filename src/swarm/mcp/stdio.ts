import { SwarmError } from "../../base/errors.ts";
import { agentTokenVariable } from "../../agents/port/adapter.ts";
import { withClient } from "../../cli/client.ts";
import { agentTokenPrefix } from "../../daemon/access/port/token-store.ts";
import { type CallRoute, maxMessageBytes, openMcpServer } from "./server.ts";

/** Each call finds the daemon anew: one that went away and came back is the same to an agent. */
const callDaemon: CallRoute = (name, given, signal) => {
  const token = process.env[agentTokenVariable] ?? "";
  if (token === "") throw new SwarmError("SWARM_AGENT_TOKEN_MISSING", { where: "the environment" });
  // To the daemon's socket whoever names no agent's token is its owner.
  if (!token.startsWith(agentTokenPrefix))
    throw new SwarmError("SWARM_TOKEN_REFUSED", { given: "a wrong token" });
  return withClient((client) => client.call(name, { ...given, signal } as object));
};

/** Serves until the agent closes our input. stdout belongs to the protocol. */
export async function serveMcp(): Promise<void> {
  const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: maxMessageBytes,
  });
  serveStdio(() => openMcpServer(callDaemon), { transport });
  await new Promise<void>((resolve) => process.stdin.once("close", resolve));
}
