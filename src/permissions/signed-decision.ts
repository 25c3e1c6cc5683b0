import { hash } from "node:crypto";
import { type DecisionMessage, type Proof, subjectToSign } from "../approvers/message.ts";
import { readStoredProof } from "../approvers/read-recorded.ts";
import type { Clock } from "../base/clock.ts";
import { SwarmError } from "../base/errors.ts";
import type { Approval, ApprovalStore } from "../ports/approval-store.ts";
import { digestOf, type Question, subjectText } from "./question.ts";

/** Whether a decision takes the signature of an approver's key, and whether a signature is one. */
export interface PersonCheck {
  isRequired(): Promise<boolean>;
  /** Why it is none; null when it is. */
  problemOf(message: DecisionMessage, proof: Proof): Promise<string | null>;
}

/** Compares a question and its decision with the rows of the record they were written with. */
export interface RecordCheck {
  /** Why the record does not say the same; null when it does. */
  problemOfApproval(approval: Approval): Promise<string | null>;
}

/** A signature with the two times it covers. */
export interface SignedDecision extends Proof {
  readonly decided_at: string;
  readonly expires_at: string;
}

interface Checks {
  readonly store: ApprovalStore;
  readonly person: PersonCheck;
  readonly record: RecordCheck;
  readonly clock: Clock;
  readonly ttlMs: () => number;
}

/** How far the clock of whoever signed may be off. */
const maxSkewMs = 300_000;

/** Refuses a yes to a question that was changed since it was asked, and one that has to be signed and is not. */
export async function checkYes(
  { person, record, clock, ttlMs }: Checks,
  approval: Approval,
  comment: string | null,
  signed: SignedDecision | null,
): Promise<void> {
  const problem = await findProblem();
  if (problem !== null) throw new SwarmError("SWARM_APPROVAL_NEEDS_PERSON", { id: approval.id, problem });
  const altered = await record.problemOfApproval(approval);
  if (altered !== null) throw new SwarmError("SWARM_APPROVAL_ALTERED", { id: approval.id, problem: altered });

  async function findProblem(): Promise<string | null> {
    if (signed === null) return (await person.isRequired()) ? "it has no signature" : null;
    const [decidedMs, expiresMs] = [Date.parse(signed.decided_at), Date.parse(signed.expires_at)];
    if (!(Math.abs(clock.now() - decidedMs) <= maxSkewMs)) return "it was not signed just now";
    if (!(expiresMs > clock.now() && expiresMs - decidedMs <= ttlMs()))
      return "it would hold longer than approvals.ttl_s allows";
    return person.problemOf(messageOf(approval, comment, signed), signed);
  }
}

/**
 * Why a yes does not count for this call; null when it does. It is looked at again when it is used, because whoever can
 * write the database could have written the yes. What was signed is compared with the call that is to pass, not with what
 * the database says was asked.
 */
export async function problemAtUse(
  { store, person, record }: Checks,
  approval: Approval,
  question: Question,
): Promise<string | null> {
  if (await store.hasUse(approval.intent_id)) return "it was used before";
  if (!(await person.isRequired())) return record.problemOfApproval(approval);
  const proof = readStoredProof(approval.signature);
  if (proof === null) return "no approver has signed it";
  const asked = { ...approval, digest: digestOf(question), subject: subjectText(question) };
  const { decided_at, expires_at, comment } = approval;
  const times = { decided_at: decided_at ?? "", expires_at };
  const problem = await person.problemOf(messageOf(asked, comment, { ...proof, ...times }), proof);
  return problem ?? record.problemOfApproval(approval);
}

/** What a signature of this decision has to cover. */
export function messageOf(
  { id, intent_id, digest, subject }: Approval,
  comment: string | null,
  { decided_at, expires_at, key_id }: SignedDecision,
): DecisionMessage {
  const shown = subjectToSign(JSON.parse(subject) as Record<string, unknown>);
  return {
    approval_id: id,
    challenge: intent_id,
    digest,
    subject_sha256: hash("sha256", shown, "hex"),
    decision: "approved",
    comment,
    decided_at,
    expires_at,
    key_id,
  };
}
