import { type GuardVerdict, guardVerdicts } from "../../agents/port/guard-verdict.ts";
import type { RecordedChange } from "../port/run-event.ts";
import type { Store } from "../../store/port/store.ts";

/** What the record tells of an agent's guards. */
export interface AgentProof {
  readonly agent: string;
  /** Null: never verified. */
  readonly verdict: GuardVerdict | null;
  readonly verified_at: string | null;
  /** What was seen, or what to do about it. */
  readonly detail: string | null;
  /** Its entries were put in, renewed or taken out after that: it may be otherwise by now. */
  readonly is_outdated: boolean;
}

const entryChanges: readonly RecordedChange[] = ["agent.installed", "agent.reinstalled", "agent.uninstalled"];

/** When this agent was last verified and what came out; null when the record has nothing of it. */
export async function agentProof(store: Store, agent: string): Promise<AgentProof | null> {
  const proven: RecordedChange = "guard.verified";
  const verified = await store.lastChange(proven, agent);
  const changes = await Promise.all(entryChanges.map((event) => store.lastChange(event, agent)));
  const lastSeq = Math.max(0, ...changes.map((change) => change?.seq ?? 0));
  if (verified === null) {
    if (lastSeq === 0) return null;
    return { agent, verdict: null, verified_at: null, detail: null, is_outdated: true };
  }
  const verdict = guardVerdicts.find((word) => verified.reason?.startsWith(`${word}:`)) ?? "not provable";
  return {
    agent,
    verdict,
    verified_at: verified.time,
    detail: verified.reason?.slice(verdict.length + 2) ?? null,
    is_outdated: lastSeq > verified.seq,
  };
}
