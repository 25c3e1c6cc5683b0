import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../../base/ids.ts";
import type { ClaimQuery, Delivery, DeliveryResult, NewDelivery, TargetProgress } from "./outbox-store.ts";
import type { Store } from "../../../store/port/store.ts";
import {
  allRows,
  append,
  entry,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";

const nowMs = 1_000_000;

export function newDelivery(changes: Partial<NewDelivery> = {}): NewDelivery {
  return {
    id: newId("msg"),
    event: "task.completed",
    event_id: newId("evt"),
    hook_id: "hook_1",
    hook: "notify",
    target: "tgt_1",
    cwd: "/w",
    body: '{"a": "ü"}',
    created_at_ms: nowMs,
    ...changes,
  };
}

export function enqueue(store: Store, ...deliveries: NewDelivery[]): Promise<unknown> {
  return append(store, [entry()], [{ kind: "outbox_enqueue", deliveries }]);
}

function replay(store: Store, id: string, atMs = nowMs): Promise<unknown> {
  return append(store, [entry()], [{ kind: "outbox_replay", id, nowMs: atMs }]);
}

const claim = (store: Store, changes: Partial<ClaimQuery> = {}) =>
  store.outbox.claim({ owner: "a", nowMs, leaseUntilMs: nowMs + 100, limit: 10, ...changes });

async function settle(store: Store, told: readonly Told[], changes: Partial<TargetProgress> = {}) {
  const results = await Promise.all(
    told.map(async (one) => ({ ...one, seq: (await store.outbox.find(one.id))?.seq ?? 0 })),
  );
  const progress = {
    owner: "a",
    target: "tgt_1",
    nowMs,
    results,
    moved: [],
    failures: 0,
    last_error: null,
    nextAtMs: nowMs,
  };
  return append(store, [entry()], [{ kind: "outbox_settle", ...progress, ...changes }]);
}

type Told = Omit<DeliveryResult, "seq">;

function result(id: string, changes: Partial<Told> = {}): Told {
  return { id, state: "delivered", attempts: 1, retries: 0, last_status: 204, last_error: null, ...changes };
}

const ids = (deliveries: readonly Pick<Delivery, "id">[]) => deliveries.map(({ id }) => id);
const targetsOf = (claimed: readonly { target: string }[]) => claimed.map(({ target }) => target).sort();

export function outboxCases(prepare: PrepareStore): void {
  test("a delivery is there with the row that tells of its event, after the store was closed too", async (t) => {
    const open = await openerFor(t, prepare);
    const first = await open();
    const delivery = newDelivery();
    await enqueue(first, delivery);
    await first.close();
    const store = await open();
    const fresh = { attempts: 0, retries: 0, last_status: null, last_error: null };
    const found = await store.outbox.find(delivery.id);
    const sent = { ...delivery, ...fresh, seq: found?.seq };
    assert.deepEqual(await store.outbox.pending(["tgt_1"], 10), [sent]);
    const kept = { ...delivery, ...fresh, state: "pending", ended_at_ms: null };
    assert.deepEqual(found, { ...kept, seq: found?.seq });
    assert.equal((await allRows(store)).length, 1);
  });

  test("neither the row nor the delivery is there when one of them cannot be written", async (t) => {
    const store = await openOne(t, prepare);
    const delivery = newDelivery();
    await enqueue(store, delivery);
    await assert.rejects(enqueue(store, newDelivery(), delivery), { code: "SWARM_STORE_FAILED" });
    assert.equal((await allRows(store)).length, 1);
    assert.deepEqual(ids(await store.outbox.pending(["tgt_1"], 10)), [delivery.id]);
  });

  test("what is pending for a target is handed out oldest first", async (t) => {
    const store = await openOne(t, prepare);
    const deliveries = [newDelivery(), newDelivery({ target: "tgt_2" }), newDelivery(), newDelivery()];
    await enqueue(store, ...deliveries);
    const [first, second, third] = deliveries;
    assert.deepEqual(ids(await store.outbox.pending(["tgt_1"], 2)), [first?.id, third?.id]);
    const both = await store.outbox.pending(["tgt_2", "tgt_1", "tgt_none"], 1);
    assert.deepEqual(ids(both), [first?.id, second?.id]);
  });

  test("a target is one owner's until its lease ends", async (t) => {
    const store = await openOne(t, prepare);
    await enqueue(store, newDelivery(), newDelivery({ target: "tgt_2" }));
    assert.deepEqual(targetsOf(await claim(store)), ["tgt_1", "tgt_2"]);
    assert.deepEqual(await claim(store, { owner: "b" }), []);
    assert.deepEqual(await claim(store, { owner: "b", nowMs: nowMs + 99 }), []);
    const later = { owner: "b", nowMs: nowMs + 100, leaseUntilMs: nowMs + 200 };
    assert.deepEqual(targetsOf(await claim(store, later)), ["tgt_1", "tgt_2"]);
  });

  test("what an owner had is free once it gives it back, and nobody else's", async (t) => {
    const store = await openOne(t, prepare);
    await enqueue(store, newDelivery({ created_at_ms: nowMs - 1 }), newDelivery({ target: "tgt_2" }));
    await claim(store, { limit: 1 });
    await claim(store, { owner: "b" });
    assert.deepEqual(await claim(store), []);
    await store.outbox.release("a");
    assert.deepEqual(await claim(store), [{ target: "tgt_1", failures: 0 }]);
  });

  test("no more targets are taken than asked for, the one that waits longest first", async (t) => {
    const store = await openOne(t, prepare);
    await enqueue(store, newDelivery({ target: "tgt_2", created_at_ms: nowMs - 1 }), newDelivery());
    assert.deepEqual(targetsOf(await claim(store, { limit: 1 })), ["tgt_2"]);
    assert.deepEqual(targetsOf(await claim(store, { limit: 1, owner: "b" })), ["tgt_1"]);
  });

  test("stores that claim at once never get the same target", async (t) => {
    const open = await openerFor(t, prepare);
    const stores = await Promise.all([open(), open(), open()]);
    const [first] = stores;
    const deliveries = Array.from({ length: 60 }, (_, at) => newDelivery({ target: `tgt_${at}` }));
    if (first !== undefined) await enqueue(first, ...deliveries);
    const taken: string[] = [];
    await Promise.all(
      stores.map(async (store, at) => {
        for (let round = 0; round < 10; round++) {
          taken.push(...targetsOf(await claim(store, { owner: `owner_${at}`, limit: 3 })));
        }
      }),
    );
    assert.deepEqual(taken.sort(), deliveries.map(({ target }) => target).sort());
  });

  test("what was delivered is no longer pending, and its target waits for nothing", async (t) => {
    const store = await openOne(t, prepare);
    const delivery = newDelivery();
    await enqueue(store, delivery);
    await claim(store);
    await settle(store, [result(delivery.id)], { nowMs: nowMs + 5 });
    const found = await store.outbox.find(delivery.id);
    assert.deepEqual(
      [found?.state, found?.attempts, found?.last_status, found?.ended_at_ms],
      ["delivered", 1, 204, nowMs + 5],
    );
    assert.deepEqual(await store.outbox.pending(["tgt_1"], 10), []);
    assert.equal(await store.outbox.nextDueAtMs(), null);
    assert.deepEqual(await claim(store), []);
    await enqueue(store, newDelivery({ created_at_ms: nowMs + 9 }));
    assert.equal(await store.outbox.nextDueAtMs(), nowMs + 9);
  });

  test("a target that failed waits, and what is queued meanwhile waits with it", async (t) => {
    const store = await openOne(t, prepare);
    const delivery = newDelivery();
    await enqueue(store, delivery);
    await claim(store);
    const failed = result(delivery.id, { state: "pending", last_status: 503, last_error: "503", retries: 1 });
    await settle(store, [failed], { failures: 2, last_error: "503", nextAtMs: nowMs + 50 });
    await enqueue(store, newDelivery());
    assert.equal(await store.outbox.nextDueAtMs(), nowMs + 50);
    assert.deepEqual(await claim(store, { nowMs: nowMs + 49 }), []);
    assert.deepEqual(await store.outbox.targets(), [
      { target: "tgt_1", failures: 2, next_at_ms: nowMs + 50, last_error: "503", hook: delivery.hook },
    ]);
    assert.deepEqual(await store.outbox.totals(), { pending: 2, dead: 0, open_targets: 1 });
    assert.deepEqual(await claim(store, { nowMs: nowMs + 50 }), [{ target: "tgt_1", failures: 2 }]);
    const [first] = await store.outbox.pending(["tgt_1"], 1);
    assert.deepEqual([first?.id, first?.attempts, first?.retries], [delivery.id, 1, 1]);
  });

  test("whoever has lost a target writes nothing any more", async (t) => {
    const store = await openOne(t, prepare);
    const delivery = newDelivery();
    await enqueue(store, delivery);
    await claim(store);
    await claim(store, { owner: "b", nowMs: nowMs + 100, leaseUntilMs: nowMs + 200 });
    await assert.rejects(settle(store, [result(delivery.id)]), { code: "SWARM_TARGET_LOST" });
    assert.equal((await allRows(store)).length, 1);
    assert.equal((await store.outbox.find(delivery.id))?.state, "pending");
    await settle(store, [result(delivery.id)], { owner: "b" });
    assert.equal((await store.outbox.find(delivery.id))?.state, "delivered");
  });

  test("a lease is renewed for its owner alone, and for no other target of its", async (t) => {
    const store = await openOne(t, prepare);
    for (const target of ["tgt_1", "tgt_2", "tgt_3"]) await enqueue(store, newDelivery({ target }));
    await claim(store, { limit: 2 });
    await claim(store, { owner: "b" });
    const targets = ["tgt_1", "tgt_3"];
    await store.outbox.renew({ owner: "a", targets, leaseUntilMs: nowMs + 300 });
    const lapsed = await claim(store, { owner: "c", nowMs: nowMs + 200, leaseUntilMs: nowMs + 900 });
    assert.deepEqual(lapsed.map(({ target }) => target).sort(), ["tgt_2", "tgt_3"]);
    assert.equal(await store.outbox.nextDueAtMs(), nowMs + 300);
  });

  test("what is moved to another target waits there in its order, and what is not stays", async (t) => {
    const store = await openOne(t, prepare);
    const own = { hook_id: "hook_2", cwd: "/a" };
    const [first, stays, second] = [newDelivery(own), newDelivery(), newDelivery(own)];
    const [elsewhere, later] = [newDelivery({ ...own, cwd: null }), newDelivery({ ...own, target: "tgt_2" })];
    await enqueue(store, first, stays, second, elsewhere, later);
    await claim(store, { limit: 1 });
    await settle(store, [result(first.id)], { moved: [{ ...own, to: "tgt_2" }] });
    assert.deepEqual(ids(await store.outbox.pending(["tgt_2"], 9)), [second.id, later.id]);
    assert.deepEqual(ids(await store.outbox.pending(["tgt_1"], 9)), [stays.id, elsewhere.id]);
    assert.deepEqual((await claim(store)).map(({ target }) => target).sort(), ["tgt_1", "tgt_2"]);
  });

  test("a target that nothing is left of when all is moved waits for nothing, and the other is due", async (t) => {
    const store = await openOne(t, prepare);
    await enqueue(store, newDelivery());
    await claim(store);
    await settle(store, [], { moved: [{ hook_id: "hook_1", cwd: "/w", to: "tgt_2" }] });
    assert.deepEqual(
      (await store.outbox.targets()).map(({ target, next_at_ms }) => [target, next_at_ms]),
      [
        ["tgt_1", null],
        ["tgt_2", nowMs],
      ],
    );
  });

  test("the next due time counts a lease that was not given back", async (t) => {
    const store = await openOne(t, prepare);
    await enqueue(store, newDelivery());
    await claim(store);
    assert.equal(await store.outbox.nextDueAtMs(), nowMs + 100);
  });

  test("each delivery of a batch has its own end, alike or not", async (t) => {
    const store = await openOne(t, prepare);
    const deliveries = Array.from({ length: 8 }, () => newDelivery());
    await enqueue(store, ...deliveries);
    await claim(store);
    // Each differs from the one before it in one thing.
    const dead: Partial<Told> = { state: "dead" };
    const changes = [
      {},
      {},
      dead,
      { ...dead, attempts: 2 },
      { ...dead, attempts: 2, retries: 1 },
      { ...dead, attempts: 2, retries: 1, last_status: 410 },
      { ...dead, attempts: 2, retries: 1, last_status: 410, last_error: "410" },
      { state: "pending", attempts: 2, retries: 1, last_status: 410, last_error: "410" },
    ] satisfies Partial<Told>[];
    const told = deliveries.map(({ id }, at) => result(id, changes[at]));
    await settle(store, told, { nowMs: nowMs + 3 });
    const stored = await Promise.all(deliveries.map(({ id }) => store.outbox.find(id)));
    for (const [at, found] of stored.entries()) {
      const ended_at_ms = told[at]?.state === "pending" ? null : nowMs + 3;
      assert.deepEqual({ ...found }, { ...found, ...told[at], ended_at_ms });
    }
  });

  test("a dead or delivered one is replayed under its own id, as if it were new", async (t) => {
    const store = await openOne(t, prepare);
    const [dead, delivered] = [newDelivery(), newDelivery()];
    await enqueue(store, dead, delivered);
    await claim(store);
    const gone = result(dead.id, {
      state: "dead",
      last_status: 410,
      last_error: "410",
      attempts: 4,
      retries: 3,
    });
    await settle(store, [gone, result(delivered.id)]);
    assert.deepEqual(await store.outbox.totals(), { pending: 0, dead: 1, open_targets: 0 });
    await replay(store, dead.id, nowMs + 7);
    const { seq: _seq, ...found } = (await store.outbox.find(dead.id)) ?? {};
    const fresh = { state: "pending", attempts: 0, retries: 0, last_status: null, last_error: null };
    assert.deepEqual(found, { ...dead, ...fresh, created_at_ms: nowMs + 7, ended_at_ms: null });
    assert.equal(await store.outbox.nextDueAtMs(), nowMs + 7);
    await replay(store, delivered.id);
    assert.equal((await store.outbox.pending(["tgt_1"], 10)).length, 2);
  });

  test("what is pending or unknown is not replayed, and no row says it was", async (t) => {
    const store = await openOne(t, prepare);
    const delivery = newDelivery();
    await enqueue(store, delivery);
    await assert.rejects(replay(store, delivery.id), { code: "SWARM_DELIVERY_PENDING" });
    await assert.rejects(replay(store, "msg_none"), { code: "SWARM_DELIVERY_UNKNOWN" });
    assert.equal((await allRows(store)).length, 1);
  });

  test("deliveries are listed newest first, by state and by hook, in pages", async (t) => {
    const store = await openOne(t, prepare);
    const [a, b, c] = [newDelivery(), newDelivery({ hook_id: "hook_2" }), newDelivery()];
    await enqueue(store, a, b, c);
    await claim(store);
    await settle(store, [result(a.id, { state: "dead" })]);
    assert.deepEqual(ids(await store.outbox.list({ limit: 10 })), [c.id, b.id, a.id]);
    assert.deepEqual(ids(await store.outbox.list({ limit: 10, state: "dead" })), [a.id]);
    assert.deepEqual(ids(await store.outbox.list({ limit: 10, hookId: "hook_2" })), [b.id]);
    const [newest] = await store.outbox.list({ limit: 1 });
    assert.deepEqual(ids(await store.outbox.list({ limit: 10, beforeSeq: newest?.seq })), [b.id, a.id]);
  });

  test("only what has ended is forgotten", async (t) => {
    const store = await openOne(t, prepare);
    const [old, young, pending] = [newDelivery(), newDelivery(), newDelivery({ created_at_ms: 1 })];
    await enqueue(store, old, young, pending);
    await claim(store);
    await settle(store, [result(old.id)], { nowMs: nowMs - 10 });
    await claim(store);
    await settle(store, [result(young.id)]);
    assert.equal(await store.outbox.expire(nowMs), 1);
    assert.deepEqual(ids(await store.outbox.list({ limit: 10 })), [pending.id, young.id]);
  });
}
