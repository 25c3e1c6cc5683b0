import { type AgentTools, builtInTools, mcpReading } from "../agent-tools.ts";
import { isMcpTool } from "./tool-fields.ts";

/** Cursor's SDK 1.0.32. Some of its events name the MCP server, others say `MCP:tool` and no more. */
export const cursorTools: AgentTools = {
  builtIn: builtInTools({
    shell: ["Shell"],
    write: ["Write", "Delete", "TabWrite"],
    edit: ["Edit"],
    read: ["Read", "ReadLints", "TabRead"],
    search: ["Glob", "Grep", "List"],
    fetch: ["Fetch", "WebSearch"],
    other: ["FetchMcpResource", "ListMcpResources", "Task"],
  }),
  fromFields({ mcp_server_name, tool_name }) {
    if (typeof mcp_server_name !== "string" || typeof tool_name !== "string") return null;
    return [mcpReading(mcp_server_name, tool_name.replace(/^MCP:/, ""), "exact")];
  },
  fromName: (name) => (isMcpTool(name) ? [mcpReading("?", name.slice("MCP:".length), "no_server")] : []),
};
