import { SwarmError } from "../../base/errors.ts";
import type {
  Approval,
  ApprovalChange,
  ApprovalDecided,
  ApprovalQuery,
  ApprovalStore,
  NewApproval,
} from "../../policy/approvals/port/approval-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteApprovalStore implements ApprovalStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async find(id: string): Promise<Approval | null> {
    return this.#find(id);
  }

  async findInForce(digest: string, now: string): Promise<Approval | null> {
    const [found] = this.#file.all<Approval>("find-approval-in-force", { digest, now });
    return found ?? null;
  }

  async findLatest(digest: string): Promise<Approval | null> {
    return this.#file.one<Approval>("find-latest-approval", digest);
  }

  async list({ limit, beforeSeq = Number.MAX_SAFE_INTEGER, status }: ApprovalQuery): Promise<Approval[]> {
    return this.#file.all<Approval>("list-approvals", {
      before_seq: beforeSeq,
      status: status ?? null,
      limit,
    });
  }

  async ofTask(task: string): Promise<Approval[]> {
    return this.#file.all<Approval>("approvals-of-task", task);
  }

  async lapsed(now: string): Promise<Approval[]> {
    return this.#file.all<Approval>("lapsed-approvals", { now });
  }

  async nextLapse(): Promise<string | null> {
    return this.#file.one<{ expires_at: string | null }>("next-approval-lapse")?.expires_at ?? null;
  }

  async hasUse(intentId: string): Promise<boolean> {
    return this.#file.one("find-use-of-approval", intentId) !== null;
  }

  async lastSignatureBy(keyId: string): Promise<string | null> {
    return this.#file.one<{ signature: string }>("last-signature-by-key", keyId)?.signature ?? null;
  }

  /** Within the transaction of the row that tells of it. */
  apply(change: ApprovalChange): void {
    switch (change.kind) {
      case "approval_asked":
        this.#ask(change.row);
        return;
      case "approval_decided":
        this.#decide(change);
        return;
      case "approval_used": {
        const { id, time } = change;
        if (this.#file.run("use-approval", time, id, time) === 0)
          throw new SwarmError("SWARM_APPROVAL_USED", { id });
      }
    }
  }

  #ask(row: NewApproval): void {
    const { id, digest, event, kind, name, rule, reason, subject, session, agent, task, cwd, source } = row;
    const what = [id, digest, event, kind, name, rule, reason, subject, session, agent, task, cwd, source];
    const when = [row.requested_by, row.requested_at, row.expires_at, row.intent_id];
    if (this.#file.run("add-approval", ...what, ...when) === 0) {
      throw new SwarmError("SWARM_APPROVAL_PENDING", { name });
    }
  }

  #decide({ id, status, time, by, comment, expires_at, signature }: ApprovalDecided): void {
    if (this.#file.run("decide-approval", status, time, by, comment, expires_at, signature, id) > 0) return;
    const found = this.#find(id);
    if (found === null) throw new SwarmError("SWARM_APPROVAL_UNKNOWN", { id });
    const decided = found.status === "used" ? "approved" : found.status;
    throw new SwarmError("SWARM_APPROVAL_DECIDED", { id, decided, by: found.decided_by ?? "nobody" });
  }

  #find(id: string): Approval | null {
    return this.#file.one<Approval>("find-approval", id);
  }
}
