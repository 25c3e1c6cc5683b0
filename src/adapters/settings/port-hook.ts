import type { NativeEvent, OtherHook, PortableHook } from "../../ports/adapter.ts";

/** What a hook in Claude Code's shape has to take at most, unless it says. */
const ourDefaultS = 600;

/** The hook with its matcher replaced, and with the deadline its agent gives it where ours would be another one. */
export function portHook(
  { place, group, hook }: OtherHook,
  events: ReadonlyMap<string, NativeEvent>,
  matcher: string | undefined,
): PortableHook {
  const { timeoutS = ourDefaultS } = events.get(place.native) ?? {};
  const timeout = hook.timeout === undefined && timeoutS !== ourDefaultS ? { timeout: timeoutS } : {};
  return {
    group: matcher === undefined ? group : { ...group, matcher },
    hook: { ...hook, ...timeout },
  };
}

/** Its matcher, if it says more than "always". */
export function narrowMatcher({ group: { matcher } }: OtherHook): string | null {
  return typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : null;
}
