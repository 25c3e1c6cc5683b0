import { SwarmError } from "../../base/errors.ts";
import type {
  Approval,
  ApprovalChange,
  ApprovalDecided,
  ApprovalQuery,
  ApprovalStore,
} from "../../policy/approvals/port/approval-store.ts";
import { approvalStatements } from "../sql/approvals.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";
import { sqliteApprovals } from "./statements.ts";

const statements = { ...approvalStatements, ...sqliteApprovals };

export class SqliteApprovalStore implements ApprovalStore {
  readonly changes: ChangeWriters<ApprovalChange> = {
    approval_asked: ({ row }) => {
      if (this.#sql.insert.run(row) === 0) throw new SwarmError("SWARM_APPROVAL_PENDING", { name: row.name });
    },
    approval_decided: (change) => this.#decide(change),
    approval_used: ({ id, time }) => {
      if (this.#sql.use.run({ id, time }) === 0) throw new SwarmError("SWARM_APPROVAL_USED", { id });
    },
  };
  readonly #sql: Statements<typeof statements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(statements);
  }

  async find(id: string): Promise<Approval | null> {
    return this.#find(id);
  }

  async findInForce(digest: string, now: string): Promise<Approval | null> {
    return this.#sql.findInForce.one<Approval>({ digest, now });
  }

  async findLatest(digest: string): Promise<Approval | null> {
    return this.#sql.findLatest.one<Approval>({ digest });
  }

  async list({ limit, beforeSeq = Number.MAX_SAFE_INTEGER, status }: ApprovalQuery): Promise<Approval[]> {
    const page = { before_seq: beforeSeq, limit };
    if (status === undefined) return this.#sql.list.all<Approval>(page);
    return this.#sql.listOfStatus.all<Approval>({ ...page, status });
  }

  async ofTask(task: string): Promise<Approval[]> {
    return this.#sql.ofTask.all<Approval>({ task });
  }

  async lapsed(now: string): Promise<Approval[]> {
    return this.#sql.lapsed.all<Approval>({ now });
  }

  async nextLapse(): Promise<string | null> {
    return this.#sql.nextLapse.one<{ expires_at: string | null }>()?.expires_at ?? null;
  }

  async hasUse(intentId: string): Promise<boolean> {
    return this.#sql.findUse.one({ intent_id: intentId }) !== null;
  }

  async lastSignatureBy(keyId: string): Promise<string | null> {
    return this.#sql.lastSignatureBy.one<{ signature: string }>({ key_id: keyId })?.signature ?? null;
  }

  #decide(change: ApprovalDecided): void {
    if (this.#sql.decide.run(change) > 0) return;
    const { id } = change;
    const found = this.#find(id);
    if (found === null) throw new SwarmError("SWARM_APPROVAL_UNKNOWN", { id });
    const decided = found.status === "used" ? "approved" : found.status;
    throw new SwarmError("SWARM_APPROVAL_DECIDED", { id, decided, by: found.decided_by ?? "nobody" });
  }

  #find(id: string): Approval | null {
    return this.#sql.find.one<Approval>({ id });
  }
}
