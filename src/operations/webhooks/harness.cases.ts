import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { Recorder } from "../../record/audit/recorder.ts";
import { SigningKey } from "../../record/audit/signing-key.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import { serve } from "../../net/harness.cases.ts";
import { Outbound } from "../../net/outbound.ts";
import { requestHeaders } from "../../net/request-headers.ts";
import { signingKeys } from "../../net/standard-webhooks.ts";
import type { NewDelivery, PendingDelivery } from "./port/outbox-store.ts";
import type { Store } from "../../store/port/store.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { DeliveryWorker, type DeliveryWorkerOptions } from "./delivery-worker.ts";
import type { Receiver } from "./receiver.ts";

export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers each message with what `answer` says, 204 unless it says something. */
export async function receiver(
  t: TestContext,
  answer: (count: number, received: Received) => number | readonly [number, Record<string, string>] = () =>
    204,
) {
  const received: Received[] = [];
  const { url, server } = await serve(t, (request, response) => {
    void text(request).then((body) => {
      const one = { headers: request.headers, body };
      received.push(one);
      const [status, headers] = [answer(received.length, one)].flat() as [number, Record<string, string>?];
      response.writeHead(status, headers).end();
    });
  });
  return { url, server, received, ids: () => received.map(({ headers }) => String(headers["webhook-id"])) };
}

/** A store with its record, and workers on it; all of it is gone when the test is over. */
export class Place {
  readonly file: string;
  readonly folder = mkdtempSync(join(tmpdir(), "swarm-webhooks-"));
  readonly store: Store;
  readonly audit: Recorder;
  readonly outbound = new Outbound();
  readonly givenUp: PendingDelivery[] = [];
  readonly warnings: string[] = [];
  /** Added to the system's time. */
  shiftMs = 0;
  readonly clock: Clock = { ...systemClock, now: () => systemClock.now() + this.shiftMs };
  readonly #workers: DeliveryWorker[] = [];

  constructor(t: TestContext) {
    this.file = join(this.folder, "swarm.db");
    this.store = openSqliteStore(this.file);
    const key = new SigningKey(join(this.folder, "key.pem"));
    this.audit = new Recorder({ store: this.store, key, clock: this.clock, durability: "process" });
    t.after(async () => {
      await Promise.all(this.#workers.map((worker) => worker.stop(0)));
      await this.outbound.close();
      await this.audit.close();
      await this.store.close();
      rmSync(this.folder, { recursive: true });
    });
  }

  /** Where everything goes, with these differences. */
  receiver(url: string, changes: Partial<Receiver> = {}): Receiver {
    return {
      name: "notify",
      endpoint: this.outbound.endpoint({ name: "notify", url, allowPrivate: ["loopback"] }),
      keys: signingKeys(secret),
      headers: requestHeaders({}),
      legacyPrefix: null,
      timeoutMs: 10_000,
      retry: 3,
      isRetryCap: false,
      maxAgeMs: 259_200_000,
      ...changes,
    };
  }

  /** A worker that has not been started. Waits between attempts are none, unless it is told another chance. */
  worker(find: DeliveryWorkerOptions["find"], changes: Partial<DeliveryWorkerOptions> = {}): DeliveryWorker {
    const worker = new DeliveryWorker({
      outbox: this.store.outbox,
      audit: this.audit,
      clock: this.clock,
      log: { warn: (message) => this.warnings.push(message) },
      owner: "a",
      find,
      onGivenUp: (delivery) => this.givenUp.push(delivery),
      abort: () => this.outbound.close(),
      random: () => 0,
      ...changes,
    });
    this.#workers.push(worker);
    return worker;
  }

  async enqueue(count: number, changes: Partial<NewDelivery> = {}): Promise<NewDelivery[]> {
    const deliveries = Array.from({ length: count }, () => this.#delivery(changes));
    const entry = { kind: "emit", event: "task.completed", actor: "swarm" } as const;
    await this.audit.record(entry, { kind: "outbox_enqueue", deliveries });
    return deliveries;
  }

  #delivery(changes: Partial<NewDelivery>): NewDelivery {
    const event_id = newId("evt");
    return {
      id: newId("msg"),
      event: "task.completed",
      event_id,
      hook_id: "hook_1",
      hook: "notify",
      target: "tgt_1",
      cwd: null,
      body: JSON.stringify({ event: "task.completed", id: event_id, data: { task_id: "t1" } }),
      created_at_ms: this.clock.now(),
      ...changes,
    };
  }
}

/** Until something holds that only time will tell; what never does is a failure of the test, not one without an end. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const endsAtMs = performance.now() + 30_000;
  while (!(await holds())) {
    assert.ok(performance.now() < endsAtMs, `not within 30 s: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
