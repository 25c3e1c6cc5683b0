import type { OtherHook, PortableHook } from "../../port/adapter.ts";
import { narrowMatcher, portHook } from "../settings/port-hook.ts";
import { claudeEvents, claudeToolEvents } from "./events.ts";

/** Names tools had before, which a list of names still stands for. */
const renamed: Readonly<Record<string, string>> = { Task: "Agent" };

export function portClaudeHook(hook: OtherHook): PortableHook | string {
  const { native } = hook.place;
  const matcher = narrowMatcher(hook);
  // Ours is compared with the level, which Claude Code does not send.
  if (native === "Notification" && matcher !== null)
    return `its matcher ${JSON.stringify(matcher)} chooses by the type of a notification`;
  if (hook.hook.asyncRewake === true) return "asyncRewake has no counterpart: nobody would be woken";
  const isToolMatcher = matcher !== null && claudeToolEvents.includes(native);
  return portHook(hook, claudeEvents, isToolMatcher ? withNewNames(matcher) : undefined);
}

function withNewNames(matcher: string): string {
  if (!/^[A-Za-z0-9_|, -]+$/.test(matcher)) return matcher;
  const names = matcher.split(/[|,]/).map((name) => name.trim());
  const added = names.flatMap((name) => (Object.hasOwn(renamed, name) ? (renamed[name] ?? []) : []));
  const missing = added.filter((name) => !names.includes(name));
  return missing.length === 0 ? matcher : [matcher, ...missing].join("|");
}
