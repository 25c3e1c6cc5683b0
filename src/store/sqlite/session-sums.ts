import type { RunEvent } from "../../record/port/run-event.ts";
import type { SessionSummary } from "../port/store.ts";

/** What these rows, oldest first, add to each of their sessions. */
export function sumUpSessions(rows: readonly RunEvent[]): Iterable<SessionSummary> {
  const sums = new Map<string, SessionSummary>();
  for (const row of rows) {
    const { seq: last_seq, session, time, agent, source, cwd, verdict } = row;
    if (session === null) continue;
    const sum = sums.get(session);
    sums.set(session, {
      session,
      started_at: sum === undefined || time < sum.started_at ? time : sum.started_at,
      last_at: sum === undefined || time > sum.last_at ? time : sum.last_at,
      last_seq,
      events: (sum?.events ?? 0) + 1,
      denials: (sum?.denials ?? 0) + Number(verdict === "deny"),
      agent: agent ?? sum?.agent ?? null,
      source: source ?? sum?.source ?? null,
      cwd: cwd ?? sum?.cwd ?? null,
    });
  }
  return sums.values();
}
