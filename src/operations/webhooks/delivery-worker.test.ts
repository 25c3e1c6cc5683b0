import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { signingKeys } from "../../net/standard-webhooks.ts";
import type { PendingDelivery } from "./port/outbox-store.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { Place, receiver, secret, until } from "./harness.cases.ts";
import type { Receiver } from "./receiver.ts";

/** One receiver for everything, and what becomes of it. */
async function start(
  t: TestContext,
  answer?: Parameters<typeof receiver>[1],
  changes: Partial<Receiver> = {},
) {
  const place = new Place(t);
  const there = await receiver(t, answer);
  const worker = place.worker(async () => place.receiver(there.url, changes));
  const state = async (id: string) => (await place.store.outbox.find(id))?.state;
  const settled = (deliveries: readonly { id: string }[]) =>
    until(async () =>
      (await Promise.all(deliveries.map(({ id }) => state(id)))).every((one) => one !== "pending"),
    );
  return { place, there, worker, state, settled };
}

test("what is queued is sent in its order, signed so that the reference implementation believes it", async (t) => {
  const { place, there, worker, state, settled } = await start(t);
  const deliveries = await place.enqueue(150);
  await worker.start();
  await settled(deliveries);
  assert.deepEqual(
    there.ids(),
    deliveries.map(({ id }) => id),
  );
  const reference = new Webhook(secret);
  for (const { headers, body } of there.received) reference.verify(body, headers as Record<string, string>);
  assert.equal(await state(deliveries[0]?.id ?? ""), "delivered");
  assert.deepEqual(await place.store.outbox.totals(), { pending: 0, dead: 0, open_targets: 0 });
  const { "content-type": type, "user-agent": agent } = there.received[0]?.headers ?? {};
  assert.deepEqual([type, agent], ["application/json", "swarm-hooks"]);
});

test("what is queued later is sent once the worker hears of it", async (t) => {
  const { place, there, worker, settled } = await start(t);
  await worker.start();
  const deliveries = await place.enqueue(1);
  worker.wake();
  await settled(deliveries);
  assert.equal(there.received.length, 1);
});

test("a batch is announced in the record before anything is sent, and what became of it is told after", async (t) => {
  const intents: number[] = [];
  const place = new Place(t);
  const there = await receiver(t);
  there.server.prependListener("request", () => {
    void place.store.openIntents(10).then((rows) => intents.push(rows.length));
  });
  const worker = place.worker(async () => place.receiver(there.url));
  const [first, second] = await place.enqueue(2);
  await worker.start();
  await until(async () => (await place.store.listRunEvents({ limit: 9, kind: "outcome" })).length === 1);
  assert.deepEqual(intents, [1, 1]);
  const [outcome, intent] = await place.store.listRunEvents({ limit: 2 });
  assert.deepEqual(
    [intent?.kind, intent?.event, outcome?.kind, outcome?.ref, outcome?.outcome, outcome?.reason],
    ["intent", "webhook.delivery", "outcome", intent?.id, "completed", "2 delivered"],
  );
  const before = JSON.parse((await place.store.findPayload(intent?.seq ?? 0))?.before ?? "[]");
  assert.deepEqual(before, [
    { id: first?.id, event_id: first?.event_id, attempt: 1 },
    { id: second?.id, event_id: second?.event_id, attempt: 1 },
  ]);
  assert.equal(intent?.hook, "notify");
  const after = JSON.parse((await place.store.findPayload(outcome?.seq ?? 0))?.after ?? "[]");
  assert.deepEqual(after[1], { id: second?.id, state: "delivered", last_status: 204, last_error: null });
});

test("what is refused for good is given up at once, and the next one goes on", async (t) => {
  const { place, there, worker, state, settled } = await start(t, (count) => (count === 1 ? 410 : 204));
  const deliveries = await place.enqueue(2);
  await worker.start();
  await settled(deliveries);
  const [first, second] = deliveries;
  assert.deepEqual([await state(first?.id ?? ""), await state(second?.id ?? "")], ["dead", "delivered"]);
  assert.equal(there.received.length, 2);
  await until(() => place.givenUp.length === 1);
  assert.deepEqual(
    place.givenUp.map(({ id, last_status, last_error }) => ({ id, last_status, last_error })),
    [{ id: first?.id, last_status: 410, last_error: "status 410" }],
  );
});

