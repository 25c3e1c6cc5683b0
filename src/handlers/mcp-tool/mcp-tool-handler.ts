import { SwarmError } from "../../base/errors.ts";
import type { Warn } from "../claude/answer.ts";
import type { HandlerFunction } from "../../engine/hooks/handler.ts";
import { readToolAnswer } from "./tool-answer.ts";
import { conversationOf, toolInput } from "./tool-input.ts";
import type { ToolServer } from "./tool-server.ts";

/** A tool to call for an event. */
export interface ToolSpec {
  readonly tool: string;
  /** Those that may have it. */
  readonly servers: readonly ToolServer[];
  /** The file it was declared in speaks Claude Code's language: so does its answer. */
  readonly isClaudeShaped: boolean;
  readonly warn?: Warn;
}

/** A handler that calls a tool of an MCP server with the conversation, and reads what it gives back. */
export function mcpToolHandler({ tool, servers, isClaudeShaped, warn }: ToolSpec): HandlerFunction {
  return async (data, call) => {
    const { signal, event } = call;
    const server = await serverOf(tool, servers, signal);
    const sent = conversationOf(data);
    const result = await server.call(tool, (info) => toolInput(info, sent, data, call), signal);
    return readToolAnswer({ server: server.name, tool, event, isClaudeShaped, warn }, sent, result);
  };
}

/** The only one, or the only one that has the tool: which of two is meant is not for us to guess. */
async function serverOf(
  tool: string,
  servers: readonly ToolServer[],
  signal: AbortSignal,
): Promise<ToolServer> {
  const [only] = servers;
  if (servers.length === 1 && only !== undefined) return only;
  const looked = await Promise.allSettled(servers.map((server) => server.has(tool, signal)));
  const having = servers.filter((_, index) => {
    const look = looked[index];
    return look?.status === "fulfilled" && look.value;
  });
  const [first, second] = having;
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined) {
    throw new SwarmError("SWARM_MCP_TOOL_AMBIGUOUS", { tool, servers: namesOf(having) });
  }
  // One that could not be asked may have it.
  const failed = looked.find((look) => look.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  const asked = `MCP servers ${namesOf(servers)}`;
  throw new SwarmError("SWARM_MCP_TOOL_UNKNOWN", { tool, servers: asked, suggestion: undefined });
}

function namesOf(servers: readonly ToolServer[]): string {
  return servers.map(({ name }) => name).join(", ");
}
