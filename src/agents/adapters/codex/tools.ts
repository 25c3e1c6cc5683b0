import { splitName } from "../../../engine/events/tool-names.ts";
import { type AgentTools, afterMcpPrefix, builtInTools, mcpReading, readJoined } from "../agent-tools.ts";

/** Put behind a server or a tool whose name was changed to that of another one. */
const hash = /_?(?:[0-9a-f]{12}|[0-9a-f]{40})$/;
/** Older versions cut longer names. */
const maxChars = 64;

/**
 * Codex 0.169.0; hooks see `exec_command` as `Bash`, and calls of some others not at all. MCP tools are `mcp__server__tool`,
 * with `_` for every character but letters, digits and `_`.
 */
export const codexTools: AgentTools = {
  builtIn: builtInTools({
    shell: ["Bash", "exec_command", "local_shell", "shell", "write_stdin"],
    edit: ["apply_patch"],
    read: ["view_image"],
    fetch: ["web_search"],
    other: [
      "close_agent",
      "create_goal",
      "get_goal",
      "list_mcp_resource_templates",
      "list_mcp_resources",
      "read_mcp_resource",
      "request_user_input",
      "resume_agent",
      "send_input",
      "spawn_agent",
      "update_goal",
      "update_plan",
      "wait_agent",
    ],
  }),
  fromName(name) {
    const joined = afterMcpPrefix(name);
    if (joined === null) return [];
    const isCut = name.length >= maxChars && hash.test(name);
    const parts = splitName(joined, "__").flatMap(([server, tool]) =>
      withAndWithout(server).flatMap((before) =>
        withAndWithout(tool).map((after) => mcpReading(before, after, isCut ? "cut" : "changed")),
      ),
    );
    return isCut ? [...parts, ...readJoined(joined.replace(hash, ""), "__", true)] : parts;
  },
};

function withAndWithout(part: string): string[] {
  const plain = part.replace(hash, "");
  return plain === part || plain === "" ? [part] : [part, plain];
}
