import type { Clock } from "../base/clock.ts";
import type { Decision } from "../engine/events/decision.ts";
import type { HandlerRecord, Outcome } from "../engine/events/outcome.ts";
import { openHooks } from "../engine/hooks/create-hooks.ts";
import { compilePolicy } from "../policy/rules/compile-policy.ts";
import { guardedEvents, makeJudge, policyHook } from "../policy/rules/judge.ts";
import { knownRuleGuard, ruleGuard } from "../policy/rules/rule-guard.ts";
import type { DecodedCall } from "../agents/port/adapter.ts";
import type { QuietBook } from "../daemon/runtime/quiet-book.ts";

/** What the rules of a book say of a call, with what its row tells of them. */
export interface RuledCall {
  readonly decision: Decision;
  readonly handlers: readonly HandlerRecord[];
  readonly hookOf: (name: string) => ReturnType<typeof knownRuleGuard>;
}

/**
 * Judges a call that is for rules alone, by the engine and the rules as a daemon has them. A program of its own: calls that
 * concern nobody do without. Null when there is more to do than to answer: somebody to ask, or a failure to tell of.
 */
export function judgeByRules(
  { rules, digest, names, cwd }: QuietBook,
  { event: written, data, origin }: DecodedCall,
): RuledCall | null {
  const event = guardedEvents.find((guarded) => guarded === written);
  if (event === undefined) return null;
  const policy = compilePolicy(rules, names, digest);
  const judge = makeJudge({ policy, home: names.home, cwd, now: Date.now });
  const { hooks, register } = openHooks({ trace: true, log, clock });
  const guard = ruleGuard(judge, event, () => false);
  register(event, guard.options, guard.handler, policyHook);
  const outcome = hooks.emit(event, data as never, origin);
  if (outcome instanceof Promise) return null;
  const { decision, handlers } = outcome as Outcome;
  const isAnswered = handlers.every(({ status }) => status === "completed" || status === "denied");
  if (!isAnswered || decision.verdict === "ask") return null;
  return { decision, handlers, hookOf: (name) => knownRuleGuard(judge, name) };
}

/** A failure is told of by whoever judges the call the long way. */
const log = { warn: () => undefined };

/** Of a clock that is there: `performance` has to be loaded. */
const clock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  setTimer: (callback, delayMs) => setTimeout(callback, delayMs).unref(),
};
