import type { SwarmError } from "../base/errors.ts";
import { Answer } from "../events/answer.ts";
import type { Origin } from "../events/envelope.ts";
import type { HandlerRecord, Outcome } from "../events/outcome.ts";
import { HookCall } from "./call.ts";
import type { Hook } from "./definition.ts";
import type { Engine } from "./engine.ts";
import { isThenable, Pending, type Waiter } from "./pending.ts";
import type { Plan } from "./plan.ts";
import type { EventHooks } from "./registry.ts";
import { type Data, Tally } from "./tally.ts";

/** What calling a hook came to. */
const goOn = 0;
const wait = 1;
const end = 2;
type Step = typeof goOn | typeof wait | typeof end;

/**
 * One event on its way through its plan: transforms one after another, then guards together, then the decision;
 * observers are left to the background.
 *
 * Everything stays synchronous until a handler returns a promise. From there on each answer, rejection or passed
 * deadline calls `#advance` again, and the outer promise resolves when that reports the end.
 */
export class Run extends Tally implements Waiter {
  readonly origin: Origin | undefined;
  readonly #plan: Plan;
  #nextTransform = 0;
  #call: HookCall | null = null;
  #series: Pending | null = null;
  /** Null until the guards have been started. */
  #guards: Set<Pending> | null = null;
  #resolve: ((outcome: Outcome) => void) | null = null;
  #reject: ((error: unknown) => void) | null = null;

  constructor(engine: Engine, hooks: EventHooks, plan: Plan, data: Data, origin: Origin | undefined) {
    super(engine, hooks, data);
    this.origin = origin;
    this.#plan = plan;
  }

  start(): Outcome | Promise<Outcome> {
    if (this.#advance()) return this.#finish();
    this.engine.background.enter();
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Goes on as far as it can without waiting; true when the decision is made. */
  #advance(): boolean {
    const { transforms, guards } = this.#plan;
    while (this.#nextTransform < transforms.length) {
      const step = this.#callHook(transforms[this.#nextTransform++] as Hook);
      if (step !== goOn) return step === end;
    }
    return guards.length === 0 || this.#startGuards(guards);
  }

  /** Guards judge the same, final payload, so all of them start before any is waited for. */
  #startGuards(guards: readonly Hook[]): boolean {
    if (this.#guards === null) {
      this.#guards = new Set();
      for (const hook of guards) {
        if (this.#callHook(hook) === end) return true;
      }
    }
    return this.#guards.size === 0;
  }

  #callHook(hook: Hook): Step {
    const startedAtMs = this.records === null ? 0 : this.engine.clock.monotonicMs();
    let returned: unknown;
    try {
      if (!hook.isActive) return this.#skip(hook, "it was removed while the event was under way");
      if (hook.when !== null && !hook.when(this.data, this.origin))
        return this.#skip(hook, "its `when` did not hold");
      this.#call ??= new HookCall(this.outcome, this.origin);
      const call = this.#call;
      returned = hook.handler(this.data, call);
      if (returned !== undefined && !(returned instanceof Answer) && isThenable(returned)) {
        // A handler still at work keeps its call, and with it its signal; the next one gets another.
        this.#call = null;
        this.#pendingFor(hook).wait(hook, call, returned);
        return wait;
      }
      if (call.isWatched) this.#call = null;
    } catch (error) {
      return this.fail(hook, "failed", error, startedAtMs) ? end : goOn;
    }
    return this.take(hook, returned, startedAtMs) ? end : goOn;
  }

  #skip(hook: Hook, why: string): Step {
    this.record(hook, "skipped", "none", why, 0);
    return goOn;
  }

  #pendingFor(hook: Hook): Pending {
    if (hook.mode === "transform" && this.#series !== null) return this.#series;
    const pending = new Pending(this, this.engine.deadlines);
    if (hook.mode === "transform") this.#series = pending;
    else this.#guards?.add(pending);
    return pending;
  }

  answered(pending: Pending, value: unknown): void {
    this.#resume(pending, () => this.take(pending.hook, value, pending.startedAtMs));
  }

  rejected(pending: Pending, error: unknown): void {
    this.#resume(pending, () => this.fail(pending.hook, "failed", error, pending.startedAtMs));
  }

  timedOut(pending: Pending, error: SwarmError): void {
    if (pending === this.#series) this.#series = null;
    this.#resume(pending, () => this.fail(pending.hook, "timed_out", error, pending.startedAtMs));
  }

  #resume(pending: Pending, isChainEnded: () => boolean): void {
    try {
      if (this.#guards?.delete(pending)) pending.end();
      if (!isChainEnded() && !this.#advance()) return;
      const outcome = this.#finish();
      this.engine.background.leave();
      this.#resolve?.(outcome);
    } catch (error) {
      // Only a fault of our own gets here; the caller must hear of it rather than wait for ever.
      this.#reject?.(error);
    }
  }

  #finish(): Outcome {
    this.#series?.end();
    if (this.#guards !== null) this.#cancel(this.#guards);
    if (this.records !== null && this.isDenied) this.#recordUncalled(this.records);
    this.settle();
    if (this.#plan.observers.length > 0) this.#scheduleObservers();
    return this.outcome;
  }

  #cancel(guards: Set<Pending>): void {
    if (guards.size === 0) return;
    const reason = new DOMException("another guard has denied the action", "AbortError");
    for (const pending of guards) {
      pending.cancel(reason);
      this.record(pending.hook, "cancelled", "none", reason.message, pending.startedAtMs);
    }
    guards.clear();
  }

  #recordUncalled(records: readonly HandlerRecord[]): void {
    const { transforms, guards } = this.#plan;
    for (const hook of [...transforms, ...guards].slice(records.length)) {
      this.#skip(hook, "an earlier hook has denied the action");
    }
  }

  #scheduleObservers(): void {
    for (const hook of this.#plan.observers) {
      if (this.isDenied && !hook.onDenied) {
        this.#skip(hook, "the action was denied, and it has no onDenied");
        continue;
      }
      let record: HandlerRecord | null = null;
      if (this.records !== null) {
        const { name, kind, mode } = hook;
        record = { name, kind, mode, status: "scheduled", verdict: "none", reason: null, ms: 0 };
        this.records.push(record);
      }
      this.engine.observers.schedule(hook, this.data, this.outcome, this.origin, record);
    }
  }
}
