import { SwarmError } from "../base/errors.ts";
import type { HookCall } from "./call.ts";
import { Deadline, type Deadlines } from "./deadline.ts";
import type { Hook } from "./definition.ts";

/** Whoever waits for a handler; told exactly once how each wait ended. */
export interface Waiter {
  answered(pending: Pending, value: unknown): void;
  rejected(pending: Pending, error: unknown): void;
  timedOut(pending: Pending, error: SwarmError): void;
}

/** A handler that returned a promise. After `end` or its deadline nothing it still says is heard. */
export class Pending extends Deadline {
  readonly #waiter: Waiter;
  readonly #deadlines: Deadlines;
  #isOver = false;
  hook!: Hook;
  call!: HookCall;
  startedAtMs = 0;

  constructor(waiter: Waiter, deadlines: Deadlines) {
    super();
    this.#waiter = waiter;
    this.#deadlines = deadlines;
  }

  /** May be called again once answered: handlers in series share one of these, and its two callbacks. */
  wait(hook: Hook, call: HookCall, promise: PromiseLike<unknown>): void {
    this.hook = hook;
    this.call = call;
    this.startedAtMs = this.#deadlines.start(this, hook.timeoutMs);
    // A foreign thenable may answer twice or throw; a native promise does neither.
    const native = promise instanceof Promise ? promise : Promise.resolve(promise);
    void native.then(this.#onAnswer, this.#onError);
  }

  /** Stops listening, and tells the handler so if it is still at work. */
  cancel(reason: Error): void {
    this.end();
    this.call.abort(reason);
  }

  end(): void {
    this.#isOver = true;
    this.#deadlines.lift(this);
  }

  expire(): void {
    const { name, timeoutMs } = this.hook;
    const error = new SwarmError("SWARM_HANDLER_TIMED_OUT", { hook: name, timeoutMs });
    this.cancel(error);
    this.#waiter.timedOut(this, error);
  }

  readonly #onAnswer = (value: unknown): void => {
    if (!this.#isOver) this.#waiter.answered(this, value);
  };

  readonly #onError = (error: unknown): void => {
    if (!this.#isOver) this.#waiter.rejected(this, error);
  };
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
  );
}
