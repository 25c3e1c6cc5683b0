import type { Clock } from "../../base/clock.ts";
import type { ClaimedTarget, DeliveryResult, MovedHook, PendingDelivery } from "./port/outbox-store.ts";
import type { Announcements, BatchEnd } from "./announcements.ts";
import { backoffMs } from "./judge-attempt.ts";
import type { Receiver } from "./receiver.ts";
import { type Attempt, send } from "./send.ts";

/** Who gets a hook's deliveries; the target they belong to by now; or why nobody does: for good, or as long as something is broken. */
export type Found = Receiver | { readonly movedTo: string } | Problem;

interface Problem {
  readonly problem: string;
  readonly isFinal: boolean;
}

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
/** And if nobody does, what comes after it must not wait for ever: as long as a receiver that is away has by default. */
const longestBrokenMs = 259_200_000;

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
    const found = batch.known(delivery) ?? (await batch.find(delivery));
    // It waits where its address does: a failure there must not hold up what still goes here.
    if ("movedTo" in found) continue;
    const mayGoOn =
      "problem" in found
        ? batch.leave(delivery, found)
        : batch.judge(delivery, found, await send(found, delivery, clock));
    if (!mayGoOn) break;
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
  readonly #moved: MovedHook[] = [];
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

  known(delivery: PendingDelivery): Found | undefined {
    return this.#found.get(keyOf(delivery));
  }

  async find(delivery: PendingDelivery): Promise<Found> {
    const found = await this.#options.find(delivery);
    this.#found.set(keyOf(delivery), found);
    const { hook_id, cwd } = delivery;
    if ("movedTo" in found) this.#moved.push({ hook_id, cwd, to: found.movedTo });
    return found;
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
      moved: this.#moved,
      failures: this.#failures,
      last_error: error,
    };
    const change = { kind: "outbox_settle", ...progress, nextAtMs: nowMs + this.#waitMs } as const;
    return { results, hasFailed: error !== null || this.givenUp.length > 0, error, ms, change };
  }

  /** False when what comes after it has to wait. */
  judge(delivery: PendingDelivery, receiver: Receiver, { judgement, status }: Attempt): boolean {
    const { clock, random, stopping } = this.#options;
    if (judgement.kind !== "delivered" && stopping.aborted) return this.#interrupted(delivery);
    const attempts = delivery.attempts + 1;
    const isRetry = judgement.kind === "retry" || (judgement.kind === "wait" && receiver.isRetryCap);
    const retries = delivery.retries + (isRetry ? 1 : 0);
    const tried = { seq: delivery.seq, id: delivery.id, attempts, retries, last_status: status };
    if (judgement.kind === "delivered") {
      this.#failures = 0;
      this.error = null;
      this.results.push({ ...tried, state: "delivered", last_error: null });
      return true;
    }
    const { error: last_error } = judgement;
    const afterMs = judgement.kind === "refused" ? 0 : judgement.afterMs;
    const isTooOld = clock.now() - delivery.created_at_ms >= receiver.maxAgeMs;
    if (judgement.kind === "refused" || isTooOld || (isRetry && retries > receiver.retry)) {
      this.#giveUp(delivery, { ...tried, last_error });
      // The next one may fare better where it is this message that is not wanted. A receiver that is away is still away,
      // and the time it asked for was not for this message alone.
      this.#failures = judgement.kind === "wait" ? this.#failures + 1 : 0;
      this.#waitMs = afterMs;
      return afterMs === 0;
    }
    this.results.push({ ...tried, state: "pending", last_error });
    this.error = last_error;
    this.#failures++;
    this.#waitMs = Math.max(afterMs, backoffMs(this.#failures, random));
    return false;
  }

  #giveUp(delivery: PendingDelivery, tried: Omit<DeliveryResult, "state">): void {
    this.results.push({ ...tried, state: "dead" });
    this.givenUp.push({ ...delivery, ...tried });
    this.error = tried.last_error;
  }

  /** The same for one that nobody can be sent. */
  leave(delivery: PendingDelivery, { problem, isFinal }: Problem): boolean {
    const { seq, id, attempts, retries, last_status, created_at_ms } = delivery;
    const same = { seq, id, attempts, retries, last_status, last_error: problem };
    if (isFinal || this.#options.clock.now() - created_at_ms >= longestBrokenMs) {
      this.#giveUp(delivery, same);
      return true;
    }
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
}

function keyOf({ hook_id, cwd }: PendingDelivery): string {
  return `${hook_id} ${cwd}`;
}
