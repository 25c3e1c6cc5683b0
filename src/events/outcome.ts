import { newId } from "../base/ids.ts";
import { type Decision, noDecision, type Verdict } from "./decision.ts";
import type { EventName, Payload } from "./names.ts";

/** How a handler's call ended. `scheduled`: an observer that has not run yet; its record changes when it has. */
export type HandlerStatus =
  | "completed"
  | "denied"
  | "failed"
  | "timed_out"
  | "cancelled"
  | "skipped"
  | "scheduled";

export const modes = ["transform", "guard", "observe"] as const;
export type Mode = (typeof modes)[number];

/** One handler's part in an outcome. */
export interface HandlerRecord {
  readonly name: string;
  readonly kind: string;
  readonly mode: Mode;
  status: HandlerStatus;
  verdict: Verdict;
  reason: string | null;
  /** How long it took, in milliseconds. */
  ms: number;
}

/** What stands in place of a denied action's result. */
export interface DeniedResult {
  readonly status: string;
  readonly hook: string;
  readonly reason: string;
}

const noHandlers: readonly HandlerRecord[] = Object.freeze([]);

/** What became of an event. */
export class Outcome<E extends EventName = EventName> {
  readonly event: E;
  readonly decision: Decision = noDecision;
  /** The payload after all rewrites; the caller's own object when there were none. */
  readonly data: Payload<E>;
  readonly result: DeniedResult | undefined = undefined;
  /** One record per handler, when the engine traces. */
  readonly handlers: readonly HandlerRecord[] = noHandlers;
  #id: string | undefined = undefined;

  constructor(event: E, data: Payload<E>) {
    this.event = event;
    this.data = data;
  }

  /** Made when first read: most outcomes are looked at and thrown away. */
  get id(): string {
    this.#id ??= newId("evt");
    return this.#id;
  }

  toJSON(): Record<string, unknown> {
    const { event, id, decision, data, result, handlers } = this;
    return result === undefined
      ? { event, id, decision, data, handlers }
      : { event, id, decision, data, result, handlers };
  }
}
