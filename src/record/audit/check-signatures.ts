import { proofProblem } from "../../policy/approvers/check-proof.ts";
import { type ApproverState, followRow, noApprovers } from "../../policy/approvers/history.ts";
import { decisionText } from "../../policy/approvers/message.ts";
import { readSignedDecision } from "../../policy/approvers/read-recorded.ts";
import type { RunEvent } from "../port/run-event.ts";

interface Payload {
  readonly before: string | null;
  readonly after: string | null;
}

/** Follows the approvers row by row from the first, and checks what was approved against the keys of that moment. */
export class SignatureCheck {
  #state: ApproverState = noApprovers;

  /**
   * What is wrong with the row's signature; null when it has a good one, or none and needs none. Most rows have none, and
   * for those there is nothing to wait for.
   */
  problemOf(row: RunEvent, payload: Payload | null): Promise<string | null> | null {
    if (row.kind === "change" && row.event.startsWith("approver.")) return this.#follow(row, payload);
    const isYes = row.kind === "outcome" && row.event === "approval.requested" && row.verdict === "allow";
    return isYes ? this.#checkYes(row, payload) : null;
  }

  async #follow({ seq, before_hash }: RunEvent, payload: Payload | null): Promise<string | null> {
    const followed = await followRow(this.#state, { seq, before_hash, text: payload?.before ?? null });
    this.#state = followed.state;
    return followed.problem === null
      ? null
      : `the change of the approvers in row ${seq} does not count: ${followed.problem}`;
  }

  async #checkYes({ seq, ref, after_hash }: RunEvent, payload: Payload | null): Promise<string | null> {
    if (after_hash === null)
      return this.#state.isPersonRequired
        ? `row ${seq} approves without the signature that was required`
        : null;
    const problem = await this.#problemOfProof(payload?.after ?? null, ref);
    return problem === null ? null : `row ${seq} approves with a signature that does not count: ${problem}`;
  }

  async #problemOfProof(text: string | null, ref: string | null): Promise<string | null> {
    // Payloads expire; that of a signature does not.
    if (text === null) return "it is gone";
    const read = readSignedDecision(text);
    if (read === null) return "it is not a signature";
    const { signed, proof } = read;
    const key = this.#state.keys.find(({ id }) => id === proof.key_id);
    if (key === undefined) return "its key was no approver's";
    if (signed.challenge !== ref) return "it is for another approval";
    if (signed.decision !== "approved") return "it is for another decision";
    return proofProblem(key, decisionText({ ...signed, key_id: key.id }), proof);
  }
}
