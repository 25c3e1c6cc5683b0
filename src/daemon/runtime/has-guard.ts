import type { EventName } from "../../engine/events/names.ts";
import { isGuardedEvent } from "../../policy/rules/judge.ts";
import type { InForce } from "./project.ts";

/** Whether there is a guard for the event, whatever it is about: one that fails, or is missing, denies. */
export function hasGuard({ config, flags, judgement }: InForce, event: EventName): boolean {
  if (config.policy.policy !== null && isGuardedEvent(event)) return true;
  if (!flags.hooks_enabled) return false;
  if (event === "tool.before" && judgement.denial !== null) return true;
  return config.hooks.some((hook) => hook.event === event && hook.onFailure === "deny");
}
