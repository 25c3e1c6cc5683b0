import type { NativeEvent, OtherHook, PortableHook } from "../../port/adapter.ts";

/** How long a hook in Claude Code's shape may take here, unless it says: one that asks an endpoint less than others. */
const [ourDefaultS, ourEndpointDefaultS] = [600, 10];

/** The hook with its matcher replaced, and with the deadline its agent gives it where ours would be another one. */
export function portHook(
  { place, group, hook }: OtherHook,
  events: readonly NativeEvent[],
  matcher: string | undefined,
): PortableHook {
  const { timeoutS = ourDefaultS } = events.find(({ native }) => native === place.native) ?? {};
  const oursS = hook.type === "http" ? ourEndpointDefaultS : ourDefaultS;
  const timeout = hook.timeout === undefined && timeoutS !== oursS ? { timeout: timeoutS } : {};
  return {
    group: matcher === undefined ? group : { ...group, matcher },
    hook: { ...hook, ...timeout },
  };
}

/** Its matcher, if it says more than "always". */
export function narrowMatcher({ group: { matcher } }: OtherHook): string | null {
  return typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : null;
}