test("what is turned down for the moment is tried again as often as the hook says, then given up", async (t) => {
  const { place, there, worker, state, settled } = await start(t, () => 429, { retry: 2 });
  const deliveries = await place.enqueue(1);
  await worker.start();
  await settled(deliveries);
  assert.equal(await state(deliveries[0]?.id ?? ""), "dead");
  assert.equal(there.received.length, 3);
  const found = await place.store.outbox.find(deliveries[0]?.id ?? "");
  assert.deepEqual([found?.attempts, found?.retries, found?.last_error], [3, 3, "status 429"]);
});

test("each attempt has the same id and a signature of its own time", async (t) => {
  const { place, there, worker, settled } = await start(t, (count) => (count === 1 ? 503 : 204));
  const deliveries = await place.enqueue(1);
  await worker.start();
  await settled(deliveries);
  assert.deepEqual(there.ids(), [deliveries[0]?.id, deliveries[0]?.id]);
});

test("a receiver that fails is waited for without using up retries", async (t) => {
  const { place, there, worker, state, settled } = await start(t, (count) => (count <= 8 ? 500 : 204), {
    retry: 0,
  });
  const deliveries = await place.enqueue(3);
  await worker.start();
  await settled(deliveries);
  assert.equal(await state(deliveries[0]?.id ?? ""), "delivered");
  // With the breaker open the first of them alone finds out whether the receiver is back.
  assert.deepEqual(
    there.ids().slice(0, 9),
    Array.from({ length: 9 }, () => deliveries[0]?.id),
  );
  assert.equal(there.received.length, 11);
  const found = await place.store.outbox.find(deliveries[0]?.id ?? "");
  assert.deepEqual([found?.attempts, found?.retries], [9, 0]);
});

for (const [failure, status] of [
  ["fails", 503],
  ["turns it down for the moment", 429],
] as const) {
  test(`a retry that the hook has written bounds a receiver that ${failure}`, async (t) => {
    // It would take a third attempt: where the retries are not bounded, the delivery ends as delivered.
    const { place, there, worker, state, settled } = await start(t, (count) => (count <= 2 ? status : 204), {
      retry: 1,
      isRetryCap: true,
    });
    const deliveries = await place.enqueue(1);
    await worker.start();
    await settled(deliveries);
    assert.deepEqual([await state(deliveries[0]?.id ?? ""), there.received.length], ["dead", 2]);
  });
}

test("a retry that the hook has written bounds a receiver that cannot be reached", async (t) => {
  const { place, there, worker } = await start(t, () => 204, { retry: 1, isRetryCap: true });
  there.server.closeAllConnections();
  await new Promise((resolve) => there.server.close(resolve));
  const [delivery] = await place.enqueue(1);
  const find = () => place.store.outbox.find(delivery?.id ?? "");
  await worker.start();
  await until(async () => {
    const tried = await find();
    return tried?.state !== "pending" || tried.attempts > 2;
  });
  const found = await find();
  assert.deepEqual([found?.state, found?.attempts, found?.retries], ["dead", 2, 2]);
});

test("the breaker is open while a receiver fails, and closed by the first success", async (t) => {
  const { place, there, worker, settled } = await start(t, (count) => (count <= 2 ? 503 : 204));
  const seen: number[] = [];
  there.server.prependListener("request", () => {
    void place.store.outbox.targets().then(([target]) => seen.push(target?.failures ?? -1));
  });
  await worker.start();
  const deliveries = await place.enqueue(2);
  worker.wake();
  await settled(deliveries);
  assert.deepEqual(seen, [0, 1, 2, 0]);
  const [target] = await place.store.outbox.targets();
  assert.deepEqual([target?.failures, target?.last_error], [0, null]);
});

test("Retry-After is honoured, and the time is kept across workers", async (t) => {
  const { place, there, worker } = await start(t, (count) =>
    count === 1 ? [503, { "retry-after": "3600" }] : 204,
  );
  const beforeMs = place.clock.now();
  await place.enqueue(1);
  await worker.start();
  await until(async () => (await place.store.outbox.targets())[0]?.failures === 1);
  const [target] = await place.store.outbox.targets();
  assert.ok((target?.next_at_ms ?? 0) >= beforeMs + 3_600_000);
  await worker.stop(60_000);
  place.shiftMs = 3_599_000;
  const second = place.worker(async () => place.receiver(there.url));
  await second.start();
  assert.ok(((await place.store.outbox.nextDueAtMs()) ?? 0) > place.clock.now());
  assert.equal(there.received.length, 1);
  place.shiftMs = 3_700_000;
  second.wake();
  await until(() => there.received.length === 2);
});

