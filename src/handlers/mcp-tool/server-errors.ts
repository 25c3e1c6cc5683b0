import { SwarmError } from "../../base/errors.ts";
import { suggest } from "../../base/suggest.ts";
import { serverLimits } from "./server-spec.ts";
import type { Tools } from "./tools.ts";

export function unreachable(server: string, problem: string, cause?: unknown): SwarmError {
  return new SwarmError("SWARM_MCP_UNREACHABLE", { server, problem }, { cause });
}

export function lost(server: string, problem: string): SwarmError {
  return new SwarmError("SWARM_MCP_LOST", { server, problem });
}

export function refused(server: string, problem: string): SwarmError {
  return new SwarmError("SWARM_MCP_REFUSED", { server, problem });
}

export function oversize(server: string): SwarmError {
  return new SwarmError("SWARM_MCP_OVERSIZE", { server, limitBytes: serverLimits.messageBytes });
}

export function toolUnknown(server: string, tool: string, tools: Tools): SwarmError {
  const suggestion = suggest(tool, [...tools.keys()]);
  return new SwarmError("SWARM_MCP_TOOL_UNKNOWN", { tool, servers: `MCP server ${server}`, suggestion });
}
