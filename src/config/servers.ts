import { suggest } from "../base/suggest.ts";
import type { HookConfig, ServerConfig, Skipped } from "./hook-config.ts";
import { configLimits } from "./limits.ts";
import { didYouMean, invalid } from "./node.ts";
import { showValue } from "./show-value.ts";

/** Several files' servers as one list. A name stands for one server, and nobody's file takes over another's. */
export function mergeServers(lists: readonly (readonly ServerConfig[])[]): ServerConfig[] {
  const servers = new Map<string, ServerConfig>();
  for (const server of lists.flat()) {
    const { source } = servers.get(server.name) ?? {};
    if (source !== undefined) {
      const place = `${source.file}:${source.line}:${source.column}`;
      const problem = `server ${showValue(server.name)} is already declared at ${place}, expected another name`;
      throw invalid(server.source.file, server.source, problem);
    }
    servers.set(server.name, server);
    if (servers.size > configLimits.servers) {
      const problem = `more than ${configLimits.servers} servers, expected fewer`;
      throw invalid(server.source.file, server.source, problem);
    }
  }
  return [...servers.values()];
}

/**
 * The servers a hook may mean: the one it names, else all it can see. A hook of the user's file sees no project's
 * servers: one of those could otherwise answer in place of the user's own.
 */
export function serversFor(hook: HookConfig, servers: readonly ServerConfig[]): ServerConfig[] {
  const { action, source } = hook;
  if (action.kind !== "mcp_tool") return [];
  const seen = servers.filter(({ isUsers, source: { file } }) => isUsers || file === source.file);
  return action.server === null ? seen : seen.filter(({ name }) => name === action.server);
}

/**
 * The hooks that can run. One whose server nobody has declared could not, and would look like one that has nothing to
 * say: it is an error, but in a file written for Claude Code, which declares its servers elsewhere: there it is
 * skipped, unless it asks never to be left out.
 */
export function withServers(
  hooks: readonly HookConfig[],
  servers: readonly ServerConfig[],
): { hooks: HookConfig[]; skipped: Skipped[] } {
  const skipped: Skipped[] = [];
  const runnable = hooks.filter((hook) => {
    const problem = missingServer(hook, servers);
    if (problem === null) return true;
    const { source, nativeEvent } = hook;
    if (hook.dialect !== "claude" || hook.onFailure === "deny") throw invalid(source.file, source, problem);
    skipped.push({ source, nativeEvent, reason: problem });
    return false;
  });
  return { hooks: runnable, skipped };
}

function missingServer(hook: HookConfig, servers: readonly ServerConfig[]): string | null {
  const { action } = hook;
  if (action.kind !== "mcp_tool" || serversFor(hook, servers).length > 0) return null;
  if (action.server === null) {
    return `tool ${showValue(action.tool)} has no server, expected one declared under mcp_servers`;
  }
  const seen = serversFor({ ...hook, action: { ...action, server: null } }, servers).map(({ name }) => name);
  const near = didYouMean(suggest(action.server, seen));
  return `server ${showValue(action.server)} is not declared under mcp_servers${near}`;
}
