import { type AsyncHandler, fiveHooks, type SyncHandler, type ToolCall } from "../handlers.ts";
import type { Contestant } from "./contestant.ts";

/**
 * The floor: the least code that calls the same handlers in order, applies a rewrite and stops at a denial. No
 * matching, no deadlines, no containment of errors. Counting an index and not `for…of`, which took a sixth longer in
 * the loop that awaits.
 */
export function bareSync(): Contestant {
  const handlers = fiveHooks.map((hook) => hook.sync);
  return { name: "bare loop", isSync: true, run: (call) => loop(handlers, call), read };
}

export function bareAsync(): Contestant {
  const handlers = fiveHooks.map((hook) => hook.async);
  return { name: "bare await loop", isSync: false, run: (call) => awaitLoop(handlers, call), read };
}

const none: SyncHandler[] = [];

/** The same loop with nothing to call. */
export function bareIdle(): Contestant {
  return { name: "empty loop", isSync: true, run: (call) => loop(none, call), read };
}

function loop(handlers: readonly SyncHandler[], call: ToolCall): ToolCall | null {
  let current = call;
  for (let index = 0; index < handlers.length; index++) {
    const answer = (handlers[index] as SyncHandler)(current);
    if (answer === undefined) continue;
    if (answer.verdict === "deny") return null;
    if (answer.rewrite !== undefined) current = Object.assign({}, current, answer.rewrite);
  }
  return current;
}

async function awaitLoop(handlers: readonly AsyncHandler[], call: ToolCall): Promise<ToolCall | null> {
  let current = call;
  for (let index = 0; index < handlers.length; index++) {
    const answer = await (handlers[index] as AsyncHandler)(current);
    if (answer === undefined) continue;
    if (answer.verdict === "deny") return null;
    if (answer.rewrite !== undefined) current = Object.assign({}, current, answer.rewrite);
  }
  return current;
}

function read(result: unknown): ToolCall | null {
  return result as ToolCall | null;
}
