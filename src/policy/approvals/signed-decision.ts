import { hash } from "node:crypto";
import { type DecisionMessage, type Proof, subjectToSign } from "../approvers/message.ts";
import { readStoredProof } from "../approvers/read-recorded.ts";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { originFields } from "../../engine/events/envelope.ts";
import type { Approval, ApprovalStore } from "./port/approval-store.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import { digestOf, type Question, subjectText } from "./question.ts";

/** Whether a decision takes the signature of an approver's key, and whether a signature is one. */
export interface PersonCheck {
  isRequired(): Promise<boolean>;
  /** Why it is none; null when it is. */
  problemOf(message: DecisionMessage, proof: Proof): Promise<string | null>;
  /** Why it was not made just now on the page browsers use, where it was made by a passkey; null when it was. */
  freshProblem(proof: Proof, page: string | null): Promise<string | null>;
  /** Called when a signature was accepted. */
  keepCounter(proof: Proof): Promise<void>;
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
  readonly audit: Audit;
  readonly clock: Clock;
  readonly ttlMs: () => number;
}

/** How far the clock of whoever signed may be off. */
const maxSkewMs = 300_000;

/** A yes as somebody gives it. */
interface GivenYes {
  readonly comment: string | null;
  readonly signed: SignedDecision | null;
  /** Where browsers find the dashboard. */
  readonly page: string | null;
  readonly by: string;
}

/** Refuses a yes to a question that was changed since it was asked, and one that has to be signed and is not. */
export async function checkYes(checks: Checks, approval: Approval, given: GivenYes): Promise<void> {
  const { id } = approval;
  const problem = await problemOfYes(checks, approval, given);
  const altered = problem === null ? await checks.record.problemOfApproval(approval) : null;
  const found = problem ?? altered;
  if (found === null) return;
  await recordRefusal(checks.audit, approval, found, given.by, approval);
  throw new SwarmError(altered === null ? "SWARM_APPROVAL_NEEDS_PERSON" : "SWARM_APPROVAL_ALTERED", {
    id,
    problem: found,
  });
}

async function problemOfYes(
  { person, clock, ttlMs }: Checks,
  approval: Approval,
  { comment, signed, page }: GivenYes,
): Promise<string | null> {
  if (signed === null) return (await person.isRequired()) ? "it has no signature" : null;
  const [decidedMs, expiresMs] = [Date.parse(signed.decided_at), Date.parse(signed.expires_at)];
  if (!(Math.abs(clock.now() - decidedMs) <= maxSkewMs)) return "it was not signed just now";
  if (!(expiresMs > clock.now())) return "it holds no more";
  if (!(expiresMs - decidedMs <= ttlMs())) return "it would hold longer than approvals.ttl_s allows";
  const stale = await person.freshProblem(signed, page);
  return stale ?? person.problemOf(messageOf(approval, comment, signed), signed);
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

/** A yes that was not taken is a row of the record: an agent may have tried to approve its own call. */
export async function recordRefusal(
  audit: Audit,
  { id, intent_id: ref }: Approval,
  problem: string,
  actor: string,
  asker: Parameters<typeof originFields>[0],
): Promise<void> {
  const event: RecordedChange = "approval.refused";
  const reason = `${id} does not count: ${problem}`;
  const entry = { event, ref, actor, reason, ...originFields(asker) } as const;
  await audit.record({ ...entry, kind: "change", outcome: "denied", verdict: "deny" });
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
