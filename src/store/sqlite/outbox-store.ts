import { SwarmError } from "../../base/errors.ts";
import {
  type ClaimedTarget,
  type ClaimQuery,
  type Delivery,
  type DeliveryQuery,
  mostCounted,
  type NewDelivery,
  type OutboxChange,
  type OutboxStore,
  type OutboxTotals,
  type PendingDelivery,
  type RenewQuery,
  type Target,
  type TargetProgress,
} from "../../operations/webhooks/port/outbox-store.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import { outboxStatements } from "../sql/webhooks.ts";
import type { SqliteFile } from "./sqlite-file.ts";
import { sqliteOutbox } from "./statements.ts";

const statements = { ...outboxStatements, ...sqliteOutbox };

export class SqliteOutbox implements OutboxStore {
  readonly changes: ChangeWriters<OutboxChange> = {
    outbox_enqueue: ({ deliveries }) => this.#enqueue(deliveries),
    outbox_settle: (progress) => this.#settle(progress),
    outbox_replay: ({ id, nowMs }) => this.#replay(id, nowMs),
  };
  readonly #sql: Statements<typeof statements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(statements);
  }

  #enqueue(deliveries: readonly NewDelivery[]): void {
    for (const delivery of deliveries) this.#sql.insert.run(delivery);
    // In one statement for all that were made together: one for each takes twice as long.
    for (const [atMs, together] of Map.groupBy(deliveries, ({ created_at_ms }) => created_at_ms))
      this.#wake(together, atMs);
  }

  #wake(targets: readonly { readonly target: string }[], atMs: number): void {
    const names = JSON.stringify(targets.map(({ target }) => target));
    this.#sql.wakeTargets.run({ next_at_ms: atMs, targets: names });
  }

  async claim({ owner, nowMs, leaseUntilMs, limit }: ClaimQuery): Promise<ClaimedTarget[]> {
    const values = { owner, now_ms: nowMs, lease_until_ms: leaseUntilMs, limit };
    return this.#sql.claimTargets.all<ClaimedTarget>(values);
  }

  async renew({ owner, targets, leaseUntilMs }: RenewQuery): Promise<void> {
    this.#sql.renewTargets.run({ owner, targets: JSON.stringify(targets), lease_until_ms: leaseUntilMs });
  }

  async release(owner: string): Promise<void> {
    this.#sql.releaseTargets.run({ owner });
  }

  async pending(targets: readonly string[], limit: number): Promise<PendingDelivery[]> {
    const values = { targets: JSON.stringify(targets), limit };
    return this.#sql.pending.all<PendingDelivery>(values);
  }

  async nextDueAtMs(): Promise<number | null> {
    return this.#sql.nextDue.one<{ next_at_ms: number | null }>()?.next_at_ms ?? null;
  }

  async list(query: DeliveryQuery): Promise<Delivery[]> {
    const { limit, beforeSeq = Number.MAX_SAFE_INTEGER, state = null, hookId = null } = query;
    const { list, listOfState, listOfHook } = this.#sql;
    const page = { before_seq: beforeSeq, limit };
    if (hookId !== null) return listOfHook.all<Delivery>({ ...page, state, hook_id: hookId });
    return state === null ? list.all<Delivery>(page) : listOfState.all<Delivery>({ ...page, state });
  }

  async find(id: string): Promise<Delivery | null> {
    return this.#sql.find.one<Delivery>({ id });
  }

  async targets(): Promise<Target[]> {
    return this.#sql.listTargets.all<Target>();
  }

  async totals(): Promise<OutboxTotals> {
    return (
      this.#sql.totals.one<OutboxTotals>({ limit: mostCounted }) ?? { pending: 0, dead: 0, open_targets: 0 }
    );
  }

  async expire(endedBeforeMs: number): Promise<number> {
    return this.#sql.expire.run({ ended_before_ms: endedBeforeMs });
  }

  #settle(progress: TargetProgress): void {
    const { owner, target, nowMs, results, moved, failures, last_error, nextAtMs } = progress;
    if (this.#sql.isTargetOwned.one({ target, owner }) === null) {
      throw new SwarmError("SWARM_TARGET_LOST", { target });
    }
    for (const result of results)
      this.#sql.settle.run({ ...result, ended_at_ms: result.state === "pending" ? null : nowMs });
    for (const { to, hook_id, cwd } of moved) {
      this.#sql.move.run({ from: target, to, hook_id, cwd });
      this.#wake([{ target: to }], nowMs);
    }
    this.#sql.settleTarget.run({ target, failures, last_error, next_at_ms: nextAtMs });
  }

  #replay(id: string, nowMs: number): void {
    const replayed = this.#sql.replay.one<{ target: string }>({ id, now_ms: nowMs });
    if (replayed === null) {
      const isThere = this.#sql.find.one({ id }) !== null;
      throw new SwarmError(isThere ? "SWARM_DELIVERY_PENDING" : "SWARM_DELIVERY_UNKNOWN", { id });
    }
    this.#wake([replayed], nowMs);
  }
}
