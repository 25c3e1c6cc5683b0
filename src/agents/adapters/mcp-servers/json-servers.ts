import { getNodeValue } from "jsonc-parser";
import { isObject } from "../paths.ts";
import { applyInsertions, insertItems } from "../settings/insert.ts";
import { containerAt, newRoot, property } from "../settings/install-hooks.ts";
import { invalid, readJsonText, valueAt } from "../settings/json-text.ts";
import { applyCuts, removeItems } from "../settings/remove.ts";
import { print, styleOf } from "../settings/style.ts";
import { propertyOf, withoutRoot } from "../settings/uninstall-hooks.ts";
import { type ServerSettings, serverName, type ToolServer } from "./tool-server.ts";

const key = "mcpServers";

/** For agents whose file has `"mcpServers": { NAME: { command, args, env } }`. */
export function jsonServers(
  file: ServerSettings["file"],
  entryOf: (server: ToolServer) => Readonly<Record<string, unknown>>,
): ServerSettings {
  return { file, add: (text, server, its) => add(text, entryOf(server), its), remove };
}

function add(given: string | null, entry: object, file: string): string {
  const text = remove(given ?? "", file);
  const json = readJsonText(text, file);
  const style = styleOf(json);
  const servers = { [serverName]: entry };
  if (json.root === null) return newRoot(text, print(style, { [key]: servers }, 0), style);
  const known = containerAt(json, json.root, key, "object");
  if (known === undefined) {
    const item = property(key, servers, style, 1);
    return applyInsertions(text, insertItems(text, json.root, [item], style, 0));
  }
  const other = valueAt(known, serverName);
  if (other !== undefined)
    throw invalid(
      json,
      other.offset,
      `another MCP server is called ${serverName}, expected none of that name`,
    );
  return applyInsertions(text, insertItems(text, known, [property(serverName, entry, style, 2)], style, 1));
}

function remove(text: string, file: string): string {
  const { root } = readJsonText(text, file);
  const servers = root === null ? undefined : valueAt(root, key);
  const ours = servers?.type === "object" ? valueAt(servers, serverName) : undefined;
  if (root === null || servers === undefined || ours === undefined || !isOurs(getNodeValue(ours)))
    return text;
  const cuts = removeItems(text, servers, [propertyOf(ours)]);
  if (cuts !== null) return applyCuts(text, cuts);
  const inRoot = removeItems(text, root, [propertyOf(servers)]);
  return inRoot === null ? withoutRoot(text, root) : applyCuts(text, inRoot);
}

/** By what it starts: a server of the same name may be the user's own. */
function isOurs(entry: unknown): boolean {
  if (!isObject(entry) || !Array.isArray(entry.args)) return false;
  const [program, last, ...rest] = entry.args.slice(-2) as unknown[];
  return (
    last === "mcp" && rest.length === 0 && typeof program === "string" && /(?:^|[/\\])swarm$/.test(program)
  );
}
