import type { Origin } from "./envelope.ts";
import { commandOf, kindOfTool, shellArguments } from "./tools.ts";

/**
 * How sure the spelling of an MCP tool's common name is. `exact`: it is the server's and the tool's own. `changed`: the agent
 * has replaced characters of them. `cut`: it has dropped the end, too. `no_server`: it does not say which server.
 */
export type Spelling = "exact" | "changed" | "cut" | "no_server";

/** Something a tool may be. */
export interface ToolReading {
  /** A kind such as `shell`, or `mcp:server/tool`. */
  readonly name: string;
  readonly spelling: Spelling;
}

/** What is known of a tool by its name alone. */
export interface ToolNames {
  /**
   * One of them is true and it is not known which: `a_b_c` may be tool `b_c` of server `a` or tool `c` of server `a_b`. Empty:
   * it is of no kind.
   */
  readonly readings: readonly ToolReading[];
  /** Whether it is one of the agent's own tools. What any other tool does has to be guessed from its arguments, too. */
  readonly isBuiltIn: boolean;
}

const separator = "__";
const prefix = `mcp${separator}`;

/** What a tool's name says where the agent is not known; most write MCP tools `mcp__server__tool`. */
export function readToolName(toolName: string): ToolNames {
  const kind = kindOfTool(toolName);
  if (kind !== null) return { readings: [{ name: kind, spelling: "exact" }], isBuiltIn: true };
  if (!toolName.startsWith(prefix)) return { readings: [], isBuiltIn: false };
  const parts = splitName(toolName.slice(prefix.length), separator);
  const readings = parts.map(([server, tool]) => ({
    name: mcpName(server, tool),
    spelling: "changed" as const,
  }));
  return { readings, isBuiltIn: false };
}

export function mcpName(server: string, tool: string): string {
  return `mcp:${server}/${tool}`;
}

/** Models make names up: one with more separators than any tool has is not split at all of them. */
const maxSplits = 32;

/** Every way a joined name can be taken apart into a server and a tool. */
export function splitName(joined: string, between: string): [server: string, tool: string][] {
  const parts: [string, string][] = [];
  for (let at = joined.indexOf(between, 1); at !== -1; at = joined.indexOf(between, at + 1)) {
    const tool = joined.slice(at + between.length);
    if (tool === "" || parts.length === maxSplits) break;
    parts.push([joined.slice(0, at), tool]);
  }
  return parts;
}

export const shell: ToolReading = { name: "shell", spelling: "exact" };

/** Everything a tool call has to be taken for. A tool that is not known and takes a command is a shell besides. */
export function readingsOfCall({ readings, isBuiltIn }: ToolNames, input: unknown): readonly ToolReading[] {
  return !isBuiltIn && takesCommand(input) ? [...readings, shell] : readings;
}

/** Whether arguments hold something to be run. */
export function takesCommand(input: unknown): boolean {
  if (typeof input !== "object" || input === null) return false;
  if (commandOf(input) !== null) return true;
  return Object.entries(input).some(([name, value]) => isShellArgument(name) && hasText(value));
}

function isShellArgument(name: string): boolean {
  const compared = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  return shellArguments.has(compared) || /command(?:s|line|string|text)?$|shellline$/.test(compared);
}

/** Numbers and ranges are no commands: `line` is where in a file something stands, too. */
function hasText(value: unknown): boolean {
  return [value].flat().some((item) => typeof item === "string" && /[^\d\s,.:-]/.test(item));
}

/** What a matcher is asked about an event. */
export interface Matched {
  /** As the agent says it. */
  readonly value: string;
  /** What else it is called, if it is a tool. */
  readonly readings: readonly ToolReading[];
}

/** `field` is the one that matchers of the event read. */
export function matchedOf(
  field: string,
  data: Readonly<Record<string, unknown>>,
  origin: Origin | undefined,
): Matched | null {
  const value = data[field];
  if (typeof value !== "string") return null;
  if (field !== "tool_name") return { value, readings: [] };
  return { value, readings: readingsOfCall(origin?.toolNames ?? readToolName(value), data.tool_input) };
}

/** The same for two calls exactly when every matcher says the same of both. */
export function keyOfNames(value: string, readings: readonly ToolReading[]): string {
  return JSON.stringify([value, ...readings.flatMap(({ name, spelling }) => [spelling, name])]);
}
