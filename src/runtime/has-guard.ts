import type { EventName } from "../events/names.ts";
import { isGuardedEvent } from "../permissions/judge.ts";
import type { InForce } from "./project.ts";

/** Whether there is a guard for the event, whatever it is about: one that fails, or is missing, denies. */
export function hasGuard({ config, flags }: InForce, event: EventName): boolean {
  if (config.policy.policy !== null && isGuardedEvent(event)) return true;
  return (
    flags.hooks_enabled && config.hooks.some((hook) => hook.event === event && hook.onFailure === "deny")
  );
}
