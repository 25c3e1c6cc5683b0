import type { Verdict } from "../events/decision.ts";
import type { HandlerRecord } from "../events/outcome.ts";

/** What is kept of one event: who decided what, and what each hook did. Payloads are not part of it. */
export interface RunEvent {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly event: string;
  readonly session: string | null;
  readonly agent: string | null;
  readonly cwd: string | null;
  readonly source: string | null;
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly hook: string | null;
  readonly handlers: readonly HandlerRecord[];
}

/** Where run events are kept. */
export interface Audit {
  append(runEvent: RunEvent): void;
  /** The newest run events, newest first; at least as many as fit into the last mebibyte. */
  newest(): RunEvent[];
}
