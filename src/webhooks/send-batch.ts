import type { Clock } from "../base/clock.ts";
import type { ClaimedTarget, DeliveryResult, PendingDelivery } from "../ports/outbox-store.ts";
import type { Announcements, BatchEnd } from "./announcements.ts";
import { backoffMs, type Judgement } from "./judge-attempt.ts";
import type { Receiver } from "./receiver.ts";
import { type Attempt, send } from "./send.ts";

/** Who gets a hook's deliveries; or why nobody does: for good, or as long as something is broken. */
export type Found = Receiver | { readonly problem: string; readonly isFinal: boolean };

export interface BatchOptions {
  readonly announcements: Announcements;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly owner: string;
  readonly find: (delivery: PendingDelivery) => Promise<Found>;
  /** Aborted when no more is to be sent, and what is under way was cut off. */
  readonly stopping: AbortSignal;
}

/** A batch ends early, so that little is sent twice after a crash and a slow receiver's lease is renewed. */
export const maxBatch = 64;
const maxBatchMs = 250;
/** Where there is nobody to send to, what is broken has to be mended by somebody. */
const brokenMs = 60_000;

/** Sends what is pending for a target, oldest first, until one has to wait; returns those that were given up. */
export async function sendBatch(
  claimed: ClaimedTarget,
  pending: readonly PendingDelivery[],
  options: BatchOptions,
): Promise<PendingDelivery[]> {
  const { announcements, clock, stopping } = options;
  // With an open breaker one delivery finds out whether the receiver is back.
  const deliveries = claimed.failures > 0 ? pending.slice(0, 1) : pending;
  const batch = new Batch(claimed, options);
  const report = await announcements.announce(deliveries);
  const startedAtMs = clock.monotonicMs();
  for (const delivery of deliveries) {
    if (stopping.aborted || clock.monotonicMs() - startedAtMs > maxBatchMs) break;
    if (!(await batch.send(delivery))) break;
  }
  await report(batch.end(clock.monotonicMs() - startedAtMs));
  return batch.givenUp;
}

/** What has become of a batch so far. */
class Batch {
  readonly #options: BatchOptions;
  readonly #target: string;
  /** One look at a hook's configuration per batch: it looks at files. */
  readonly #found = new Map<string, Found>();
  readonly results: DeliveryResult[] = [];
  readonly givenUp: PendingDelivery[] = [];
  error: string | null = null;
  #failures: number;
  #waitMs = 0;

  constructor({ target, failures }: ClaimedTarget, options: BatchOptions) {
    this.#options = options;
    this.#target = target;
    this.#failures = failures;
  }

  /** False when what comes after it has to wait. */
  async send(delivery: PendingDelivery): Promise<boolean> {
    const { clock, stopping } = this.#options;
    const found = this.#found.get(keyOf(delivery)) ?? (await this.#find(delivery));
    if (!("endpoint" in found)) return this.#unsent(delivery, found);
    const attempt = await send(found, delivery, clock);
    if (attempt.judgement.kind !== "delivered" && stopping.aborted) return this.#interrupted(delivery);
    return this.#judge(delivery, found, attempt);
  }

  end(ms: number): BatchEnd {
    const { clock, owner } = this.#options;
    const { results, error } = this;
    const nowMs = clock.now();
    const progress = {
      owner,
      target: this.#target,
      nowMs,
      results,
      failures: this.#failures,
      last_error: error,
    };
    const change = { kind: "outbox_settle", ...progress, nextAtMs: nowMs + this.#waitMs } as const;
    return { results, hasFailed: error !== null || this.givenUp.length > 0, error, ms, change };
  }

  #judge(delivery: PendingDelivery, receiver: Receiver, { judgement, status }: Attempt): boolean {
    const { clock, random } = this.#options;
    const attempts = delivery.attempts + 1;
    const retries = delivery.retries + (judgement.kind === "retry" ? 1 : 0);
    const tried = { seq: delivery.seq, id: delivery.id, attempts, retries, last_status: status };
    if (judgement.kind === "delivered") {
      this.#failures = 0;
      this.error = null;
      this.results.push({ ...tried, state: "delivered", last_error: null });
      return true;
    }
    const { error: last_error } = judgement;
    const isTooOld = clock.now() - delivery.created_at_ms >= receiver.maxAgeMs;
    if (isOver(judgement, retries > receiver.retry, isTooOld))
      return this.#giveUp(delivery, { ...tried, last_error });
    this.results.push({ ...tried, state: "pending", last_error });
    this.error = last_error;
    this.#failures++;
    const { afterMs } = judgement as { afterMs: number };
    this.#waitMs = Math.max(afterMs, backoffMs(this.#failures, random));
    return false;
  }

  /** The next one may fare better: the receiver is there, it is this message it does not want. */
  #giveUp(delivery: PendingDelivery, tried: Omit<DeliveryResult, "state">): true {
    this.results.push({ ...tried, state: "dead" });
    this.givenUp.push({ ...delivery, ...tried });
    this.error = tried.last_error;
    this.#failures = 0;
    return true;
  }

  #unsent(delivery: PendingDelivery, { problem, isFinal }: { problem: string; isFinal: boolean }): boolean {
    const { seq, id, attempts, retries, last_status } = delivery;
    const same = { seq, id, attempts, retries, last_status, last_error: problem };
    if (isFinal) return this.#giveUp(delivery, same);
    this.results.push({ ...same, state: "pending" });
    this.error = problem;
    this.#waitMs = brokenMs;
    return false;
  }

  /** We ended it ourselves: nothing is known of the receiver. */
  #interrupted({ seq, id, attempts, retries, last_status, last_error }: PendingDelivery): false {
    const tried = { seq, id, attempts: attempts + 1, retries, last_status, last_error };
    this.results.push({ ...tried, state: "pending" });
    return false;
  }

  async #find(delivery: PendingDelivery): Promise<Found> {
    const found = await this.#options.find(delivery);
    this.#found.set(keyOf(delivery), found);
    return found;
  }
}

function keyOf({ hook_id, cwd }: PendingDelivery): string {
  return `${hook_id} ${cwd}`;
}

function isOver({ kind }: Judgement, areRetriesUsed: boolean, isTooOld: boolean): boolean {
  if (kind === "refused" || isTooOld) return true;
  return kind === "retry" && areRetriesUsed;
}
