import { type AgentTools, builtInTools, readJoined } from "../agent-tools.ts";

const maxChars = 64;
/** Names that are not ASCII are encoded as in domain names; what they were is not worth decoding. */
const encoded = "xn--";

/**
 * Copilot CLI 1.0.102, by both names where hooks of Claude Code's settings see another one. MCP tools are `server-tool`, with
 * `-` for every character but letters, digits, `_` and `-`.
 */
export const copilotTools: AgentTools = {
  builtIn: builtInTools({
    shell: ["bash", "Bash", "powershell", "PowerShell", "write_bash", "write_powershell"],
    write: ["create", "Write"],
    edit: ["edit", "Edit", "apply_patch", "str_replace_editor"],
    read: ["view", "Read"],
    search: ["glob", "Glob", "grep", "Grep"],
    fetch: ["web_fetch", "WebFetch", "web_search", "WebSearch"],
    other: [
      "Agent",
      "Skill",
      "Task",
      "ask_user",
      "fetch_copilot_cli_documentation",
      "list_agents",
      "list_bash",
      "list_powershell",
      "read_agent",
      "read_bash",
      "read_powershell",
      "report_intent",
      "session_store_sql",
      "skill",
      "sql",
      "stop_bash",
      "stop_powershell",
      "task",
      "write_agent",
    ],
  }),
  fromName(name) {
    const [kept = "", ...lost] = name.split(encoded);
    return readJoined(kept, "-", lost.length > 0 || name.length >= maxChars);
  },
};
