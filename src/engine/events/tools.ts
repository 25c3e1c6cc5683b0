/** What a tool does, whatever its agent calls it. */
export const toolKinds = ["shell", "write", "edit", "read", "search", "fetch"] as const;
export type ToolKind = (typeof toolKinds)[number];

/**
 * Tools by the names agents give them, for callers that do not say which agent they are. Each adapter has a list of its own
 * agent's tools, and goes by that.
 */
const namesByKind: Readonly<Record<ToolKind, readonly string[]>> = {
  shell: [
    "Bash",
    "bash",
    "Shell",
    "PowerShell",
    "powershell",
    "run_shell_command",
    "exec_command",
    "exec",
    "write_stdin",
    "local_shell",
    "Monitor",
    "monitor",
    "write_bash",
    "write_powershell",
  ],
  write: ["Write", "write_file", "create", "TabWrite", "Delete"],
  edit: [
    "Edit",
    "MultiEdit",
    "multiedit",
    "NotebookEdit",
    "notebook_edit",
    "apply_patch",
    "replace",
    "str_replace_editor",
    "patch",
  ],
  read: [
    "Read",
    "NotebookRead",
    "read_file",
    "read_many_files",
    "view",
    "view_image",
    "zoom_image",
    "TabRead",
    "ReadLints",
  ],
  search: [
    "Glob",
    "Grep",
    "List",
    "LS",
    "glob",
    "grep",
    "grep_search",
    "codesearch",
    "search_file_content",
    "list_directory",
    "list",
  ],
  fetch: [
    "Fetch",
    "WebFetch",
    "WebSearch",
    "web_fetch",
    "webfetch",
    "google_web_search",
    "web_search",
    "websearch",
  ],
};

const kindByName: ReadonlyMap<string, ToolKind> = new Map(
  toolKinds.flatMap((kind) => [kind, ...namesByKind[kind]].map((name) => [name, kind] as const)),
);

/** Every name above, and the common ones. */
export const knownToolNames: readonly string[] = [...kindByName.keys()];

/** The kind of a tool with a name some agent has for it; null: no agent has. */
export function kindOfTool(toolName: string): ToolKind | null {
  return kindByName.get(toolName) ?? null;
}

/** A tool call in words that are the same for every agent. */
export interface CommonTool {
  /** The name one matcher can use for every agent: a kind, or `mcp:server/tool`. Null: nothing is known of it. */
  readonly name: string | null;
  /** Every common name it may have, where the agent's name for it leaves that open; the first is `name`. */
  readonly names: readonly string[];
  /** The line a shell is given, or a tool that is not known and takes a command; null for other tools. */
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

/** Names of arguments that hold something to be run, in small letters and without what joins words. */
export const shellArguments: ReadonlySet<string> = new Set([
  "command",
  "commands",
  "commandline",
  "cmd",
  "cmds",
  "cmdline",
  "shell",
  "shellcommand",
  "bash",
  "bashcommand",
  "script",
  "shellscript",
  "line",
  "program",
  "executable",
  "exec",
  "argv",
  "code",
]);

/** The paths in a tool's arguments. */
export function toolPaths(input: unknown): readonly string[] {
  return [...pathArguments.flatMap((argument) => texts(input, argument)), ...patchedPaths(input)];
}

/** Some agents give a shell a list of words: `["bash", "-lc", "ls"]` is the line `ls`. */
export function commandOf(input: unknown): string | null {
  const [command, cmd] = [texts(input, "command"), texts(input, "cmd")];
  const words = command.length > 0 ? command : cmd;
  if (words.length === 0) return null;
  const isShell = words.length === 3 && /^-[a-z]*c$/.test(words[1] ?? "");
  return isShell ? (words[2] ?? null) : words.join(" ");
}

/** A patch names its files on lines of their own; agents call the argument `command`, `input` or `patch`. */
function patchedPaths(input: unknown): string[] {
  return ["command", "input", "patch", "patchText"]
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