test("waits between attempts are anywhere up to a time that doubles", async (t) => {
  const place = new Place(t);
  const there = await receiver(t, () => 500);
  // Time stands still, however slow this machine is, until it is put forward by hand.
  let nowMs = place.clock.now();
  const setTimer = (work: () => void, ms: number) =>
    ms > 100 ? { close: () => undefined } : setTimeout(work, ms);
  const clock = { ...place.clock, now: () => nowMs, setTimer };
  const worker = place.worker(async () => place.receiver(there.url), { random: () => 0.5, clock });
  await place.enqueue(1, { created_at_ms: nowMs });
  await worker.start();
  const waits: number[] = [];
  for (let failures = 1; failures <= 4; failures++) {
    await until(async () => (await place.store.outbox.targets())[0]?.failures === failures);
    const nextAtMs = (await place.store.outbox.nextDueAtMs()) ?? 0;
    waits.push(nextAtMs - nowMs);
    nowMs = nextAtMs;
    worker.wake();
  }
  assert.deepEqual(waits, [250, 500, 1_000, 2_000]);
});

test("a receiver that stays away is given up after the hook's max_age, and what is younger is not", async (t) => {
  const { place, worker, state, settled } = await start(t, () => 502, { maxAgeMs: 3_600_000 });
  const [old] = await place.enqueue(1);
  await worker.start();
  await until(async () => (await place.store.outbox.find(old?.id ?? ""))?.attempts !== 0);
  place.shiftMs = 3_500_000;
  const [young] = await place.enqueue(1);
  place.shiftMs = 3_600_000;
  worker.wake();
  await settled([{ id: old?.id ?? "" }]);
  assert.deepEqual([await state(old?.id ?? ""), await state(young?.id ?? "")], ["dead", "pending"]);
});

test("nobody who listens, then somebody: everything arrives, in order", async (t) => {
  const { place, there, worker, settled } = await start(t);
  const { server } = there;
  const port = new URL(there.url).port;
  server.close();
  await once(server, "close");
  const deliveries = await place.enqueue(20);
  await worker.start();
  await until(async () => ((await place.store.outbox.targets())[0]?.failures ?? 0) >= 3);
  server.listen(Number(port), "127.0.0.1");
  worker.wake();
  await settled(deliveries);
  assert.deepEqual(
    there.ids(),
    deliveries.map(({ id }) => id),
  );
});

test("a target that fails does not hold up another", async (t) => {
  const place = new Place(t);
  const [broken, fine] = [await receiver(t, () => 500), await receiver(t)];
  const find = async ({ target }: PendingDelivery) =>
    place.receiver(target === "tgt_1" ? broken.url : fine.url);
  const worker = place.worker(find, { random: () => 0.999 });
  await place.enqueue(5);
  await place.enqueue(5, { target: "tgt_2" });
  await worker.start();
  await until(async () => (await place.store.outbox.totals()).pending === 5);
  assert.deepEqual([fine.received.length, broken.received.length > 0], [5, true]);
});

test("workers of two daemons on one store send nothing twice, and keep each target's order", async (t) => {
  const place = new Place(t);
  const second = openSqliteStore(place.file);
  t.after(() => second.close());
  const there = await receiver(t);
  const find = async () => place.receiver(there.url);
  const workers = [place.worker(find), place.worker(find, { owner: "b", outbox: second.outbox })];
  const targets = Array.from({ length: 8 }, (_, at) => `tgt_${at}`);
  const expected = new Map<string, string[]>();
  for (let round = 0; round < 10; round++) {
    for (const target of targets) {
      const deliveries = await place.enqueue(10, { target });
      expected.set(target, [...(expected.get(target) ?? []), ...deliveries.map(({ id }) => id)]);
    }
    if (round === 0) await Promise.all(workers.map((worker) => worker.start()));
    for (const worker of workers) worker.wake();
  }
  await until(async () => (await place.store.outbox.totals()).pending === 0);
  const arrived = there.ids();
  assert.equal(arrived.length, 800);
  for (const ids of expected.values()) {
    const own = new Set(ids);
    assert.deepEqual(
      arrived.filter((id) => own.has(id)),
      ids,
    );
  }
});

