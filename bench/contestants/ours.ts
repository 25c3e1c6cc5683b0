import { createHooks, type EngineOptions, type Handler, type Hooks, type Outcome } from "../../src/index.ts";
import { scrambled, type ToolCall } from "../handlers.ts";
import type { Contestant } from "./contestant.ts";

/** Our engine with the five hooks. */
export function ours(name: string, kind: "sync" | "async", options: EngineOptions): Contestant {
  const hooks = createHooks(options);
  registerFive(hooks, kind);
  return emitting(name, kind, hooks);
}

/** Plain handlers, yet awaited, as callers do who cannot know: costs them a turn of the microtask queue. */
export function oursAwaited(name: string, options: EngineOptions): Contestant {
  return { ...ours(name, "sync", options), isSync: false };
}

/** Our engine without a hook: what an event costs where nobody listens. */
export function oursIdle(name: string, options: EngineOptions): Contestant {
  return emitting(name, "sync", createHooks(options));
}

/** With their own matchers, or all with the same one. */
export function registerFive(hooks: Hooks, kind: "sync" | "async", matchAll?: string): void {
  for (const { match, priority, [kind]: handler } of scrambled()) {
    // They read `command` and `description`, which the payload's type does not promise; these payloads have them.
    hooks.on(
      "tool.before",
      { match: matchAll ?? match, priority },
      handler as unknown as Handler<"tool.before">,
    );
  }
}

export function emitting(name: string, kind: "sync" | "async", hooks: Hooks): Contestant {
  return {
    name,
    isSync: kind === "sync",
    run: (call) => hooks.emit("tool.before", call),
    read(result) {
      const { decision, data } = result as Outcome<"tool.before">;
      return decision.verdict === "deny" ? null : (data as ToolCall);
    },
  };
}
