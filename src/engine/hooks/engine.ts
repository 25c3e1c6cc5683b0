import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Origin } from "../events/envelope.ts";
import type { EventName, Payload } from "../events/names.ts";
import type { HandlerRecord, Outcome } from "../events/outcome.ts";
import { Background } from "./background.ts";
import { Deadlines } from "./deadline.ts";
import { dispatch } from "./dispatch.ts";
import { Failures } from "./failures.ts";
import { Observers } from "./observers.ts";
import { Registry } from "./registry.ts";

/** Told of what happens after, or without, an answer to somebody's emit. */
export interface EngineListener {
  /** An observer's call is over; only when the engine traces. */
  observed?(outcome: Outcome, origin: Origin | undefined, record: HandlerRecord): void;
  /** The engine itself emitted: `hook.failed`. */
  emitted?(outcome: Outcome, origin: Origin | undefined): void;
}

/** What the events of one engine share. */
export class Engine {
  readonly registry = new Registry();
  readonly background = new Background();
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly failures: Failures;
  readonly observers: Observers;
  readonly isTracing: boolean;
  readonly isValidating: boolean;
  readonly listener: EngineListener;

  constructor(
    clock: Clock,
    log: Log,
    isTracing: boolean,
    isValidating: boolean,
    listener: EngineListener = {},
  ) {
    this.clock = clock;
    this.listener = listener;
    this.deadlines = new Deadlines(clock);
    this.failures = new Failures(this, log);
    this.observers = new Observers(this);
    this.isTracing = isTracing;
    this.isValidating = isValidating;
  }

  isHeard(event: EventName): boolean {
    return this.registry.ofEvent(event).hooks.length > 0;
  }

  emit<E extends EventName>(event: E, data: Payload<E>, origin?: Origin): Outcome | Promise<Outcome> {
    return dispatch(this, this.registry.ofEvent(event), data, origin);
  }
}
