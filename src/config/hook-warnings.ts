import { agentToolNames } from "../agents/adapters/tool-names.ts";
import { show } from "../base/show.ts";
import { suggest } from "../base/suggest.ts";
import type { EventName } from "../engine/events/names.ts";
import { rowOf } from "../engine/events/names.ts";
import { compileMatcher } from "../engine/hooks/matcher.ts";
import type { HookConfig } from "./hook-config.ts";

/** What is allowed in a hook and hardly meant, in words; whoever shows or loads the hook says it. */
export function hookWarnings(hook: HookConfig): string[] {
  return [...unsignedWarning(hook), ...matcherWarning(hook), ...whenWarning(hook)];
}

function unsignedWarning({ action }: HookConfig): string[] {
  if (action.kind !== "webhook" || action.secret !== null || action.isUnsigned || action.format !== undefined)
    return [];
  return ["it is sent unsigned: give it a secret, or say unsigned: true"];
}

/** What a matcher is compared with, where that is always one of few words. */
const valuesOfEvents: Readonly<Partial<Record<EventName, readonly string[]>>> = {
  "session.start": ["startup", "resume", "clear", "compact", "fork"],
  "compaction.before": ["manual", "auto"],
  "compaction.after": ["manual", "auto"],
};

function matcherWarning({ event, match, dialect }: HookConfig): string[] {
  if (match === "*") return [];
  const known = valuesOfEvents[event];
  if (known !== undefined) {
    const matcher = compileMatcher("match", match);
    if (known.some((value) => matcher.test(value))) return [];
    return [
      `match ${show(match)} never matches: the ${rowOf(event).matches} of ${event} is ${known.join(", ")}`,
    ];
  }
  if (rowOf(event).matches !== "tool_name") return [];
  return toolMatcherProblems(match, dialect === "claude").map(
    (problem) => `match ${show(match)} never matches: ${problem}`,
  );
}

/** Why a matcher for tools fits none; of several names each is looked at by itself. */
function toolMatcherProblems(match: string, isClaudeShaped: boolean): string[] {
  const regex = /^\/(.*)\/[a-z]*$/s.exec(match);
  const names = regex === null ? match.split("|").map((name) => name.trim()) : [regex[1] ?? ""];
  return names.flatMap((name) => {
    const rule = /^([A-Za-z_]+)\(.*\)$/.exec(name);
    if (rule !== null && (regex !== null || isClaudeShaped))
      return `it is compared with the tool's name alone; write ${rule[1]}, and what its arguments have to be under when`;
    if (regex !== null || name.includes("*")) return [];
    if (/\s/.test(name)) return `${show(name)} has a space, which no tool's name has`;
    if (/^mcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/.test(name))
      return `${show(name)} is a server's name; its tools are ${name}__*`;
    const other = nearName(name);
    return other === undefined ? [] : [`no agent's tool is called ${show(name)}, but ${show(other)}`];
  });
}

/**
 * The tool of an agent that was meant by a name no agent has. A name that is near to none of theirs may be a tool of a
 * program that embeds the engine, or of a plugin of the agent's; one with separators may be an MCP server's.
 */
function nearName(name: string): string | undefined {
  if (agentToolNames.includes(name) || /__|[:/.]/.test(name)) return undefined;
  return suggest(name, agentToolNames);
}

function whenWarning({ event, when }: HookConfig): string[] {
  if (when === null || "tool_input" in rowOf(event).payload) return [];
  const unread = (["path", "args"] as const).filter((key) => when[key] !== undefined);
  return unread.map((key) => `when.${key} never holds: ${event} has no tool with arguments`);
}
