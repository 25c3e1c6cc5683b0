import assert from "node:assert/strict";
import { test } from "node:test";
import type { PendingDelivery } from "./port/outbox-store.ts";
import { Place, receiver, until } from "./harness.cases.ts";

test("giving up what is too old does not close the breaker of a receiver that is still away", async (t) => {
  const place = new Place(t);
  const there = await receiver(t, () => 502);
  const find = async () => place.receiver(there.url, { maxAgeMs: 3_600_000 });
  const worker = place.worker(find, { random: () => 0.999 });
  await place.enqueue(3);
  place.shiftMs = 3_500_000;
  const [young] = await place.enqueue(1);
  place.shiftMs = 3_600_000;
  await worker.start();
  await until(async () => (await place.store.outbox.find(young?.id ?? ""))?.attempts === 1);
  const [target] = await place.store.outbox.targets();
  assert.deepEqual([target?.failures, there.received.length], [4, 4]);
});

test("Retry-After holds for the next delivery too, when this one is given up", async (t) => {
  const place = new Place(t);
  const there = await receiver(t, () => [429, { "retry-after": "3600" }]);
  const worker = place.worker(async () => place.receiver(there.url, { retry: 0 }));
  const [first, second] = await place.enqueue(2);
  await worker.start();
  await until(async () => (await place.store.outbox.find(first?.id ?? ""))?.state === "dead");
  const [target] = await place.store.outbox.targets();
  assert.ok((target?.next_at_ms ?? 0) > place.clock.now() + 3_500_000);
  assert.deepEqual(there.ids(), [first?.id]);
  assert.equal((await place.store.outbox.find(second?.id ?? ""))?.attempts, 0);
});

test("what waits for a broken file is given up after three days, and what comes after it goes on", async (t) => {
  const place = new Place(t);
  const there = await receiver(t);
  const broken = { problem: "the file is broken", isFinal: false };
  const find = async ({ hook_id }: PendingDelivery) =>
    hook_id === "hook_1" ? broken : place.receiver(there.url);
  const worker = place.worker(find);
  const [waiting] = await place.enqueue(1);
  const [next] = await place.enqueue(1, { hook_id: "hook_2" });
  place.shiftMs = 259_199_000;
  await worker.start();
  await until(async () => (await place.store.outbox.find(waiting?.id ?? ""))?.last_error !== null);
  assert.equal((await place.store.outbox.find(waiting?.id ?? ""))?.state, "pending");
  place.shiftMs = 259_300_000;
  worker.wake();
  await until(() => there.received.length === 1);
  assert.deepEqual(there.ids(), [next?.id]);
  await until(() => place.givenUp.length === 1);
  assert.equal(place.givenUp[0]?.last_error, "the file is broken");
});

test("one that was given up and cannot be told of does not keep the others from being told", async (t) => {
  const place = new Place(t);
  const there = await receiver(t, () => 410);
  const told: string[] = [];
  const onGivenUp = async ({ id }: PendingDelivery) => {
    told.push(id);
    if (told.length === 1) throw new Error("its project's file is broken");
  };
  const worker = place.worker(async () => place.receiver(there.url), { onGivenUp });
  const deliveries = await place.enqueue(3);
  await worker.start();
  await until(async () => (await place.store.outbox.totals()).dead === 3);
  await worker.stop(60_000);
  assert.deepEqual(
    told,
    deliveries.map(({ id }) => id),
  );
  assert.deepEqual(place.warnings, ["its project's file is broken"]);
});
