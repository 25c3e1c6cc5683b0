import { SwarmError } from "../../../base/errors.ts";
import { type ServerSettings, serverName, type ToolServer } from "./tool-server.ts";

/** What stands around our lines; the second beginning says that the line before had no end. */
const begin = "# swarm mcp: written by swarm install --mcp, taken out by swarm uninstall";
const beginJoined = `${begin} (with the line break before it)`;
const end = "# swarm mcp: end";

const block = new RegExp(
  `(\\r?\\n)?(?:${escaped(beginJoined)}|${escaped(begin)})\\r?\\n[^]*?${escaped(end)}(?:\\r?\\n|$)`,
);

/** For an agent whose TOML file has `[mcp_servers.NAME]`. Ours is a table at the end, which changes no other one. */
export function tomlServers(file: ServerSettings["file"]): ServerSettings {
  return { file, add, remove };
}

function add(given: string | null, server: ToolServer, file: string): string {
  const text = remove(given ?? "", file);
  const problem = whyNot(text);
  if (problem !== null) throw new SwarmError("SWARM_SETTINGS_UNUSABLE", { file, problem });
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const isOpen = text !== "" && !text.endsWith("\n");
  const { argv, env, passes } = server;
  const [command, ...args] = argv;
  const lines = [
    isOpen ? beginJoined : begin,
    `[mcp_servers.${serverName}]`,
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    `env_vars = ${JSON.stringify(passes)}`,
    "",
    `[mcp_servers.${serverName}.env]`,
    ...Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    end,
    "",
  ];
  return `${text}${isOpen ? eol : ""}${lines.join(eol)}`;
}

function remove(text: string, file: string): string {
  const found = block.exec(text);
  if (found === null) {
    if (!text.includes(begin)) return text;
    const problem = `the line "${end}" is missing below the one that begins with "# swarm mcp:"`;
    throw new SwarmError("SWARM_SETTINGS_UNUSABLE", { file, problem });
  }
  const [whole, before = ""] = found;
  const kept = whole.includes(beginJoined) ? "" : before;
  return text.slice(0, found.index) + kept + text.slice(found.index + whole.length);
}

/** A name that is there twice has the agent read nothing of the file. */
function whyNot(text: string): string | null {
  const quoted = (name: string) => `(?:${name}|"${name}"|'${name}')`;
  const servers = quoted("mcp_servers");
  if (new RegExp(`^[ \\t]*${servers}[ \\t]*[.=]`, "m").test(text))
    return "its MCP servers are no tables, expected [mcp_servers.NAME]";
  const table = `^[ \\t]*\\[[ \\t]*${servers}[ \\t]*(?:\\][^]*?^[ \\t]*${quoted(serverName)}[ \\t]*[.=]|\\.[ \\t]*${quoted(serverName)}[ \\t]*[\\].])`;
  if (new RegExp(table, "m").test(text))
    return `another MCP server is called ${serverName}, expected none of that name`;
  return null;
}

function escaped(text: string): string {
  return text.replaceAll(/[()[\].]/g, "\\$&");
}
