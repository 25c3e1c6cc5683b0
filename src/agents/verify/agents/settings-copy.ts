import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type ParseError, parse } from "jsonc-parser";
import type { McpServer } from "../workplace.ts";

export type Keys = Readonly<Record<string, unknown>>;

/** Settings as agents that allow comments in them read them; null: not at all. */
export function parsedSettings(text: string): Keys | null {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\ufeff/, ""), errors);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return errors.length > 0 || !isObject ? null : (value as Keys);
}

/** Writes the keys that decide about hooks, and what the run needs besides. A file nobody can read stays one. */
export function copySettingsKeys(
  text: string,
  file: string,
  copied: readonly string[],
  more: Keys = {},
): void {
  mkdirSync(dirname(file), { recursive: true });
  const keys = parsedSettings(text);
  if (keys === null) {
    writeFileSync(file, "the original is not JSON");
    return;
  }
  const known = Object.entries(keys).filter(([key]) => copied.includes(key));
  writeFileSync(file, JSON.stringify({ ...Object.fromEntries(known), ...more }, null, 2));
}

/** The workplace's MCP server, as Gemini CLI and Qwen Code are given one. */
export function mcpServers({ name, argv: [command, ...args] }: McpServer): Keys {
  return { mcpServers: { [name]: { command, args, trust: true } } };
}

/** An object within settings. */
export function within(keys: Keys | null, name: string): Keys {
  const value = keys?.[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Keys) : {};
}
