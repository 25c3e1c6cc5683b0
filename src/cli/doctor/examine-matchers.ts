import { adapters } from "../../agents/adapters/index.ts";
import { Installations } from "../../agents/install/installations.ts";
import { type AgentName, namedAgent } from "../../agents/port/agents.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import { kindOfTool, toolKinds } from "../../engine/events/tools.ts";
import type { Finding } from "./finding.ts";

/** Guards that name a tool as one agent does, and so let the same tool of another one pass. */
export function examineMatchers(hooks: readonly HookConfig[], home: string): Finding[] {
  const installed = [...new Set(new Installations(home).list().map(({ agent }) => agent))];
  return hooks.flatMap((hook) => examineMatcher(hook, installed));
}

function examineMatcher(
  { name: about, event, match, dialect }: HookConfig,
  installed: readonly AgentName[],
): Finding[] {
  // Claude Code's files are for Claude Code's names.
  if (!event.startsWith("tool.") || dialect === "claude") return [];
  const names = match.split("|").map((name) => name.trim());
  return names.flatMap((name): Finding[] => {
    const kind = kindOfTool(name);
    if (kind === null || (toolKinds as readonly string[]).includes(name) || names.includes(kind)) return [];
    const missed = installed.filter((agent) => !isOwnTool(agent, names, kind));
    if (missed.length === 0) return [];
    const titles = missed.map((agent) => namedAgent(agent).title).join(", ");
    const finding = `match: ${name} is not what ${titles} calls it, whose calls it lets pass: match: ${kind} is for all agents`;
    return [{ level: "warning", about, finding }];
  });
}

/** Whether the agent has a tool of this kind by one of these names. */
function isOwnTool(agent: AgentName, names: readonly string[], kind: string): boolean {
  return names.some((tool_name) => {
    const found = adapters[agent].toolNames({ tool_name });
    return found?.isBuiltIn === true && found.readings.some((reading) => reading.name === kind);
  });
}
