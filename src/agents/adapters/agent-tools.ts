import {
  mcpName,
  type Spelling,
  splitName,
  type ToolNames,
  type ToolReading,
} from "../../engine/events/tool-names.ts";
import { kindOfTool, type ToolKind, toolKinds } from "../../engine/events/tools.ts";

type Data = Readonly<Record<string, unknown>>;

/** An agent's own tools, and how it names those of MCP servers. */
export interface AgentTools {
  /** What each of its own tools does; `null`: none of what there is a kind for. */
  readonly builtIn: ReadonlyMap<string, ToolKind | null>;
  /** What is said of the tool of an MCP server besides its name; null where nothing is. */
  fromFields?(data: Data): readonly ToolReading[] | null;
  /** Everything a name that is none of its own tools' may mean. */
  fromName(name: string, data: Data): readonly ToolReading[];
}

/** Its own tools by what they do; `other` are those that neither run, read, write, search nor fetch anything. */
export function builtInTools(
  byKind: Readonly<Partial<Record<ToolKind | "other", readonly string[]>>>,
): AgentTools["builtIn"] {
  const kinds = toolKinds.flatMap((kind) => (byKind[kind] ?? []).map((name) => [name, kind] as const));
  return new Map([...kinds, ...(byKind.other ?? []).map((name) => [name, null] as const)]);
}

export function namesOfTool(tools: AgentTools, data: Data): ToolNames | undefined {
  const { tool_name: name } = data;
  if (typeof name !== "string") return undefined;
  const said = tools.fromFields?.(data) ?? null;
  if (said !== null) return { readings: said, isBuiltIn: false };
  const kind = tools.builtIn.get(name);
  if (kind !== undefined)
    return { readings: kind === null ? [] : [{ name: kind, spelling: "exact" }], isBuiltIn: true };
  // A tool that is new to us may do what one of that name does elsewhere.
  const elsewhere = kindOfTool(name);
  const own = tools.fromName(name, data);
  // Most agents write MCP tools like this, and another version of one that does not may do so as well.
  const joined = own.length === 0 ? afterMcpPrefix(name) : null;
  const readings = joined === null ? own : readJoined(joined, "__");
  return {
    readings: elsewhere === null ? readings : [...readings, { name: elsewhere, spelling: "exact" }],
    isBuiltIn: false,
  };
}

export function mcpReading(server: string, tool: string, spelling: Spelling): ToolReading {
  return { name: mcpName(server, tool), spelling };
}

/** What a joined name may mean. One that was cut may have lost all of the tool's name, and what comes before it, too. */
export function readJoined(joined: string, between: string, isCut = false): ToolReading[] {
  const spelling = isCut ? "cut" : "changed";
  const readings = splitName(joined, between).map(([server, tool]) => mcpReading(server, tool, spelling));
  return isCut ? [...readings, { name: `mcp:${joined}`, spelling }] : readings;
}

/** What follows `mcp__`; null for other names. */
export function afterMcpPrefix(name: string): string | null {
  return name.startsWith("mcp__") ? name.slice("mcp__".length) : null;
}
