/** Fields of a tool's arguments a rewrite reaches, each with its type; all else of it is dropped. SDK 1.0.32. */
const byTool: Readonly<Record<string, Readonly<Record<string, "string" | "number">>>> = {
  Shell: { command: "string", cwd: "string", timeout: "number" },
  Read: { file_path: "string" },
  Write: { file_path: "string" },
  Delete: { file_path: "string" },
  List: { file_path: "string" },
  ReadLints: { file_path: "string" },
  Grep: { pattern: "string", file_path: "string" },
  Fetch: { url: "string" },
  ListMcpResources: { server: "string" },
  FetchMcpResource: { server: "string", uri: "string", download_path: "string" },
};

export function isMcpTool(tool: unknown): boolean {
  return typeof tool === "string" && tool.startsWith("MCP:");
}

/** Whether it takes this value for this field of the tool's arguments. Tools of MCP servers take any. */
export function takesField(tool: unknown, field: string, value: unknown): boolean {
  if (isMcpTool(tool)) return true;
  const known = typeof tool === "string" && Object.hasOwn(byTool, tool) ? byTool[tool] : undefined;
  const type = known !== undefined && Object.hasOwn(known, field) ? known[field] : undefined;
  return type !== undefined && typeof value === type && !(typeof value === "number" && value < 0);
}
