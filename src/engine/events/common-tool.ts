import type { Origin } from "./envelope.ts";
import { readingsOfCall, readToolName } from "./tool-names.ts";
import { type CommonTool, commandOf, toolPaths } from "./tools.ts";

/** A tool call in words that are the same for every agent; null when the payload is not that of a tool. */
export function commonTool(
  data: Readonly<Record<string, unknown>>,
  origin?: Pick<Origin, "toolNames">,
): CommonTool | null {
  const { tool_name: toolName, tool_input: input } = data;
  if (typeof toolName !== "string") return null;
  const readings = readingsOfCall(origin?.toolNames ?? readToolName(toolName), input);
  const names = readings.map(({ name }) => name);
  const paths = toolPaths(input);
  return {
    name: names[0] ?? null,
    names,
    command: names.includes("shell") ? commandOf(input) : null,
    path: paths[0] ?? null,
    paths,
  };
}
