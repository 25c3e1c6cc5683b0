import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/swarm-error.ts";
import { limits } from "../../base/limits.ts";
import { cut, oneLine, show } from "../../base/show.ts";
import { Answer } from "../events/answer.ts";
import { type Decision, isStricter, noDecision, type Verdict } from "../events/decision.ts";
import type { Origin } from "../events/envelope.ts";
import type { HandlerRecord, HandlerStatus, Outcome } from "../events/outcome.ts";
import type { Hook } from "./definition.ts";
import type { Engine } from "./engine.ts";
import { applyRewrite } from "./merge.ts";
import { readAnswer } from "./read-answer.ts";
import type { EventHooks } from "./registry.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What an event under way has come to: its outcome so far, and what adding to it needs. */
export interface Tally {
  readonly engine: Engine;
  readonly hooks: EventHooks;
  readonly outcome: Outcome;
  readonly origin: Origin | undefined;
  /** Null unless the engine traces. */
  readonly trace: Trace | null;
}

export interface Trace {
  readonly records: HandlerRecord[];
  /** When the last handler was done: the next one starts then, which saves half the looks at the clock. */
  clockMs: number;
}

export function startTrace(clock: Clock, outcome: Outcome): Trace {
  const records: HandlerRecord[] = [];
  outcome.handlers = records;
  return { records, clockMs: clock.monotonicMs() };
}

/** Merges an answer into the outcome, all of it or nothing; true when it ends the chain. */
export function addAnswer(tally: Tally, hook: Hook, returned: unknown, startedAtMs: number): boolean {
  if (returned === undefined || returned === null) {
    addRecord(tally, hook, "completed", "none", null, startedAtMs);
    return false;
  }
  let answer: Answer;
  try {
    answer = returned instanceof Answer ? returned : readAnswer(hook, returned);
    if (answer.verdict === "deny") return addDenial(tally, hook, answer, startedAtMs);
    merge(tally, hook, answer);
  } catch (error) {
    return addFailure(tally, hook, "failed", error, startedAtMs);
  }
  addRecord(tally, hook, "completed", answer.verdict ?? "none", answer.reason ?? null, startedAtMs);
  return false;
}

/** A denial counts whatever else is wrong with the answer; what else it says is taken if it can be. */
function addDenial(tally: Tally, hook: Hook, answer: Answer, startedAtMs: number): true {
  const { reason, context, stop } = answer;
  const { outcome } = tally;
  if (typeof context === "string" && fitsContext(outcome.decision, context))
    decisionOf(outcome).context.push(context);
  if (typeof stop === "string") decisionOf(outcome).stop ??= cut(stop, limits.contextChars);
  const isText = typeof reason === "string" && reason !== "";
  const given = isText ? cut(reason, limits.contextChars) : `denied by hook ${hook.name}`;
  return deny(tally, hook, "denied", given, startedAtMs, answer.by);
}

/** A failed handler has no say, unless its hook was registered to deny when it fails. */
export function addFailure(
  tally: Tally,
  hook: Hook,
  status: "failed" | "timed_out",
  cause: unknown,
  startedAtMs: number,
): boolean {
  const error = asSwarmError(hook, cause);
  tally.engine.failures.report(hook, tally.outcome, tally.origin, status, error);
  if (hook.onFailure === "deny") {
    return deny(tally, hook, status, `${error.message}; this hook denies when it fails`, startedAtMs);
  }
  addRecord(tally, hook, status, "none", error.message, startedAtMs);
  return false;
}

export function addRecord(
  tally: Tally,
  hook: Hook,
  status: HandlerStatus,
  verdict: Verdict,
  reason: string | null,
  startedAtMs: number,
): void {
  const { trace } = tally;
  if (trace === null) return;
  if (status !== "skipped") trace.clockMs = tally.engine.clock.monotonicMs();
  const ms = status === "skipped" ? 0 : trace.clockMs - startedAtMs;
  trace.records.push({ name: hook.name, kind: hook.kind, mode: hook.mode, status, verdict, reason, ms });
}

