import type { Clock } from "../base/clock.ts";
import { SwarmError } from "../base/errors.ts";
import type { Audit, ReportEnd } from "../ports/audit.ts";
import type { ClaimedTarget, Delivery, DeliveryResult, OutboxStore } from "../ports/outbox-store.ts";
import type { RecordedChange } from "../ports/run-event.ts";
import { backoffMs, type Judgement } from "./judge-attempt.ts";
import type { Receiver } from "./receiver.ts";
import { type Attempt, send } from "./send.ts";

/** Who gets a hook's deliveries; or why nobody does: for good, or as long as something is broken. */
export type Found = Receiver | { readonly problem: string; readonly isFinal: boolean };

export interface BatchOptions {
  readonly outbox: OutboxStore;
  readonly audit: Audit;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly owner: string;
  readonly find: (delivery: Delivery) => Promise<Found>;
  /** Aborted when no more is to be sent; what is under way is given up. */
  readonly stopping: AbortSignal;
}

/**
 * One announcement and one report are fsynced for a whole batch: alone they would take ten times as long as what they
 * are about. A batch ends early, so that little is sent twice after a crash and a slow receiver's lease is renewed.
 */
const maxBatch = 64;
const maxBatchMs = 250;
/** Where there is nobody to send to, what is broken has to be mended by somebody. */
const brokenMs = 60_000;

/** Sends what is pending for a target, oldest first, until one has to wait; returns those that were given up. */
export async function sendBatch(claimed: ClaimedTarget, options: BatchOptions): Promise<Delivery[]> {
  const { outbox, audit, clock, stopping } = options;
  // With an open breaker one delivery finds out whether the receiver is back.
  const deliveries = await outbox.pending(claimed.target, claimed.failures > 0 ? 1 : maxBatch);
  const batch = new Batch(claimed, options);
  if (deliveries.length === 0) {
    // Nothing happens outside: a row for the change is all there is to tell.
    await audit.record({ kind: "change", event: deliveryChange, actor: "swarm" }, batch.settled());
    return [];
  }
  const report = await announce(audit, deliveries);
  const startedAtMs = clock.monotonicMs();
  for (const delivery of deliveries) {
    if (stopping.aborted || clock.monotonicMs() - startedAtMs > maxBatchMs) break;
    if (!(await batch.send(delivery))) break;
  }
  await tell(report, batch, clock.monotonicMs() - startedAtMs);
  return batch.givenUp;
}

const deliveryChange: RecordedChange = "webhook.delivery";

function announce(audit: Audit, deliveries: readonly Delivery[]): Promise<ReportEnd> {
  const before = deliveries.map(({ id, event_id, hook, attempts }) => ({
    id,
    event_id,
    hook,
    attempt: attempts + 1,
  }));
  const [{ hook, cwd }] = deliveries as [Delivery];
  return audit.intent({ event: deliveryChange, actor: "swarm", hook, cwd, before: JSON.stringify(before) });
}

async function tell(report: ReportEnd, batch: Batch, ms: number): Promise<void> {
  const hasFailed = batch.error !== null || batch.givenUp.length > 0;
  const end = { outcome: hasFailed ? "failed" : "completed", reason: batch.told(), ms } as const;
  const after = JSON.stringify(
    batch.results.map(({ id, state, last_status, last_error }) => ({ id, state, last_status, last_error })),
  );
  try {
    await report({ ...end, after }, batch.settled());
  } catch (error) {
    // Somebody else has the target by now and sends all of it again; what was sent was sent.
    if (!(error instanceof SwarmError) || error.code !== "SWARM_TARGET_LOST") throw error;
    await report({ ...end, after, reason: error.message });
  }
}

/** What has become of a batch so far. */
class Batch {
  readonly #options: BatchOptions;
  readonly #target: string;
  /** One look at a hook's configuration per batch: it looks at files. */
  readonly #found = new Map<string, Promise<Found>>();
  readonly results: DeliveryResult[] = [];
  readonly givenUp: Delivery[] = [];
  error: string | null = null;
  #failures: number;
  #waitMs = 0;

  constructor({ target, failures }: ClaimedTarget, options: BatchOptions) {
    this.#options = options;
    this.#target = target;
    this.#failures = failures;
  }

  /** False when what comes after it has to wait. */
  async send(delivery: Delivery): Promise<boolean> {
    const { clock, stopping } = this.#options;
    const found = await this.#find(delivery);
    if (!("endpoint" in found)) return this.#unsent(delivery, found);
    const attempt = await send(found, delivery, clock, stopping);
    if (attempt.judgement.kind !== "delivered" && stopping.aborted) return this.#interrupted(delivery);
    return this.#judge(delivery, found, attempt);
  }

  /** What is written with the report. */
  settled() {
    const { clock, owner } = this.#options;
    const nowMs = clock.now();
    return {
      kind: "outbox_settle",
      owner,
      target: this.#target,
      nowMs,
      results: this.results,
      failures: this.#failures,
      last_error: this.error,
      nextAtMs: nowMs + this.#waitMs,
    } as const;
  }

  told(): string {
    const count = (state: string) => this.results.filter((result) => result.state === state).length;
    const [delivered, dead] = [count("delivered"), count("dead")];
    const counted = dead === 0 ? `${delivered} delivered` : `${delivered} delivered, ${dead} given up`;
    return this.error === null ? counted : `${counted}: ${this.error}`;
  }

  #judge(delivery: Delivery, receiver: Receiver, { judgement, status }: Attempt): boolean {
    const { clock, random } = this.#options;
    const attempts = delivery.attempts + 1;
    const retries = delivery.retries + (judgement.kind === "retry" ? 1 : 0);
    const tried = { id: delivery.id, attempts, retries, last_status: status };
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
  #giveUp(delivery: Delivery, tried: Omit<DeliveryResult, "state">): true {
    this.results.push({ ...tried, state: "dead" });
    this.givenUp.push({ ...delivery, ...tried, state: "dead" });
    this.error = tried.last_error;
    this.#failures = 0;
    return true;
  }

  #unsent(delivery: Delivery, { problem, isFinal }: { problem: string; isFinal: boolean }): boolean {
    const { id, attempts, retries, last_status } = delivery;
    const same = { id, attempts, retries, last_status, last_error: problem };
    if (isFinal) return this.#giveUp(delivery, same);
    this.results.push({ ...same, state: "pending" });
    this.error = problem;
    this.#waitMs = brokenMs;
    return false;
  }

  /** We ended it ourselves: nothing is known of the receiver. */
  #interrupted({ id, attempts, retries, last_status, last_error }: Delivery): false {
    this.results.push({ id, attempts: attempts + 1, retries, last_status, last_error, state: "pending" });
    return false;
  }

  #find(delivery: Delivery): Promise<Found> {
    const key = JSON.stringify([delivery.hook_id, delivery.cwd]);
    const found = this.#found.get(key) ?? this.#options.find(delivery);
    this.#found.set(key, found);
    return found;
  }
}

function isOver({ kind }: Judgement, areRetriesUsed: boolean, isTooOld: boolean): boolean {
  if (kind === "refused" || isTooOld) return true;
  return kind === "retry" && areRetriesUsed;
}
