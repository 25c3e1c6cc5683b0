import { SwarmError } from "../../base/swarm-error.ts";
import { limits } from "../../base/limits.ts";
import { show } from "../../base/show.ts";
import { Answer } from "../events/answer.ts";
import type { Origin } from "../events/envelope.ts";
import type { HandlerRecord, HandlerStatus, Outcome } from "../events/outcome.ts";
import { HookCall } from "./call.ts";
import type { Hook } from "./definition.ts";
import type { Engine } from "./engine.ts";
import { isThenable, Pending, type Waiter } from "./pending.ts";
import { answerKeys } from "./read-answer.ts";
import { asSwarmError } from "./tally.ts";

/** Calls observers after the decision. Nothing they answer changes it, and nothing they do delays it. */
export class Observers {
  readonly #engine: Engine;
  /** Scheduled or at work: one that hangs holds its payload until its deadline, so it counts as well. */
  open = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  schedule(hook: Hook, outcome: Outcome, origin: Origin | undefined, records: HandlerRecord[] | null): void {
    const observation = new Observation(this.#engine, hook, outcome, origin, records);
    this.open++;
    if (this.open <= limits.queuedObservations) {
      this.#engine.background.later(() => observation.start());
      return;
    }
    const params = { hook: hook.name, event: hook.event, limit: limits.queuedObservations };
    observation.fail("skipped", new SwarmError("SWARM_OBSERVERS_BEHIND", params));
  }
}

/** One observer called for one event. */
class Observation {
  readonly #engine: Engine;
  readonly #hook: Hook;
  readonly #outcome: Outcome;
  readonly #origin: Origin | undefined;
  /** Its place in the outcome's trace, filled in again when it has run. */
  readonly #record: { -readonly [K in keyof HandlerRecord]: HandlerRecord[K] } | null = null;
  #startedAtMs = 0;

  constructor(
    engine: Engine,
    hook: Hook,
    outcome: Outcome,
    origin: Origin | undefined,
    records: HandlerRecord[] | null,
  ) {
    this.#engine = engine;
    this.#hook = hook;
    this.#outcome = outcome;
    this.#origin = origin;
    if (records === null) return;
    const { name, kind, mode } = hook;
    this.#record = { name, kind, mode, status: "scheduled", verdict: "none", reason: null, ms: 0 };
    records.push(this.#record);
  }

  start(): void {
    const hook = this.#hook;
    const origin = this.#origin;
    const data = this.#outcome.data;
    if (this.#record !== null) this.#startedAtMs = this.#engine.clock.monotonicMs();
    try {
      if (!hook.isActive) {
        this.#note("skipped", "it was removed before it could be called");
      } else if (hook.when !== null && !hook.when(data, origin, this.#outcome.decision)) {
        this.#note("skipped", hook.skipReason);
      } else {
        const call = new HookCall(this.#outcome, origin, this.#engine.clock, true);
        this.#await(hook.handler(data, call), call);
      }
    } catch (error) {
      this.fail("failed", asSwarmError(hook, error));
    }
  }

  #await(returned: unknown, call: HookCall): void {
    if (!isThenable(returned)) {
      this.conclude(returned);
      return;
    }
    const answer = Promise.resolve(returned);
    this.#engine.background.enter();
    new Pending(waiter, this, this.#engine.deadlines, this.#hook, call).wait(answer, this.#startedAtMs);
  }

  /** After a wait. */
  leave(pending: Pending<Observation>, conclude: () => void): void {
    pending.end();
    try {
      conclude();
    } catch (error) {
      this.fail("failed", asSwarmError(this.#hook, error)); // an answer that throws when it is looked at
    }
    this.#engine.background.leave();
  }

  fail(status: "failed" | "timed_out" | "skipped", error: SwarmError): void {
    this.#engine.failures.report(this.#hook, this.#outcome, this.#origin, status, error);
    this.#note(status, error.message);
  }

  /** Someone who returns a verdict from an observer believes it has an effect: it must not be lost silently. */
  conclude(returned: unknown): void {
    if (isAnswer(returned)) {
      const problem = `${show(returned)}, expected nothing: an observer runs after the decision`;
      this.fail("failed", new SwarmError("SWARM_ANSWER_INVALID", { hook: this.#hook.name, problem }));
    } else {
      this.#note("completed", null);
    }
  }

  /** Called once, at the end of every observation. */
  #note(status: HandlerStatus, reason: string | null): void {
    this.#engine.observers.open--;
    if (this.#record === null) return;
    this.#record.status = status;
    this.#record.reason = reason;
    this.#record.ms = this.#engine.clock.monotonicMs() - this.#startedAtMs;
    this.#engine.listener.observed?.(this.#outcome, this.#origin, this.#record);
  }
}

function isAnswer(returned: unknown): boolean {
  if (typeof returned !== "object" || returned === null) return false;
  return returned instanceof Answer || answerKeys.some((key) => Object.hasOwn(returned, key));
}

const waiter: Waiter<Observation> = {
  answered: (observation, pending, value) => observation.leave(pending, () => observation.conclude(value)),
  rejected: (observation, pending, error) =>
    observation.leave(pending, () => observation.fail("failed", asSwarmError(pending.hook, error))),
  timedOut: (observation, pending, error) =>
    observation.leave(pending, () => observation.fail("timed_out", error)),
};
