import type { Clock } from "../../base/clock.ts";
import type { Decision } from "../events/decision.ts";
import { type Envelope, envelope, type Origin } from "../events/envelope.ts";
import type { EventName } from "../events/names.ts";
import type { Outcome } from "../events/outcome.ts";

/** The second argument of a handler: which event it is called for, and a signal that tells it to give up. */
export class HookCall<E extends EventName = EventName> {
  readonly #outcome: Outcome<E>;
  readonly #origin: Origin | undefined;
  readonly #clock: Clock;
  readonly #isDecided: boolean;
  /** The controller once the signal was read; the reason if the call was aborted before that. */
  #abort: AbortController | Error | null = null;

  /** `isDecided`: the handler is called after the decision. */
  constructor(outcome: Outcome<E>, origin: Origin | undefined, clock: Clock, isDecided = false) {
    this.#outcome = outcome;
    this.#origin = origin;
    this.#clock = clock;
    this.#isDecided = isDecided;
  }

  get event(): E {
    return this.#outcome.event;
  }

  /** The event's id, the same for all its handlers and its outcome. */
  get id(): string {
    return this.#outcome.id;
  }

  /** On the engine's monotonic clock; see `Origin`. */
  get answerByMs(): number | undefined {
    return this.#origin?.answerByMs;
  }

  /** What was decided, for observers; undefined for whoever has a say in it. */
  get decision(): Decision | undefined {
    return this.#isDecided ? this.#outcome.decision : undefined;
  }

  get origin(): Origin {
    return this.#origin ?? {};
  }

  /**
   * Aborted when the handler's deadline passes or its answer is no longer needed. Made when first read: a controller
   * costs 3 µs, more than a whole emit.
   */
  get signal(): AbortSignal {
    if (this.#abort instanceof AbortController) return this.#abort.signal;
    const controller = new AbortController();
    if (this.#abort !== null) controller.abort(this.#abort);
    this.#abort = controller;
    return controller.signal;
  }

  /** The event in the form handlers outside this process receive it. */
  envelope(data: unknown): Envelope {
    return envelope(this.event, this.id, this.#clock.now(), this.#origin, data, this.decision);
  }

  /** @internal Whether its signal was looked at, or was to be aborted: then it is one handler's alone. */
  get isWatched(): boolean {
    return this.#abort !== null;
  }

  /** @internal */
  abort(reason: Error): void {
    if (this.#abort instanceof AbortController) this.#abort.abort(reason);
    else this.#abort = reason;
  }
}
