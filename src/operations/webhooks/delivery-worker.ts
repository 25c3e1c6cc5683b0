import type { Clock, Timer } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { ClaimedTarget, OutboxStore, PendingDelivery } from "./port/outbox-store.ts";
import { Announcements } from "./announcements.ts";
import { type Found, maxBatch, sendBatch } from "./send-batch.ts";

export interface DeliveryWorkerOptions {
  readonly outbox: OutboxStore;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly log: Log;
  /** The same after a restart, and nobody else's. */
  readonly owner: string;
  readonly find: (delivery: PendingDelivery) => Promise<Found>;
  /** Told of each delivery that is tried no more; waited for before the worker has stopped. */
  readonly onGivenUp: (delivery: PendingDelivery) => unknown;
  /** Ends the requests under way. */
  readonly abort: () => unknown;
  readonly random?: () => number;
}

/** Targets served at once. */
const maxTargets = 64;
/** A worker that is stuck for this long has lost its targets. */
const leaseMs = 120_000;
/** A batch ends soon, but its last request takes as long as its hook allows. */
const renewEveryMs = 30_000;
/** Nobody waits for a webhook, and what is claimed together is announced together. */
const gatherMs = 2;
/** Other processes queue too, and tell nobody. */
const lookEveryMs = 5_000;

/**
 * Sends what is in the outbox as long as it runs. Targets are served side by side, each by one worker and in its own
 * order; one that fails waits, and the others do not wait for it.
 */
export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions;
  readonly #announcements: Announcements;
  readonly #stopping = new AbortController();
  /** With their targets. */
  readonly #batches = new Map<Promise<void>, string>();
  #renewedAtMs = 0;
  #timer: Timer | null = null;
  #dueAtMs = 0;
  /** Ends when the last look does; never fails. */
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options;
    this.#announcements = new Announcements(options.audit, options.clock);
  }

  /** What a worker before it had claimed and not given back is this one's. */
  async start(): Promise<void> {
    const { outbox, owner } = this.#options;
    await outbox.release(owner);
    this.wake();
  }

  /** Something may be due. What is queued together is found together. */
  wake(): void {
    this.#lookIn(gatherMs);
  }

  /** Sends no more; what is under way has this long to end. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    this.#timer?.close();
    const { clock, abort } = this.#options;
    const timer = clock.setTimer(() => {
      this.#stopping.abort();
      void abort();
    }, graceMs);
    await this.#looking;
    await Promise.all(this.#batches.keys());
    timer.close();
  }

  /** Or earlier, if that was asked for before. */
  #lookIn(ms: number): void {
    const { clock } = this.#options;
    const dueAtMs = clock.monotonicMs() + ms;
    if (this.#isStopped || (this.#timer !== null && this.#dueAtMs <= dueAtMs)) return;
    this.#timer?.close();
    this.#dueAtMs = dueAtMs;
    this.#timer = clock.setTimer(() => {
      this.#timer = null;
      // One look at a time: it would count the same free places twice.
      this.#looking = this.#looking.then(() => this.#look());
    }, ms);
  }

  /** Claims what is due and comes back when the next is. */
  async #look(): Promise<void> {
    const { outbox, clock, log } = this.#options;
    if (this.#isStopped) return;
    try {
      await this.#renew();
      const free = maxTargets - this.#batches.size;
      if (free > 0) await this.#claim(free);
      const nextAtMs = (await outbox.nextDueAtMs()) ?? Number.POSITIVE_INFINITY;
      // With every place taken what is due is looked at when one is free again.
      const isFull = this.#batches.size >= maxTargets;
      this.#lookIn(isFull ? lookEveryMs : Math.min(lookEveryMs, Math.max(gatherMs, nextAtMs - clock.now())));
    } catch (error) {
      log.warn((error as Error).message, { event: "webhook.delivery" });
      this.#lookIn(lookEveryMs);
    }
  }

  /** Before anything is claimed: a machine that slept finds its own leases over. */
  async #renew(): Promise<void> {
    const { outbox, clock, owner } = this.#options;
    const nowMs = clock.now();
    if (this.#batches.size === 0 || nowMs - this.#renewedAtMs < renewEveryMs) return;
    await outbox.renew({ owner, targets: [...this.#batches.values()], leaseUntilMs: nowMs + leaseMs });
    this.#renewedAtMs = nowMs;
  }

  async #claim(limit: number): Promise<void> {
    const { outbox, clock, owner } = this.#options;
    const nowMs = clock.now();
    const claimed = await outbox.claim({ owner, nowMs, leaseUntilMs: nowMs + leaseMs, limit });
    if (claimed.length === 0) return;
    const byTarget = new Map(claimed.map((one) => [one.target, [] as PendingDelivery[]]));
    const names = [...byTarget.keys()];
    for (const delivery of await outbox.pending(names, maxBatch))
      byTarget.get(delivery.target)?.push(delivery);
    for (const one of claimed) this.#begin(one, byTarget.get(one.target) ?? []);
  }

  #begin(claimed: ClaimedTarget, pending: readonly PendingDelivery[]): void {
    const batch = this.#serve(claimed, pending).finally(() => {
      this.#batches.delete(batch);
      this.wake();
    });
    this.#batches.set(batch, claimed.target);
  }

  async #serve(claimed: ClaimedTarget, pending: readonly PendingDelivery[]): Promise<void> {
    const { random = Math.random, log } = this.#options;
    try {
      const own = { random, announcements: this.#announcements, stopping: this.#stopping.signal };
      const options = { ...this.#options, ...own };
      for (const delivery of await sendBatch(claimed, pending, options)) await this.#tell(delivery);
    } catch (error) {
      // The store could not be written: the target is free again when its lease ends.
      log.warn((error as Error).message, { event: "webhook.delivery", target: claimed.target });
    }
  }

  /** Whoever cannot be told of one, as where its project's file is broken, is told of the others. */
  async #tell(delivery: PendingDelivery): Promise<void> {
    const { log, onGivenUp } = this.#options;
    try {
      await onGivenUp(delivery);
    } catch (error) {
      log.warn((error as Error).message, { event: "webhook.delivery", target: delivery.target });
    }
  }
}
