import type { Decision } from "../events/decision.ts";
import type { Envelope, Origin } from "../events/envelope.ts";
import type { EventName } from "../events/names.ts";

/**
 * What every kind of handler comes down to: a function of the payload that answers, or fails by throwing. The engine
 * calls it, keeps its deadline and decides what a failure means; a kind only has to do its work and watch the signal.
 */
export type HandlerFunction = (data: Readonly<Record<string, unknown>>, call: HandlerCall) => unknown;

/** Which event a handler is called for. */
export interface HandlerCall {
  readonly event: EventName;
  readonly id: string;
  readonly origin: Origin;
  /** What was decided, for observers; undefined for whoever has a say in it. */
  readonly decision?: Decision | undefined;
  /** Aborted at the deadline, or when the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** The event in the form programs outside this process receive it. */
  envelope(data: unknown): Envelope;
}
