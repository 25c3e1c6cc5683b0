import { proofProblem } from "../approvers/check-proof.ts";
import { type ApproverState, noApprovers, readHistory } from "../approvers/history.ts";
import { type DecisionMessage, decisionText, type Proof } from "../approvers/message.ts";
import type { RunEvent } from "../ports/run-event.ts";

interface Payload {
  readonly before: string | null;
  readonly after: string | null;
}

/** Follows who the approvers were, row by row from the first, and checks what was approved against their keys. */
export class SignatureCheck {
  #rows: { seq: number; before_hash: string | null; text: string | null }[] = [];
  #state: ApproverState = noApprovers;

  /**
   * What is wrong with the row's signature; null when it has a good one, or none and needs none. Most rows have none, and
   * nothing is waited for then.
   */
  problemOf(row: RunEvent, payload: Payload | null): Promise<string | null> | null {
    if (row.kind === "change" && row.event.startsWith("approver.")) return this.#follow(row, payload);
    const isYes = row.kind === "outcome" && row.event === "approval.requested" && row.verdict === "allow";
    return isYes ? this.#checkYes(row, payload) : null;
  }

  async #follow({ seq, before_hash }: RunEvent, payload: Payload | null): Promise<string | null> {
    this.#rows.push({ seq, before_hash, text: payload?.before ?? null });
    const { refused, ...state } = await readHistory(this.#rows);
    this.#state = state;
    const found = refused.find((one) => one.seq === seq);
    return found === undefined
      ? null
      : `the change of the approvers in row ${seq} does not count: ${found.problem}`;
  }

  async #checkYes({ seq, ref, after_hash }: RunEvent, payload: Payload | null): Promise<string | null> {
    if (after_hash === null)
      return this.#state.isPersonRequired
        ? `row ${seq} approves without the signature that was required`
        : null;
    // What was signed has expired with the payload; its hash is all that is left.
    if (payload === null || payload.after === null) return null;
    const problem = await this.#problemOfProof(payload.after, ref);
    return problem === null ? null : `row ${seq} approves with a signature that is none: ${problem}`;
  }

  async #problemOfProof(text: string, ref: string | null): Promise<string | null> {
    const { signed, proof } = JSON.parse(text) as { signed?: DecisionMessage; proof?: Proof };
    const key = this.#state.keys.find(({ id }) => id === proof?.key_id);
    if (signed === undefined || proof === undefined || key === undefined) return "its key was no approver's";
    if (signed.challenge !== ref) return "it is for another approval";
    return proofProblem(key, decisionText({ ...signed, key_id: key.id }), proof);
  }
}
