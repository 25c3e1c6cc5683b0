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

/** A tool call in words every agent shares. */
export interface CommonTool {
  readonly name: string | null;
  /** The line a shell tool would run. */
  readonly command: string | null;
  /** The file it is about. */
  readonly path: string | null;
}

/**
 * Read from the arguments as they are now, and therefore never kept beside them: after a rewrite it would still tell
 * what they were.
 */
export function commonTool(toolName: string, toolInput: Readonly<Record<string, unknown>>): CommonTool {
  const name = commonToolName(toolName);
  const { command } = toolInput;
  const line = Array.isArray(command) ? command.join(" ") : command;
  const path = pathKeys.map((key) => toolInput[key]).find((value) => typeof value === "string");
  return {
    name,
    command: name === "shell" && typeof line === "string" ? line : null,
    path: typeof path === "string" ? path : null,
  };
}

const pathKeys = ["file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file"];
