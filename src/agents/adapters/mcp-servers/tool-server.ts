import type { SettingsFolders } from "../../port/adapter.ts";

/** The name our MCP server has in agents' settings. */
export const serverName = "swarm";

/** The program an agent starts for the swarm's tools. */
export interface ToolServer {
  /** Program and arguments; absolute. The last is `mcp`. */
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Variables of the agent's own environment it is handed. */
  readonly passes: readonly string[];
}

/** Where an agent keeps the MCP servers of its user, and how one is written there. Texts go in, texts come out. */
export interface ServerSettings {
  file(folders: SettingsFolders): string;
  /** The text with our server in it; null: there is no file. Throws where another one has its name. */
  add(text: string | null, server: ToolServer, file: string): string;
  /** The text without our server: to the byte what it was, if nothing else has changed since. */
  remove(text: string, file: string): string;
}
