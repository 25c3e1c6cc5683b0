import type { Origin } from "../../../engine/events/envelope.ts";
import type { AnyEventName } from "../../../engine/events/names.ts";
import type { Outcome } from "../../../engine/events/outcome.ts";
import type { StoreChange } from "../../../store/port/store.ts";

/** An event that is to be decided and recorded. */
export interface EmitRequest {
  readonly event: AnyEventName;
  readonly data: object;
  readonly origin?: Origin;
  /** Who has caused it; when left out, whom its origin names. */
  readonly actor?: string;
  /** Whether the caller waits for a person's decision itself, as a run does: then `ask` stays `ask`, whoever has to decide. */
  readonly waitsForPerson?: boolean;
  /** Written in one transaction with the event's row. */
  readonly changes?: readonly StoreChange[];
}

/** Decides an event by the files as they are now, and records it before it resolves. */
export type Emit = (request: EmitRequest) => Promise<Outcome>;
