import type { HandlerFunction } from "../../engine/hooks/handler.ts";
import { type guardedEvents, isPolicyHook, type Judge, policyHook } from "./judge.ts";

/** The hook that asks the rules about an event; `isTaken`: whether somebody calls a hook of their own so. */
export function ruleGuard(
  judge: Judge,
  event: (typeof guardedEvents)[number],
  isTaken: (name: string) => boolean,
) {
  let name = event === "tool.before" ? policyHook : `${policyHook}/${event}`;
  while (isTaken(name)) name += "'";
  const handler: HandlerFunction = (data, { origin }) => judge.answer(event, data, origin);
  // Last of the guards: rules judge what all others have let pass.
  const options = { name, mode: "guard", onFailure: "deny", priority: -Number.MAX_VALUE } as const;
  return { options, handler };
}

/** What the record knows of such a hook by its name, or by a rule's; undefined for any other name. */
export function knownRuleGuard({ policy: { digest } }: Judge, name: string) {
  return isPolicyHook(name) ? ({ id: null, digest, onFailure: "deny" } as const) : undefined;
}
