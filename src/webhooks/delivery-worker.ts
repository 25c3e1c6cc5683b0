import type { Clock, Timer } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Audit } from "../ports/audit.ts";
import type { ClaimedTarget, Delivery, OutboxStore } from "../ports/outbox-store.ts";
import { type Found, sendBatch } from "./send-batch.ts";

export interface DeliveryWorkerOptions {
  readonly outbox: OutboxStore;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly log: Log;
  /** The same after a restart, and nobody else's. */
  readonly owner: string;
  readonly find: (delivery: Delivery) => Promise<Found>;
  /** Told of each delivery that is tried no more; waited for before the worker has stopped. */
  readonly onGivenUp: (delivery: Delivery) => unknown;
  readonly random?: () => number;
}

/** Targets served at once. */
const maxTargets = 64;
/** Longer than a batch and its last request take; a worker that is stuck for this long has lost its targets. */
const leaseMs = 120_000;
/** Other processes queue too, and tell nobody. */
const lookEveryMs = 5_000;

/**
 * Sends what is in the outbox as long as it runs. Targets are served side by side, each by one worker and in its own
 * order; one that fails waits, and the others do not wait for it.
 */
export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions;
  readonly #stopping = new AbortController();
  readonly #batches = new Set<Promise<void>>();
  #timer: Timer | null = null;
  #looking: Promise<void> | null = null;
  #isWoken = false;
  #isStopped = false;

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options;
  }

  /** What a worker before it had claimed and not given back is this one's. */
  async start(): Promise<void> {
    const { outbox, owner } = this.#options;
    await outbox.release(owner);
    this.wake();
  }

  /** Something may be due. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isWoken = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      if (this.#isWoken) this.wake();
    });
  }

  /** Sends no more; what is under way has this long to end. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    this.#isWoken = false;
    this.#timer?.close();
    const { clock } = this.#options;
    const timer = clock.setTimer(() => this.#stopping.abort(new Error("the daemon is stopping")), graceMs);
    await this.#looking;
    await Promise.all(this.#batches);
    timer.close();
  }

  /** Claims what is due and comes back when the next is. */
  async #look(): Promise<void> {
    this.#timer?.close();
    const { outbox, clock, log } = this.#options;
    let nextAtMs = clock.now() + lookEveryMs;
    try {
      while (this.#isWoken && !this.#isStopped) {
        this.#isWoken = false;
        const free = maxTargets - this.#batches.size;
        if (free > 0) for (const claimed of await this.#claim(free)) this.#begin(claimed);
      }
      nextAtMs = Math.min(nextAtMs, (await outbox.nextDueAtMs()) ?? nextAtMs);
    } catch (error) {
      log.warn((error as Error).message, { event: "webhook.delivery" });
    }
    if (this.#isStopped) return;
    this.#timer?.close();
    // With every place taken what is due is looked at when one is free again.
    const isFull = this.#batches.size >= maxTargets;
    this.#timer = clock.setTimer(
      () => this.wake(),
      isFull ? lookEveryMs : Math.max(1, nextAtMs - clock.now()),
    );
  }

  #claim(limit: number): Promise<ClaimedTarget[]> {
    const { outbox, clock, owner } = this.#options;
    const nowMs = clock.now();
    return outbox.claim({ owner, nowMs, leaseUntilMs: nowMs + leaseMs, limit });
  }

  #begin(claimed: ClaimedTarget): void {
    const batch = this.#serve(claimed).finally(() => {
      this.#batches.delete(batch);
      this.wake();
    });
    this.#batches.add(batch);
  }

  async #serve(claimed: ClaimedTarget): Promise<void> {
    const { random = Math.random, log, onGivenUp } = this.#options;
    try {
      const options = { ...this.#options, random, stopping: this.#stopping.signal };
      for (const delivery of await sendBatch(claimed, options)) await onGivenUp(delivery);
    } catch (error) {
      // The store could not be written: the target is free again when its lease ends.
      log.warn((error as Error).message, { event: "webhook.delivery", target: claimed.target });
    }
  }
}
