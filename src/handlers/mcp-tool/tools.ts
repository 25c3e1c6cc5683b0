import type { Client, Tool } from "@modelcontextprotocol/client";
import { serverLimits } from "./server-spec.ts";

/** What is known of a tool before it is called. */
export interface ToolInfo {
  /**
   * Name and input schema. Not its output schema: a pattern in there, run by the SDK, could hold this process up for
   * minutes. Nor its texts: nobody here reads them.
   */
  readonly definition: Tool;
  /** The arguments its input schema names. */
  readonly takes: ReadonlySet<string>;
  /** Whether it refuses all others. */
  readonly isClosed: boolean;
}

export type Tools = ReadonlyMap<string, ToolInfo>;

/**
 * All pages of a server's list; null when it has no end. Not by the SDK's own `listTools`, which tells on stdout of a server without tools: an
 * agent takes what is there for the answer of its hook.
 */
export async function listTools(client: Client): Promise<Tools | null> {
  const tools = new Map<string, ToolInfo>();
  if (client.getServerCapabilities()?.tools === undefined) return tools;
  let cursor: string | undefined;
  for (let page = 0; page < serverLimits.toolPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const options = { timeout: serverLimits.connectMs };
    const result = await client.request({ method: "tools/list", params }, options);
    for (const tool of result.tools) {
      if (!tools.has(tool.name)) tools.set(tool.name, readTool(tool));
    }
    if (tools.size > serverLimits.tools) return null;
    cursor = result.nextCursor;
    if (cursor === undefined) return tools;
  }
  return null;
}

function readTool({ name, inputSchema }: Tool): ToolInfo {
  const { properties, additionalProperties } = inputSchema;
  return {
    definition: { name, inputSchema },
    takes: new Set(Object.keys(properties ?? {})),
    isClosed: additionalProperties === false,
  };
}