function merge(tally: Tally, hook: Hook, answer: Answer): void {
  const { verdict, reason, rewrite, context, stop } = answer;
  const { engine, hooks, outcome } = tally;
  if (verdict !== undefined && !tally.hooks.verdicts.has(verdict)) throw illegalVerdict(tally, hook, verdict);
  if (reason !== undefined) checkText(hook, "reason", reason);
  if (stop !== undefined) checkText(hook, "stop", stop);
  if (context !== undefined) checkContext(hook, outcome.decision, context);
  if (rewrite !== undefined) {
    outcome.data = applyRewrite(
      hooks.rewriteRules,
      hook,
      outcome.data,
      rewrite,
      engine.isValidating,
    ) as Outcome["data"];
  }
  // From here on nothing can fail, so an answer is never applied by half.
  if (context !== undefined) decisionOf(outcome).context.push(context);
  if (stop !== undefined) decisionOf(outcome).stop ??= cut(stop, limits.contextChars);
  if (verdict !== undefined && isStricter(verdict, outcome.decision.verdict)) {
    decide(outcome, hook, verdict, reason === undefined ? null : cut(reason, limits.contextChars), answer.by);
  }
}

function deny(
  tally: Tally,
  hook: Hook,
  status: HandlerStatus,
  reason: string,
  startedAtMs: number,
  by?: string,
): true {
  if (tally.outcome.decision.verdict !== "deny") decide(tally.outcome, hook, "deny", reason, by);
  addRecord(tally, hook, status, "deny", reason, startedAtMs);
  return true;
}

function decide(outcome: Outcome, hook: Hook, verdict: Verdict, reason: string | null, by?: string): void {
  const decision = decisionOf(outcome);
  decision.verdict = verdict;
  decision.reason = reason;
  decision.hook = by ?? hook.name;
}

/** Made when the first handler has something to say: most events end without. */
function decisionOf(outcome: Outcome): Mutable<Decision> & { context: string[] } {
  if (outcome.decision === noDecision) {
    outcome.decision = { verdict: "none", reason: null, hook: null, context: [], stop: null };
  }
  return outcome.decision as Mutable<Decision> & { context: string[] };
}

/** Whatever went wrong in a handler, as a catalogued error; what the engine itself found wrong is one already. */
export function asSwarmError(hook: Hook, cause: unknown): SwarmError {
  try {
    if (cause instanceof SwarmError) return cause;
    const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : show(cause);
    return threw(hook, oneLine(text, limits.errorChars), cause);
  } catch {
    return threw(hook, "a value that cannot be shown", undefined); // a proxy that throws when it is looked at
  }
}

function threw(hook: Hook, error: string, cause: unknown): SwarmError {
  return new SwarmError("SWARM_HANDLER_THREW", { hook: hook.name, error }, { cause });
}

function illegalVerdict(tally: Tally, hook: Hook, verdict: Verdict): SwarmError {
  const legal = [...tally.hooks.verdicts].join(", ");
  return new SwarmError("SWARM_VERDICT_ILLEGAL", { hook: hook.name, event: hook.event, verdict, legal });
}

function checkText(hook: Hook, key: string, value: unknown): void {
  if (typeof value === "string") return;
  const problem = `${key} ${show(value)}, expected a string`;
  throw new SwarmError("SWARM_ANSWER_INVALID", { hook: hook.name, problem });
}

function checkContext(hook: Hook, decision: Decision, context: string): void {
  checkText(hook, "context", context);
  if (fitsContext(decision, context)) return;
  const chars = context.length;
  const [limitChars, scope] =
    chars > limits.contextChars
      ? [limits.contextChars, "in one answer"]
      : [limits.contextCharsPerEvent - charsOf(decision.context), "more for this event"];
  throw new SwarmError("SWARM_CONTEXT_TOO_LARGE", { hook: hook.name, chars, limitChars, scope });
}

function fitsContext(decision: Decision, context: string): boolean {
  const isOneFit = context.length <= limits.contextChars;
  return isOneFit && context.length + charsOf(decision.context) <= limits.contextCharsPerEvent;
}

function charsOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
