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
  write: ["Write", "write_file", "create", "TabWrite"],
  edit: [
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "notebook_edit",
    "apply_patch",
    "replace",
    "str_replace_editor",
    "patch",
  ],
  read: ["Read", "NotebookRead", "read_file", "read_many_files", "view", "TabRead"],
  search: [
    "Glob",
    "Grep",
    "List",
    "LS",
    "glob",
    "grep",
    "grep_search",
    "search_file_content",
    "list_directory",
    "list",
  ],
  fetch: ["Fetch", "WebFetch", "WebSearch", "web_fetch", "webfetch", "google_web_search", "web_search"],
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

/** A tool call in words that are the same for every agent. */
export interface CommonTool {
  /** See `commonToolName`. */
  readonly name: string | null;
  /** The line a shell is given; null for other tools. */
  readonly command: string | null;
  /** The first of `paths`. */
  readonly path: string | null;
  /** The files and folders its arguments name, as they are written there. A shell's are in its command. */
  readonly paths: readonly string[];
}

/** Names agents give the argument that holds a path, or several. */
const pathArguments = [
  "file_path",
  "path",
  "notebook_path",
  "absolute_path",
  "target_file",
  "dir_path",
  "filePath",
  "paths",
  "file_paths",
];

/** Null when the payload is not that of a tool. */
export function commonTool(data: Readonly<Record<string, unknown>>): CommonTool | null {
  const { tool_name: toolName, tool_input: input } = data;
  if (typeof toolName !== "string") return null;
  const name = commonToolName(toolName);
  const paths = toolPaths(input);
  return { name, command: name === "shell" ? commandOf(input) : null, path: paths[0] ?? null, paths };
}

/** The paths in a tool's arguments. */
export function toolPaths(input: unknown): readonly string[] {
  return [...pathArguments.flatMap((argument) => texts(input, argument)), ...patchedPaths(input)];
}

/** Some agents give a shell a list of words: `["bash", "-lc", "ls"]` is the line `ls`. */
function commandOf(input: unknown): string | null {
  const [command, cmd] = [texts(input, "command"), texts(input, "cmd")];
  const words = command.length > 0 ? command : cmd;
  if (words.length === 0) return null;
  const isShell = words.length === 3 && /^-[a-z]*c$/.test(words[1] ?? "");
  return isShell ? (words[2] ?? null) : words.join(" ");
}

/** A patch names its files on lines of their own; agents call the argument `command`, `input` or `patch`. */
function patchedPaths(input: unknown): string[] {
  return ["command", "input", "patch"]
    .flatMap((argument) => texts(input, argument))
    .filter((text) => text.includes("*** Begin Patch"))
    .flatMap((text) => [...text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gm)])
    .map(([, path = ""]) => path.trim());
}

/** Own arguments only. */
function texts(input: unknown, argument: string): string[] {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, argument)) return [];
  return [(input as Record<string, unknown>)[argument]].flat().filter((value) => typeof value === "string");
}
