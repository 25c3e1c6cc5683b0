import { splitName } from "../../../engine/events/tool-names.ts";
import { type AgentTools, afterMcpPrefix, builtInTools, mcpReading, readJoined } from "../agent-tools.ts";
import { isObject } from "../paths.ts";

/** Claude Code 2.1.326. MCP tools are `mcp__server__tool`, with `_` for every character but letters, digits, `_` and `-`. */
export const claudeTools: AgentTools = {
  builtIn: builtInTools({
    shell: ["Bash", "PowerShell", "Monitor"],
    write: ["Write"],
    edit: ["Edit", "MultiEdit", "NotebookEdit"],
    read: ["Read", "NotebookRead"],
    search: ["Glob", "Grep", "LS"],
    fetch: ["WebFetch", "WebSearch"],
    other: [
      "Agent",
      "AskUserQuestion",
      "BashOutput",
      "CronCreate",
      "CronDelete",
      "CronList",
      "EnterPlanMode",
      "EnterWorktree",
      "ExitPlanMode",
      "ExitWorktree",
      "KillShell",
      "ListAgents",
      "ListMcpResourcesTool",
      "ReadMcpResourceTool",
      "ReportFindings",
      "ScheduleWakeup",
      "SendMessage",
      "Skill",
      "Task",
      "TaskCreate",
      "TaskGet",
      "TaskList",
      "TaskOutput",
      "TaskStop",
      "TaskUpdate",
      "TodoWrite",
      "ToolSearch",
      "Workflow",
    ],
  }),
  fromName(name, { mcp_server }) {
    const joined = afterMcpPrefix(name);
    if (joined === null) return [];
    const server = isObject(mcp_server) ? mcp_server.name : undefined;
    if (typeof server !== "string" || server === "") return readJoined(joined, "__");
    const written = server.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    const tool = splitName(joined, "__").find(([before]) => before === written)?.[1];
    // It names the server, and may have written it in a way that is new to us.
    return tool === undefined
      ? [...readJoined(joined, "__"), { name: `mcp:${server}/`, spelling: "cut" }]
      : [mcpReading(server, tool, "changed")];
  },
};
