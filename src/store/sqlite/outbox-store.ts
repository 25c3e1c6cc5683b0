import { SwarmError } from "../../base/errors.ts";
import type {
  ClaimedTarget,
  ClaimQuery,
  Delivery,
  DeliveryQuery,
  NewDelivery,
  OutboxChange,
  OutboxStore,
  OutboxTotals,
  PendingDelivery,
  RenewQuery,
  Target,
  TargetProgress,
} from "../../operations/webhooks/port/outbox-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteOutbox implements OutboxStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Within the transaction of the row that tells of it. */
  apply(change: OutboxChange): void {
    switch (change.kind) {
      case "outbox_enqueue":
        this.#enqueue(change.deliveries);
        break;
      case "outbox_settle":
        this.#settle(change);
        break;
      case "outbox_replay":
        this.#replay(change.id, change.nowMs);
    }
  }

  #enqueue(deliveries: readonly NewDelivery[]): void {
    for (const delivery of deliveries) {
      const { id, event, event_id, hook_id, hook, target, cwd, body, created_at_ms } = delivery;
      const values = [id, event, event_id, hook_id, hook, target, cwd, body, created_at_ms];
      this.#file.run("insert-delivery", ...values);
    }
    // In one statement for all that were made together: one for each takes twice as long.
    for (const [atMs, together] of Map.groupBy(deliveries, ({ created_at_ms }) => created_at_ms))
      this.#wake(together, atMs);
  }

  #wake(targets: readonly { readonly target: string }[], atMs: number): void {
    this.#file.run("wake-targets", atMs, JSON.stringify(targets.map(({ target }) => target)));
  }

  async claim({ owner, nowMs, leaseUntilMs, limit }: ClaimQuery): Promise<ClaimedTarget[]> {
    const values = { owner, now_ms: nowMs, lease_until_ms: leaseUntilMs, limit };
    return this.#file.all<ClaimedTarget>("claim-targets", values);
  }

  async renew({ owner, targets, leaseUntilMs }: RenewQuery): Promise<void> {
    this.#file.run("renew-targets", leaseUntilMs, owner, JSON.stringify(targets));
  }

  async release(owner: string): Promise<void> {
    this.#file.run("release-targets", owner);
  }

  async pending(targets: readonly string[], limit: number): Promise<PendingDelivery[]> {
    const values = { targets: JSON.stringify(targets), limit };
    return this.#file.all<PendingDelivery>("pending-deliveries", values);
  }

  async nextDueAtMs(): Promise<number | null> {
    return this.#file.one<{ next_at_ms: number | null }>("next-due-target")?.next_at_ms ?? null;
  }

  async list(query: DeliveryQuery): Promise<Delivery[]> {
    const { limit, beforeSeq = Number.MAX_SAFE_INTEGER, state = null, hookId = null } = query;
    return this.#file.all<Delivery>("list-deliveries", {
      before_seq: beforeSeq,
      state,
      hook_id: hookId,
      limit,
    });
  }

  async find(id: string): Promise<Delivery | null> {
    return this.#file.one<Delivery>("find-delivery", id);
  }

  async targets(): Promise<Target[]> {
    return this.#file.all<Target>("list-delivery-targets");
  }

  async totals(): Promise<OutboxTotals> {
    return this.#file.one<OutboxTotals>("outbox-totals") ?? { pending: 0, dead: 0, open_targets: 0 };
  }

  async expire(endedBeforeMs: number): Promise<number> {
    return this.#file.run("expire-deliveries", endedBeforeMs);
  }

  #settle(progress: TargetProgress): void {
    const { owner, target, nowMs, results, moved, failures, last_error, nextAtMs } = progress;
    if (this.#file.one("is-target-owned", target, owner) === null) {
      throw new SwarmError("SWARM_TARGET_LOST", { target });
    }
    for (const { seq, state, attempts, retries, last_status, last_error } of results) {
      const endedAtMs = state === "pending" ? null : nowMs;
      this.#file.run("settle-delivery", state, attempts, retries, last_status, last_error, endedAtMs, seq);
    }
    for (const { to, hook_id, cwd } of moved) {
      this.#file.run("move-deliveries", to, target, hook_id, cwd);
      this.#wake([{ target: to }], nowMs);
    }
    this.#file.run("settle-target", failures, last_error, target, nextAtMs, target);
  }

  #replay(id: string, nowMs: number): void {
    const replayed = this.#file.one<{ target: string }>("replay-delivery", nowMs, id);
    if (replayed === null) {
      const isThere = this.#file.one("find-delivery", id) !== null;
      throw new SwarmError(isThere ? "SWARM_DELIVERY_PENDING" : "SWARM_DELIVERY_UNKNOWN", { id });
    }
    this.#wake([replayed], nowMs);
  }
}
