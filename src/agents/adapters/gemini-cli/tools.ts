import { type AgentTools, builtInTools, mcpReading, readJoined } from "../agent-tools.ts";
import { isObject } from "../paths.ts";

const prefix = "mcp_";
/** Stands where the middle of a long name was. */
const ellipsis = "...";

/** Gemini CLI 0.61.0. MCP tools are `mcp_server_tool`, and hooks are given the server and the tool besides. */
export const geminiTools: AgentTools = {
  builtIn: builtInTools({
    shell: ["run_shell_command"],
    write: ["write_file"],
    edit: ["replace"],
    read: ["read_file", "read_many_files"],
    search: ["glob", "grep_search", "list_directory", "search_file_content"],
    fetch: ["google_web_search", "web_fetch"],
    other: [
      "activate_skill",
      "ask_user",
      "complete_task",
      "enter_plan_mode",
      "exit_plan_mode",
      "get_internal_docs",
      "invoke_agent",
      "list_background_processes",
      "list_mcp_resources",
      "read_background_output",
      "read_mcp_resource",
      "save_memory",
      "tracker_add_dependency",
      "tracker_create_task",
      "tracker_get_task",
      "tracker_list_tasks",
      "tracker_update_task",
      "tracker_visualize",
      "update_topic",
      "write_todos",
    ],
  }),
  fromFields({ mcp_context }) {
    if (!isObject(mcp_context)) return null;
    const { server_name, tool_name } = mcp_context;
    if (typeof server_name !== "string" || typeof tool_name !== "string") return null;
    return [mcpReading(server_name, tool_name, "exact")];
  },
  fromName(name) {
    if (!name.startsWith(prefix)) return [];
    const [kept = "", ...lost] = name.split(ellipsis);
    // A server whose name begins like that gets no second prefix.
    return [kept.slice(prefix.length), kept].flatMap((joined) => readJoined(joined, "_", lost.length > 0));
  },
};
