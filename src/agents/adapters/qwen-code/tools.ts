import { type AgentTools, afterMcpPrefix, builtInTools, readJoined } from "../agent-tools.ts";

/** Put behind a name in which something was replaced or cut. */
const hash = /_[0-9a-z]{7}$/;
const maxChars = 63;

/**
 * Qwen Code 0.24.4. MCP tools are `mcp__server__tool`, with `_` for every character but letters, digits, `_` and `-`. Hooks see
 * the tool that `tool_call` calls, and not `tool_call`.
 */
export const qwenTools: AgentTools = {
  builtIn: builtInTools({
    // `exec` runs code.
    shell: ["run_shell_command", "monitor", "exec"],
    write: ["write_file"],
    edit: ["edit", "notebook_edit"],
    read: ["read_file", "zoom_image"],
    search: ["glob", "grep_search", "list_directory"],
    fetch: ["web_fetch", "web_search"],
    other: [
      "agent",
      "ask_user_question",
      "create_sub_session",
      "cron_create",
      "cron_delete",
      "cron_list",
      "enter_plan_mode",
      "enter_worktree",
      "exit_plan_mode",
      "exit_worktree",
      "get_goal",
      "image_gen",
      "list_agents",
      "loop_wakeup",
      "lsp",
      "propose_goal",
      "read_mcp_resource",
      "record_artifact",
      "record_source",
      "report_findings",
      "request_shutdown",
      "save_memory",
      "send_message",
      "skill",
      "structured_output",
      "task_create",
      "task_list",
      "task_stop",
      "task_update",
      "team_create",
      "team_delete",
      "team_plan_approval",
      "todo_write",
      "tool_call",
      "tool_search",
      "update_goal",
      "workflow",
    ],
  }),
  fromName(name) {
    const joined = afterMcpPrefix(name);
    if (joined === null) return [];
    const plain = joined.replace(hash, "");
    const readings = readJoined(joined, "__");
    return plain === joined ? readings : [...readings, ...readJoined(plain, "__", name.length >= maxChars)];
  },
};
