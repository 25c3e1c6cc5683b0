import { SwarmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { show } from "../base/show.ts";
import { Answer } from "../events/answer.ts";
import { isStricter, type Verdict } from "../events/decision.ts";
import { type HandlerRecord, type HandlerStatus, Outcome } from "../events/outcome.ts";
import type { Hook } from "./definition.ts";
import type { Engine } from "./engine.ts";
import { applyRewrite } from "./merge.ts";
import { readAnswer } from "./read-answer.ts";
import type { EventHooks } from "./registry.ts";

export type Data = Readonly<Record<string, unknown>>;
type Settled = { -readonly [K in keyof Outcome]: Outcome[K] };

/** What the handlers of one event have answered so far, merged: the payload as it stands and the decision. */
export class Tally {
  readonly outcome: Outcome;
  protected readonly engine: Engine;
  protected readonly hooks: EventHooks;
  protected data: Data;
  /** Null unless the engine traces. */
  protected records: HandlerRecord[] | null;
  #verdict: Verdict = "none";
  #reason: string | null = null;
  #decidedBy: Hook | null = null;
  #context: string[] | null = null;
  #stop: string | null = null;

  constructor(engine: Engine, hooks: EventHooks, data: Data) {
    this.outcome = new Outcome(hooks.event, data as Outcome["data"]);
    this.engine = engine;
    this.hooks = hooks;
    this.data = data;
    this.records = engine.isTracing ? [] : null;
  }

  protected get isDenied(): boolean {
    return this.#verdict === "deny";
  }

  /** Adds an answer, all of it or nothing; true when it ends the chain. */
  protected take(hook: Hook, returned: unknown, startedAtMs: number): boolean {
    if (returned === undefined || returned === null) {
      if (this.records !== null) this.record(hook, "completed", "none", null, startedAtMs);
      return false;
    }
    let answer: Answer;
    try {
      answer = returned instanceof Answer ? returned : readAnswer(hook, returned);
      if (answer.verdict === "deny")
        return this.#deny(hook, "denied", denialReason(answer, hook), startedAtMs);
      this.#add(hook, answer);
    } catch (error) {
      return this.fail(hook, "failed", error, startedAtMs);
    }
    if (this.records !== null) {
      this.record(hook, "completed", answer.verdict ?? "none", answer.reason ?? null, startedAtMs);
    }
    return false;
  }

  /** A failed handler has no say, unless its hook was registered to deny when it fails. */
  protected fail(hook: Hook, status: "failed" | "timed_out", cause: unknown, startedAtMs: number): boolean {
    const error = asSwarmError(hook, cause);
    this.engine.failures.report(hook, this.outcome, status, error);
    if (hook.onFailure === "deny") {
      return this.#deny(hook, status, `${error.message}; this hook denies when it fails`, startedAtMs);
    }
    this.record(hook, status, "none", error.message, startedAtMs);
    return false;
  }

  protected record(
    hook: Hook,
    status: HandlerStatus,
    verdict: Verdict,
    reason: string | null,
    startedAtMs: number,
  ): void {
    if (this.records === null) return;
    const { name, kind, mode } = hook;
    const ms = status === "skipped" ? 0 : this.engine.clock.monotonicMs() - startedAtMs;
    this.records.push({ name, kind, mode, status, verdict, reason, ms });
  }

  /** Puts what was decided into the outcome. */
  protected settle(): void {
    const outcome: Settled = this.outcome;
    outcome.data = this.data as Outcome["data"];
    if (this.records !== null) outcome.handlers = this.records;
    if (this.#decidedBy === null && this.#context === null && this.#stop === null) return;
    const verdict = this.#verdict;
    const reason = this.#reason;
    const hook = this.#decidedBy?.name ?? null;
    outcome.decision = { verdict, reason, hook, context: this.#context ?? [], stop: this.#stop };
    const status = this.hooks.deniedStatus;
    if (verdict === "deny" && status !== null) {
      outcome.result = { status, hook: hook ?? "", reason: reason ?? "" };
    }
  }

  #add(hook: Hook, answer: Answer): void {
    const { verdict, reason, rewrite, context, stop } = answer;
    if (verdict !== undefined && !this.hooks.verdicts.has(verdict)) {
      const legal = [...this.hooks.verdicts].join(", ");
      throw new SwarmError("SWARM_VERDICT_ILLEGAL", { hook: hook.name, event: hook.event, verdict, legal });
    }
    if (reason !== undefined) checkText(hook, "reason", reason);
    if (stop !== undefined) checkText(hook, "stop", stop);
    if (context !== undefined) this.#checkContext(hook, context);
    if (rewrite !== undefined) this.data = applyRewrite(this.hooks, hook, this.data, rewrite);
    if (context !== undefined) {
      this.#context ??= [];
      this.#context.push(context);
    }
    if (stop !== undefined) this.#stop ??= stop;
    if (verdict !== undefined && isStricter(verdict, this.#verdict))
      this.#decide(hook, verdict, reason ?? null);
  }

  #checkContext(hook: Hook, context: string): void {
    checkText(hook, "context", context);
    const chars = context.length;
    const before = this.#context?.reduce((sum, text) => sum + text.length, 0) ?? 0;
    if (chars > limits.contextChars) throw contextTooLarge(hook, chars, limits.contextChars, "in one answer");
    if (chars + before > limits.contextCharsPerEvent) {
      throw contextTooLarge(hook, chars, limits.contextCharsPerEvent - before, "more for this event");
    }
  }

  #deny(hook: Hook, status: HandlerStatus, reason: string, startedAtMs: number): true {
    this.#decide(hook, "deny", reason);
    this.record(hook, status, "deny", reason, startedAtMs);
    return true;
  }

  #decide(hook: Hook, verdict: Verdict, reason: string | null): void {
    this.#verdict = verdict;
    this.#reason = reason;
    this.#decidedBy = hook;
  }
}

/** A denial always has a reason a model can read, even when the handler gave none or something else than text. */
function denialReason(answer: Answer, hook: Hook): string {
  const { reason } = answer;
  return typeof reason === "string" && reason !== "" ? reason : `denied by hook ${hook.name}`;
}

/** Whatever went wrong in a handler, as a catalogued error; what the engine itself found wrong is one already. */
export function asSwarmError(hook: Hook, cause: unknown): SwarmError {
  if (cause instanceof SwarmError) return cause;
  return new SwarmError("SWARM_HANDLER_THREW", { hook: hook.name, error: messageOf(cause) }, { cause });
}

function messageOf(cause: unknown): string {
  try {
    return cause instanceof Error ? `${cause.name}: ${cause.message}` : show(cause);
  } catch {
    return "a value that cannot be printed"; // a proxy or getter that throws when it is looked at
  }
}

function checkText(hook: Hook, key: string, value: unknown): void {
  if (typeof value === "string") return;
  const problem = `${key} ${show(value)}, expected a string`;
  throw new SwarmError("SWARM_ANSWER_INVALID", { hook: hook.name, problem });
}

function contextTooLarge(hook: Hook, chars: number, limitChars: number, scope: string): SwarmError {
  return new SwarmError("SWARM_CONTEXT_TOO_LARGE", { hook: hook.name, chars, limitChars, scope });
}
