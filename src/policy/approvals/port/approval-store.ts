import type { OriginFields } from "../../../engine/events/envelope.ts";
/**
 * pending → approved → used, pending → denied, pending → expired. A decision is made once; an approval is used once, by
 * the call it was given for.
 */
export const approvalStatuses = ["pending", "approved", "denied", "expired", "used"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** Something a person is asked to decide. */
export interface Approval extends OriginFields {
  readonly seq: number;
  readonly id: string;
  /** SHA-256 in hex of exactly what was asked. */
  readonly digest: string;
  readonly status: ApprovalStatus;
  readonly event: string;
  /** Of tool, task or processor. */
  readonly kind: string | null;
  /** Of the tool, job, run or branch. */
  readonly name: string;
  /** Who asked: a rule (`policy:ID`) or a hook. */
  readonly rule: string | null;
  readonly reason: string | null;
  /** What was asked, as JSON, secrets replaced. */
  readonly subject: string;
  readonly requested_by: string;
  /** Times are ISO 8601 in UTC. */
  readonly requested_at: string;
  /** When the question lapses; once decided, when the decision does. */
  readonly expires_at: string;
  /** The row of the record that announced it. */
  readonly intent_id: string;
  readonly decided_at: string | null;
  readonly decided_by: string | null;
  /** What they said. */
  readonly comment: string | null;
  readonly used_at: string | null;
  /** The approver's signature, as JSON; null where none was asked for. */
  readonly signature: string | null;
}

export type NewApproval = Omit<
  Approval,
  "seq" | "status" | "decided_at" | "decided_by" | "comment" | "used_at" | "signature"
>;

export interface ApprovalQuery {
  readonly limit: number;
  readonly beforeSeq?: number | undefined;
  readonly status?: ApprovalStatus | undefined;
}

export interface ApprovalStore {
  find(id: string): Promise<Approval | null>;
  /** The newest for a digest that is pending, or was decided and has neither lapsed nor been used. */
  findInForce(digest: string, now: string): Promise<Approval | null>;
  /** The newest for a digest, whatever became of it. */
  findLatest(digest: string): Promise<Approval | null>;
  /** Newest first. */
  list(query: ApprovalQuery): Promise<Approval[]>;
  /** All that were asked for this task, oldest first. */
  ofTask(task: string): Promise<Approval[]>;
  /** Pending ones whose time is over, oldest first; a hundred at a time. */
  lapsed(now: string): Promise<Approval[]>;
  /** When the next pending one lapses; null when none is pending. */
  nextLapse(): Promise<string | null>;
  /** Whether the record has a row of its use, whatever the approval's own row says. */
  hasUse(intentId: string): Promise<boolean>;
  /** The newest signature made with this key. */
  lastSignatureBy(keyId: string): Promise<string | null>;
}

/** Throws SWARM_APPROVAL_PENDING when the same is asked already. */
export interface ApprovalAsked {
  readonly kind: "approval_asked";
  readonly row: NewApproval;
}

/** Throws SWARM_APPROVAL_UNKNOWN or SWARM_APPROVAL_DECIDED: one decision is made, whoever else tries. */
export interface ApprovalDecided {
  readonly kind: "approval_decided";
  readonly id: string;
  readonly status: "approved" | "denied" | "expired";
  readonly time: string;
  readonly by: string;
  readonly comment: string | null;
  readonly expires_at: string;
  readonly signature: string | null;
}

/** Throws SWARM_APPROVAL_USED when it is not approved any more: another call came first, or it has lapsed. */
export interface ApprovalUsed {
  readonly kind: "approval_used";
  readonly id: string;
  readonly time: string;
}

export type ApprovalChange = ApprovalAsked | ApprovalDecided | ApprovalUsed;
