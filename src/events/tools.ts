/** What a tool does, whatever its agent calls it. */
export const toolKinds = ["shell", "write", "edit", "read", "search", "fetch"] as const;
export type ToolKind = (typeof toolKinds)[number];

/** The tools of the agents we know, by their own names. Claude Code and Codex write MCP tools `mcp__server__tool`. */
const namesByKind: Readonly<Record<ToolKind, readonly string[]>> = {
  shell: [
    "Bash",
    "bash",
    "Shell",
    "PowerShell",
    "powershell",
    "run_shell_command",
    "exec_command",
    "local_shell",
  ],
  write: ["Write", "write_file", "create"],
  edit: ["Edit", "MultiEdit", "NotebookEdit", "apply_patch", "replace", "str_replace_editor", "patch"],
  read: ["Read", "NotebookRead", "read_file", "read_many_files", "view"],
  search: [
    "Glob",
    "Grep",
    "LS",
    "glob",
    "grep",
    "grep_search",
    "search_file_content",
    "list_directory",
    "list",
  ],
  fetch: ["WebFetch", "WebSearch", "web_fetch", "webfetch", "google_web_search", "web_search"],
};

const kindByName: ReadonlyMap<string, ToolKind> = new Map(
  toolKinds.flatMap((kind) => [kind, ...namesByKind[kind]].map((name) => [name, kind] as const)),
);

/** The name one matcher can use for every agent: a kind, or `mcp:server/tool`. Null: nothing is known of it. */
export function commonToolName(toolName: string): string | null {
  const known = kindByName.get(toolName);
  if (known !== undefined) return known;
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(toolName) ?? [];
  return server === undefined ? null : `mcp:${server}/${tool}`;
}
