import { type AsyncHandler, type SyncHandler, scrambled, type ToolCall } from "../handlers.ts";
import type { Contestant } from "./contestant.ts";

interface NaiveHook {
  readonly event: string;
  readonly pattern: RegExp;
  readonly priority: number;
  readonly handler: SyncHandler | AsyncHandler;
}

/** What one writes first: pick and sort the hooks on each event, and give every handler a timeout of its own. */
export function naive(kind: "sync" | "async"): Contestant {
  const hooks = scrambled().map(({ match, priority, [kind]: handler }) => ({
    event: "tool.before",
    pattern: new RegExp(`^(?:${match.replaceAll("*", ".*")})$`),
    priority,
    handler,
  }));
  return {
    name: "naive filter, sort, race",
    isSync: false,
    run: (call) => emit(hooks, "tool.before", call),
    read: (result) => result as ToolCall | null,
  };
}

async function emit(hooks: readonly NaiveHook[], event: string, call: ToolCall): Promise<ToolCall | null> {
  const matching = hooks
    .filter((hook) => hook.event === event && hook.pattern.test(call.tool_name))
    .sort((a, b) => b.priority - a.priority);
  let current = call;
  for (const hook of matching) {
    const answer = await withTimeout(hook.handler(current), 30_000);
    if (answer === undefined) continue;
    if (answer.verdict === "deny") return null;
    if (answer.rewrite !== undefined) current = Object.assign({}, current, answer.rewrite);
  }
  return current;
}

async function withTimeout<T>(answer: T | Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("timed out")), timeoutMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
