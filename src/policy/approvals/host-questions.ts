import type { Origin } from "../../engine/events/envelope.ts";
import type { Outcome } from "../../engine/events/outcome.ts";

const maxKept = 1_000;

/**
 * Questions that were handed to agents which ask their user themselves. That the tool then ran is the answer; a no
 * is never told, and the question lapses.
 */
export class HostQuestions {
  /** Approval by call. */
  readonly #asked = new Map<string, string>();

  /** Keeps in mind what the agent was told to ask. */
  note({ event, data, decision, approval }: Outcome, origin: Origin): void {
    const key = event === "tool.before" ? keyOf(data, origin) : null;
    if (key === null || approval?.status !== "pending" || decision.verdict !== "ask") return;
    this.#asked.set(key, approval.id);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > maxKept && oldest !== undefined) this.#asked.delete(oldest);
  }

  /** The approval whose call has run after all; null for any other event. */
  answeredBy({ event, data }: Outcome, origin: Origin): string | null {
    if (this.#asked.size === 0 || (event !== "tool.after" && event !== "tool.failed")) return null;
    const key = keyOf(data, origin);
    const approval = key === null ? undefined : this.#asked.get(key);
    if (key === null || approval === undefined) return null;
    this.#asked.delete(key);
    return approval;
  }
}

function keyOf(data: object, { session, source }: Origin): string | null {
  const { tool_use_id: call } = data as { tool_use_id?: unknown };
  return typeof call === "string" && session !== undefined ? JSON.stringify([source, session, call]) : null;
}
