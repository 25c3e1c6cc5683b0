import assert from "node:assert/strict";
import { test } from "node:test";
import { Place, receiver, until } from "./harness.cases.ts";

test("a receiver that takes longer than a lease is asked once, by its own worker and by others", async (t) => {
  const place = new Place(t);
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const there = await receiver(t);
  let requests = 0;
  there.server.removeAllListeners("request");
  there.server.on("request", (_request, response) => {
    requests++;
    asked.resolve();
    void answered.promise.then(() => response.writeHead(204).end());
  });
  const worker = place.worker(async () => place.receiver(there.url));
  const [delivery] = await place.enqueue(1);
  await worker.start();
  await asked.promise;
  const other = { owner: "b", leaseUntilMs: 0, limit: 9 };
  for (let minute = 0; minute < 5; minute++) {
    place.shiftMs += 60_000;
    worker.wake();
    await until(async () => ((await place.store.outbox.nextDueAtMs()) ?? 0) > place.clock.now() + 110_000);
    assert.deepEqual(await place.store.outbox.claim({ ...other, nowMs: place.clock.now() }), []);
  }
  // As a machine does that was put to sleep.
  place.shiftMs += 3_600_000;
  worker.wake();
  await until(async () => ((await place.store.outbox.nextDueAtMs()) ?? 0) > place.clock.now());
  answered.resolve();
  await until(async () => (await place.store.outbox.find(delivery?.id ?? ""))?.state === "delivered");
  assert.equal(requests, 1);
});

test("what a worker that died had claimed is sent by the next one at once", async (t) => {
  const place = new Place(t);
  const there = await receiver(t);
  const worker = place.worker(async () => place.receiver(there.url));
  const [delivery] = await place.enqueue(1);
  const nowMs = place.clock.now();
  await place.store.outbox.claim({ owner: "a", nowMs, leaseUntilMs: nowMs + 999_999, limit: 9 });
  await worker.start();
  await until(async () => (await place.store.outbox.find(delivery?.id ?? ""))?.state === "delivered");
  assert.equal(there.received.length, 1);
});

test("a worker that was too slow tells what it sent, and settles nothing", async (t) => {
  const place = new Place(t);
  const there = await receiver(t);
  const worker = place.worker(async () => place.receiver(there.url));
  const [delivery] = await place.enqueue(1);
  there.server.prependListener("request", () => {
    const nowMs = place.clock.now() + 999_999;
    void place.store.outbox.claim({ owner: "b", nowMs, leaseUntilMs: nowMs + 999_999, limit: 9 });
  });
  await worker.start();
  await until(async () => (await place.store.listRunEvents({ limit: 9, kind: "outcome" })).length === 1);
  const [outcome] = await place.store.listRunEvents({ limit: 1, kind: "outcome" });
  assert.match(outcome?.reason ?? "", /is another worker's by now/);
  assert.equal((await place.store.outbox.find(delivery?.id ?? ""))?.state, "pending");
});
