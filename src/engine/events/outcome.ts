import { newId } from "../../base/ids.ts";
import { type Decision, noDecision, type Verdict } from "./decision.ts";
import { type EventName, type Payload, rowOf } from "./names.ts";

/** How a handler's call ended. `scheduled`: an observer that has not run yet; its record changes when it has. */
export const handlerStatuses = [
  "completed",
  "denied",
  "failed",
  "timed_out",
  "cancelled",
  "skipped",
  "scheduled",
] as const;
export type HandlerStatus = (typeof handlerStatuses)[number];

export const modes = ["transform", "guard", "observe"] as const;
export type Mode = (typeof modes)[number];

/** One handler's part in an outcome. */
export interface HandlerRecord {
  readonly name: string;
  readonly kind: string;
  readonly mode: Mode;
  readonly status: HandlerStatus;
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/** What stands in place of a denied action's result. */
export interface DeniedResult {
  readonly status: string;
  readonly hook: string;
  readonly reason: string;
}

/** The question a person was asked, where the decision was to ask. */
export interface ApprovalRef {
  readonly id: string;
  readonly status: string;
  /** ISO 8601; when it lapses. */
  readonly expires_at: string;
}

const noHandlers: readonly HandlerRecord[] = Object.freeze([]);

/** What became of an event. */
export class Outcome<E extends EventName = EventName> {
  readonly event: E;
  /** The payload after all rewrites; the caller's own object when there were none. */
  data: Payload<E>;
  decision: Decision = noDecision;
  /** One record per handler, when the engine traces. */
  handlers: readonly HandlerRecord[] = noHandlers;
  approval: ApprovalRef | null = null;
  #id: string | null = null;

  constructor(event: E, data: Payload<E>) {
    this.event = event;
    this.data = data;
  }

  /** Made when first read: most outcomes are looked at and thrown away. */
  get id(): string {
    this.#id ??= newId("evt");
    return this.#id;
  }

  /** What to use in place of the action's result; only where the action was denied and its caller needs one. */
  get result(): DeniedResult | undefined {
    const { verdict, hook, reason } = this.decision;
    const status = verdict === "deny" ? rowOf(this.event).deniedStatus : null;
    return status === null ? undefined : { status, hook: hook ?? "", reason: reason ?? "" };
  }

  toJSON(): Record<string, unknown> {
    const { event, id, decision, data, result, approval, handlers } = this;
    return {
      event,
      id,
      decision,
      data,
      ...(result !== undefined && { result }),
      ...(approval !== null && { approval }),
      handlers,
    };
  }
}
