import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { Recorder } from "../../src/record/audit/recorder.ts";
import { SigningKey } from "../../src/record/audit/signing-key.ts";
import { systemClock } from "../../src/base/clock.ts";
import { newId } from "../../src/base/ids.ts";
import { Outbound } from "../../src/net/outbound.ts";
import { sign, signingKeys } from "../../src/net/standard-webhooks.ts";
import type { NewDelivery } from "../../src/operations/webhooks/port/outbox-store.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { DeliveryWorker } from "../../src/operations/webhooks/delivery-worker.ts";
import type { Receiver } from "../../src/operations/webhooks/receiver.ts";
import type { ToolCall } from "../handlers.ts";
import type { Contestant } from "./contestant.ts";
import { endpointUrl } from "./requests.ts";

/** One event that this many hooks send on, and how often it happens in a call: long enough that what begins and ends a run is little of it. */
const targets = 50;
const events = 40;
export const deliveriesPerCall = targets * events;

const keys = signingKeys("whsec_c3dhcm0taG9va3M=");
const headers = { "content-type": "application/json", "user-agent": "swarm-hooks" };

/** Some 300 bytes, as an event about a task has. */
function messageOf(call: ToolCall, id: string): string {
  const data = { task_id: "t_01j9k2m4", summary: "Added feature X with tests", duration_s: 120.5, call };
  return JSON.stringify({
    event: "task.completed",
    id,
    timestamp: Date.now() / 1000,
    session: "ses_01j9k2m4",
    data,
  });
}

/**
 * Queued in the store with their events' rows, claimed, announced, signed, sent over checked connections, settled and
 * reported, as the daemon does it: every target in its own order, so one request at a time for each of the 50. `sends`
 * what was queued while nothing was sent, as the pool has all of it at once; or each event as it comes, in smaller batches.
 */
export function durableDeliveries(name: string, sends: "a backlog" | "as they come"): Contestant {
  const folder = mkdtempSync(join(tmpdir(), "swarm-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const store = openSqliteStore(join(folder, "swarm.db"));
  const key = new SigningKey(join(folder, "audit-key.pem"));
  const audit = new Recorder({ store, key, clock: systemClock, durability: "process" });
  const outbound = new Outbound();
  let receiver: Promise<Receiver> | null = null;
  const worker = new DeliveryWorker({
    outbox: store.outbox,
    audit,
    clock: { ...systemClock, setTimer: (work, ms) => setTimeout(work, ms).unref() },
    log: { warn: (message) => process.stderr.write(`${message}\n`) },
    owner: "bench",
    find: () => {
      receiver ??= endpointUrl().then((url) => ({
        name: "it",
        endpoint: outbound.endpoint({ name: "it", url, allowPrivate: ["loopback"] }),
        keys,
        headers,
        legacyPrefix: null,
        timeoutMs: 10_000,
        retry: 3,
        isRetryCap: false,
        maxAgeMs: 60_000,
      }));
      return receiver;
    },
    abort: () => outbound.close(),
    onGivenUp: ({ last_error }) => process.stderr.write(`given up: ${last_error}\n`),
  });
  let onEnded = (): void => undefined;
  audit.onRecorded(({ kind }) => {
    if (kind === "outcome") onEnded();
  });
  return {
    name,
    isSync: false,
    async run(call) {
      for (let event = 0; event < events; event++) {
        const deliveries = Array.from({ length: targets }, (_, target) => deliveryOf(call, target));
        await audit.record(
          { kind: "emit", event: "task.completed", actor: "swarm" },
          { kind: "outbox_enqueue", deliveries },
        );
        if (sends === "as they come") worker.wake();
      }
      worker.wake();
      for (;;) {
        const batchEnded = new Promise<void>((resolve) => {
          // The timer keeps the process alive, which the worker's connections do not.
          const waiting = setTimeout(resolve, 1_000);
          onEnded = () => {
            clearTimeout(waiting);
            resolve();
          };
        });
        const { pending, dead } = await store.outbox.totals();
        if (pending === 0) {
          onEnded();
          return dead === 0 ? call : null;
        }
        await batchEnded;
      }
    },
    read: (result) => result as ToolCall | null,
  };
}

function deliveryOf(call: ToolCall, target: number): NewDelivery {
  const event_id = newId("evt");
  return {
    id: newId("msg"),
    event: "task.completed",
    event_id,
    hook_id: `hook_${target}`,
    hook: "it",
    target: `tgt_${target}`,
    cwd: null,
    body: messageOf(call, event_id),
    created_at_ms: Date.now(),
  };
}

/** The same messages, signed, over a pool of 50 connections. Nothing is kept, checked, retried or in any order. */
export function barePool(name: string): Contestant {
  let pool: Promise<Pool> | null = null;
  return sending(name, async (id, body) => {
    pool ??= endpointUrl().then((url) => new Pool(new URL(url).origin, { connections: targets }));
    const request = {
      method: "POST",
      path: "/",
      headers: { ...headers, ...sign(keys, id, Date.now(), body) },
      body,
    } as const;
    const response = await (await pool).request(request);
    await response.body.dump();
    return response.statusCode;
  });
}

/** The same by Node's own `fetch`. */
export function bareFetch(name: string): Contestant {
  return sending(name, async (id, body) => {
    const request = { method: "POST", headers: { ...headers, ...sign(keys, id, Date.now(), body) }, body };
    const response = await fetch(await endpointUrl(), request);
    await response.arrayBuffer();
    return response.status;
  });
}

function sending(name: string, send: (id: string, body: string) => Promise<number>): Contestant {
  return {
    name,
    isSync: false,
    async run(call) {
      let left = deliveriesPerCall;
      let failed = 0;
      const sender = async (): Promise<void> => {
        while (left-- > 0) {
          const id = newId("msg");
          if ((await send(id, messageOf(call, id))) !== 200) failed++;
        }
      };
      await Promise.all(Array.from({ length: targets }, sender));
      return failed === 0 ? call : null;
    },
    read: (result) => result as ToolCall | null,
  };
}
