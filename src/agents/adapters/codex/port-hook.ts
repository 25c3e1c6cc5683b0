import type { OtherHook, PortableHook } from "../../port/adapter.ts";
import { narrowMatcher, portHook } from "../settings/port-hook.ts";
import { codexEvents, codexToolEvents } from "./events.ts";

/** Names that match a tool besides its own. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  apply_patch: ["Write", "Edit"],
  spawn_agent: ["Agent"],
};

export function portCodexHook(hook: OtherHook): PortableHook | string {
  const matcher = narrowMatcher(hook);
  if (matcher === null) return portHook(hook, codexEvents, undefined);
  if (!codexToolEvents.includes(hook.place.native)) {
    return portHook(hook, codexEvents, isList(matcher) ? matcher : asExpression(matcher));
  }
  try {
    return portHook(
      hook,
      codexEvents,
      isList(matcher) ? listWithTools(matcher) : expressionWithTools(matcher),
    );
  } catch {
    return `its matcher ${JSON.stringify(matcher)} is no regular expression here`;
  }
}

/** Names with `|` between them are compared exactly; all else is an expression that may match anywhere. */
function isList(matcher: string): boolean {
  return /^[A-Za-z0-9_|]+$/.test(matcher);
}

function listWithTools(matcher: string): string {
  const names = matcher.split("|");
  return [...names, ...toolsMissing((name) => names.includes(name))].join("|");
}

function expressionWithTools(matcher: string): string {
  const expression = new RegExp(matcher);
  const tools = toolsMissing((name) => expression.test(name));
  return [asExpression(matcher), ...tools.map((tool) => `^${tool}$`)].join("|");
}

/** Tools that are meant by an alias only. */
function toolsMissing(isMeant: (name: string) => boolean): string[] {
  return Object.entries(aliases)
    .filter(([tool, others]) => !isMeant(tool) && others.some(isMeant))
    .map(([tool]) => tool);
}

/** Claude Code takes a comma, a blank and a hyphen for parts of a list. */
function asExpression(matcher: string): string {
  return /^[A-Za-z0-9_|, -]+$/.test(matcher) ? `(?:${matcher})` : matcher;
}