test("a delivery whose hook is gone is given up; one whose file is broken waits", async (t) => {
  const place = new Place(t);
  const there = await receiver(t);
  const answers = [
    { problem: "its hook is gone", isFinal: true },
    { problem: "the file is broken", isFinal: false },
  ];
  let asked = 0;
  const worker = place.worker(async ({ target }) => {
    asked++;
    return answers[target === "tgt_1" ? 0 : 1] ?? place.receiver(there.url);
  });
  const [gone] = await place.enqueue(1);
  const [waiting] = await place.enqueue(1, { target: "tgt_2" });
  await worker.start();
  await until(
    async () =>
      asked === 2 && (await place.store.outbox.targets()).every(({ last_error }) => last_error !== null),
  );
  const { outbox } = place.store;
  const [dead, pending] = [await outbox.find(gone?.id ?? ""), await outbox.find(waiting?.id ?? "")];
  assert.deepEqual([dead?.state, dead?.last_error, dead?.attempts], ["dead", "its hook is gone", 0]);
  assert.deepEqual([pending?.state, pending?.last_error], ["pending", "the file is broken"]);
  assert.ok(((await outbox.nextDueAtMs()) ?? 0) > place.clock.now() + 50_000);
  assert.equal(there.received.length, 0);
});

test("a receiver that hangs has the hook's timeout, and is waited for", async (t) => {
  const place = new Place(t);
  const hung = Promise.withResolvers<void>();
  const there = await receiver(t);
  there.server.removeAllListeners("request");
  there.server.on("request", () => hung.resolve());
  const worker = place.worker(async () => place.receiver(there.url, { timeoutMs: 30 }), {
    random: () => 0.999,
  });
  const [delivery] = await place.enqueue(1);
  await worker.start();
  await hung.promise;
  await until(async () => (await place.store.outbox.find(delivery?.id ?? ""))?.attempts !== 0);
  const found = await place.store.outbox.find(delivery?.id ?? "");
  assert.deepEqual([found?.state, found?.last_error], ["pending", "hook notify did not answer within 30 ms"]);
});

test("a worker that stops gives up what is under way, and leaves it for the next one", async (t) => {
  const { place, there, worker } = await start(t);
  const asked = Promise.withResolvers<void>();
  there.server.removeAllListeners("request");
  there.server.on("request", () => asked.resolve());
  const [delivery] = await place.enqueue(2);
  await worker.start();
  await asked.promise;
  await worker.stop(0);
  const found = await place.store.outbox.find(delivery?.id ?? "");
  assert.deepEqual([found?.state, found?.attempts, found?.last_error], ["pending", 1, null]);
  const [target] = await place.store.outbox.targets();
  assert.deepEqual([target?.failures, (target?.next_at_ms ?? 0) <= place.clock.now()], [0, true]);
});

test("two keys sign while they are changed, and none where it was asked for", async (t) => {
  const both = await start(t, undefined, { keys: signingKeys(secret, "whsec_b3RoZXI=") });
  await both.place.enqueue(1);
  await both.worker.start();
  await until(() => both.there.received.length === 1);
  const [signed] = both.there.received;
  for (const one of [secret, "whsec_b3RoZXI="]) {
    new Webhook(one).verify(signed?.body ?? "", signed?.headers as Record<string, string>);
  }
  const unsigned = await start(t, undefined, { keys: [] });
  const [delivery] = await unsigned.place.enqueue(1);
  await unsigned.worker.start();
  await until(() => unsigned.there.received.length === 1);
  const { headers } = unsigned.there.received[0] ?? assert.fail("nothing came");
  assert.deepEqual([headers["webhook-signature"], headers["webhook-id"]], [undefined, delivery?.id]);
  assert.match(headers["webhook-timestamp"] as string, /^\d{10}$/);
});

test("a receiver written for the older headers finds them under its own prefix, beside the standard's", async (t) => {
  for (const legacyPrefix of ["Bernstein", "Acme-2"]) {
    const { place, there, worker } = await start(t, undefined, { legacyPrefix, headers: { "x-a": "b" } });
    await place.enqueue(1);
    await worker.start();
    await until(() => there.received.length === 1);
    const { headers, body } = there.received[0] ?? assert.fail("nothing came");
    const key = Buffer.from(secret.slice(6), "base64");
    const older = (part: string) => headers[`x-${legacyPrefix.toLowerCase()}-${part}`];
    assert.equal(older("event"), "task.completed");
    assert.equal(older("signature"), createHmac("sha256", key).update(body).digest("hex"));
    assert.equal(older("timestamp"), headers["webhook-timestamp"]);
    assert.equal(headers["x-a"], "b");
  }
});
