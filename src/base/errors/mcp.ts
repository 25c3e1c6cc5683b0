import { oneLine, show } from "../show.ts";
import { didYouMean, type ErrorRow, row } from "./row.ts";

/** How a call of an MCP server's tool can fail. */
export const mcpErrors = {
  SWARM_MCP_UNREACHABLE: row<{ server: string; problem: string }>({
    meaning: "An MCP server could not be started or reached, or did not speak the protocol.",
    remedy: "Correct its entry under mcp_servers; `swarm doctor --servers` tries every one.",
    status: 502,
    exitCode: 75,
    message: ({ server, problem }) => `MCP server ${show(server)} cannot be reached: ${problem}`,
  }),
  SWARM_MCP_LOST: row<{ server: string; problem: string }>({
    meaning: "An MCP server ended, or its connection did, before it had answered.",
    remedy: "See why it ended; the next call connects again.",
    status: 502,
    exitCode: 75,
    message: ({ server, problem }) => `MCP server ${show(server)} was lost before it answered: ${problem}`,
  }),
  SWARM_MCP_REFUSED: row<{ server: string; problem: string }>({
    meaning: "An MCP server answered with an error of the protocol or of HTTP.",
    remedy: "See what it says; a tool it does not know, or arguments it does not take, are such errors.",
    status: 502,
    exitCode: 70,
    message: ({ server, problem }) => `MCP server ${show(server)} answered with an error: ${problem}`,
  }),
  SWARM_MCP_OVERSIZE: row<{ server: string; limitBytes: number }>({
    meaning: "An MCP server sent a message over the limit. The connection is closed, the rest is not read.",
    remedy: "Have the tool return what it changed, and leave out what it did not.",
    status: 502,
    exitCode: 70,
    message: ({ server, limitBytes }) =>
      `MCP server ${show(server)} sent a message over ${limitBytes} bytes, expected fewer`,
  }),
  SWARM_MCP_TOOL_UNKNOWN: row<{ tool: string; servers: string; suggestion: string | undefined }>({
    meaning: "No MCP server a hook may call has the tool it names.",
    remedy: "Correct the name; `swarm doctor --servers` lists the tools of every server.",
    status: 404,
    exitCode: 65,
    message: ({ tool, servers, suggestion }) =>
      `there is no tool ${show(tool)} on ${oneLine(servers, 300)}${didYouMean(suggestion)}`,
  }),
  SWARM_MCP_TOOL_AMBIGUOUS: row<{ tool: string; servers: string }>({
    meaning: "More than one MCP server has the tool a hook names, and the hook does not say which it means.",
    remedy: "Give the hook the key server.",
    status: 409,
    exitCode: 65,
    message: ({ tool, servers }) =>
      `tool ${show(tool)} is on ${oneLine(servers, 300)}, expected one of them as the hook's server`,
  }),
  SWARM_MCP_TOOL_FAILED: row<{ server: string; tool: string; text: string }>({
    meaning: "A tool of an MCP server said that it has failed.",
    remedy: "See what it says.",
    status: 502,
    exitCode: 70,
    message: ({ server, tool, text }) =>
      `tool ${show(tool)} of MCP server ${show(server)} failed${text === "" ? "" : `: ${text}`}`,
  }),
  SWARM_MCP_ANSWER: row<{ server: string; tool: string; problem: string }>({
    meaning: "A tool of an MCP server returned something that is not an answer.",
    remedy: "Return { messages, context }, a decision such as { verdict, reason }, or nothing.",
    status: 502,
    exitCode: 70,
    message: ({ server, tool, problem }) =>
      `tool ${show(tool)} of MCP server ${show(server)} returned ${problem}`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
