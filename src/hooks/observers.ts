import { SwarmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { show } from "../base/show.ts";
import type { Origin } from "../events/envelope.ts";
import type { HandlerRecord, HandlerStatus, Outcome } from "../events/outcome.ts";
import { HookCall } from "./call.ts";
import type { Hook } from "./definition.ts";
import type { Engine } from "./engine.ts";
import { isThenable, Pending, type Waiter } from "./pending.ts";
import { asSwarmError, type Data } from "./tally.ts";

/** Calls observers after the decision. Nothing they answer changes it, and nothing they do delays it. */
export class Observers {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  schedule(
    hook: Hook,
    data: Data,
    outcome: Outcome,
    origin: Origin | undefined,
    record: HandlerRecord | null,
  ): void {
    const observation = new Observation(this.#engine, hook, outcome, record);
    if (this.#engine.background.queued < limits.queuedObservations) {
      this.#engine.background.later(() => observation.start(data, origin));
      return;
    }
    const params = { hook: hook.name, event: hook.event, limit: limits.queuedObservations };
    observation.end("skipped", new SwarmError("SWARM_OBSERVERS_BEHIND", params));
  }
}

/** One observer called for one event. */
class Observation implements Waiter {
  readonly #engine: Engine;
  readonly #hook: Hook;
  readonly #outcome: Outcome;
  readonly #record: HandlerRecord | null;
  #startedAtMs = 0;

  constructor(engine: Engine, hook: Hook, outcome: Outcome, record: HandlerRecord | null) {
    this.#engine = engine;
    this.#hook = hook;
    this.#outcome = outcome;
    this.#record = record;
  }

  start(data: Data, origin: Origin | undefined): void {
    const hook = this.#hook;
    this.#startedAtMs = this.#engine.clock.monotonicMs();
    try {
      if (!hook.isActive) {
        this.#note("skipped", "it was removed before it could be called");
      } else if (hook.when !== null && !hook.when(data, origin)) {
        this.#note("skipped", "its `when` did not hold");
      } else {
        this.#call(data, new HookCall(this.#outcome, origin));
      }
    } catch (error) {
      this.end("failed", asSwarmError(hook, error));
    }
  }

  #call(data: Data, call: HookCall): void {
    const returned = this.#hook.handler(data, call);
    if (isThenable(returned)) {
      this.#engine.background.enter();
      new Pending(this, this.#engine.deadlines).wait(this.#hook, call, returned);
    } else {
      this.#conclude(returned);
    }
  }

  answered(pending: Pending, value: unknown): void {
    this.#leave(pending, () => this.#conclude(value));
  }

  rejected(pending: Pending, error: unknown): void {
    this.#leave(pending, () => this.end("failed", asSwarmError(this.#hook, error)));
  }

  timedOut(pending: Pending, error: SwarmError): void {
    this.#leave(pending, () => this.end("timed_out", error));
  }

  end(status: "failed" | "timed_out" | "skipped", error: SwarmError): void {
    this.#engine.failures.report(this.#hook, this.#outcome, status, error);
    this.#note(status, error.message);
  }

  #leave(pending: Pending, conclude: () => void): void {
    pending.end();
    try {
      conclude();
    } finally {
      this.#engine.background.leave();
    }
  }

  /** Someone who returns a verdict from an observer believes it has an effect: it must not be lost silently. */
  #conclude(returned: unknown): void {
    if (
      typeof returned === "object" &&
      returned !== null &&
      ("verdict" in returned || "carry_on" in returned)
    ) {
      const problem = `${show(returned)}, expected nothing: an observer runs after the decision`;
      this.end("failed", new SwarmError("SWARM_ANSWER_INVALID", { hook: this.#hook.name, problem }));
    } else {
      this.#note("completed", null);
    }
  }

  #note(status: HandlerStatus, reason: string | null): void {
    if (this.#record === null) return;
    this.#record.status = status;
    this.#record.reason = reason;
    this.#record.ms = this.#engine.clock.monotonicMs() - this.#startedAtMs;
  }
}
