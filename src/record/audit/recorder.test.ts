import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import type { NewEntry } from "../port/audit.ts";
import type { HookSwitch, Store } from "../../store/port/store.ts";
import { assertChained, entry, handler, numbers } from "../../store/port/store-harness.cases.ts";
import { RecordBench } from "./harness.cases.ts";
import { storedRecord } from "./stored-record.ts";
import { verifyRecord } from "./verify.ts";

const emit: NewEntry = { kind: "emit", event: "tool.before", actor: "agent:builder" };

/** A store that does what another does, counts it, and can be told to hold back or to fail. */
class WatchedStore {
  readonly calls: string[] = [];
  failing: { readonly call: keyof Store; readonly error: Error } | null = null;
  /** Calls of this one wait until it is let go. */
  held: { readonly call: keyof Store; readonly until: Promise<void> } | null = null;
  readonly store: Store;

  constructor(real: Store) {
    this.store = new Proxy(real, {
      get: (target, name: keyof Store) => {
        const method = target[name] as (...args: unknown[]) => Promise<unknown>;
        return async (...args: unknown[]) => {
          this.calls.push(name);
          if (this.failing?.call === name) throw this.failing.error;
          if (this.held?.call === name) await this.held.until;
          return method.apply(target, args);
        };
      },
    });
  }

  count(call: keyof Store): number {
    return this.calls.filter((each) => each === call).length;
  }

  hold(call: keyof Store): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held = { call, until: promise };
    return () => {
      this.held = null;
      resolve();
    };
  }
}

/** Every promise that could go on has done so, timers aside. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await quiet();
  return settled;
}

test("what is recorded in one turn is written in one transaction, in the order it came", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  const rows = await Promise.all(numbers(1, 32).map((n) => recorder.record({ ...emit, id: `evt_${n}` })));
  assert.equal(watched.count("append"), 1);
  assert.deepEqual(
    rows.map(({ seq, id }) => [seq, id]),
    numbers(1, 32).map((n) => [n, `evt_${n}`]),
  );
  assert.deepEqual(await watched.store.readRunEvents(0, 100), rows);
  await recorder.record(emit);
  assert.equal(watched.count("append"), 2);
  await recorder.close();
});

test("what comes while a transaction is under way is written in the next, together", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  await recorder.record(emit);
  const release = watched.hold("append");
  const first = recorder.record(emit);
  await quiet();
  const later: Promise<unknown>[] = [];
  for (let turn = 0; turn < 5; turn++) {
    later.push(recorder.record(emit));
    await quiet();
  }
  assert.deepEqual([watched.count("append"), await isSettled(first)], [2, false]);
  release();
  await Promise.all([first, ...later]);
  assert.equal(watched.count("append"), 3);
  await assertChained(watched.store, 7);
  await recorder.close();
});

test("nobody is told before the transaction is committed", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  const release = watched.hold("append");
  const recorded = recorder.record(emit);
  assert.equal(await isSettled(recorded), false);
  assert.equal((await watched.store.head()).seq, 0);
  release();
  await recorded;
  assert.equal((await watched.store.head()).seq, 1);
  await recorder.close();
});

test("an emit does not wait for the disk", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  await recorder.record(emit);
  const release = watched.hold("sync");
  await recorder.record(emit);
  release();
  await recorder.close();
});

for (const [what, durability, kind] of [
  ["with power_loss every row", "power_loss", "emit"],
  ["an intent", "process", "intent"],
  ["an outcome", "process", "outcome"],
] as const) {
  test(`${what} waits for an fsync that began after it was written`, async (t) => {
    const bench = new RecordBench(t);
    const watched = new WatchedStore(bench.open());
    const recorder = bench.recorder(watched.store, durability);
    await recorder.record({ ...emit, kind: "intent" });
    const release = watched.hold("sync");
    const from = watched.calls.length;
    const recorded = recorder.record({ ...emit, kind });
    assert.equal(await isSettled(recorded), false);
    assert.deepEqual(watched.calls.slice(from), ["append", "saveSignedHead", "sync"]);
    release();
    await recorded;
    await recorder.close();
  });
}

test("rows that do not have to wait for the disk do not wait for those of their group that have to", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  await recorder.record(emit);
  const release = watched.hold("sync");
  const [plain, effect] = [recorder.record(emit), recorder.record({ ...emit, kind: "intent" })];
  await plain;
  assert.equal(await isSettled(effect), false);
  await recorder.record(emit); // the next group is not held up either
  release();
  await effect;
  await recorder.close();
});

test("when the fsync fails, those who wait for it are told, and it is tried again", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store, "power_loss");
  await recorder.record(emit);
  const error = new Error("no space left");
  watched.failing = { call: "sync", error };
  await assert.rejects(recorder.record(emit), error);
  watched.failing = null;
  const syncs = watched.count("sync");
  await bench.clock.advance(100);
  assert.equal(watched.count("sync"), syncs + 1);
  await recorder.record(emit);
  await recorder.close();
});

test("a transaction that fails is told to its own group and to nobody after it", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  const kept = await recorder.record(emit);
  const error = new Error("disk full");
  watched.failing = { call: "append", error };
  const group = Promise.allSettled([recorder.record(emit), recorder.record(emit)]);
  await quiet();
  watched.failing = null;
  const later = recorder.record(emit);
  assert.deepEqual(await group, [
    { status: "rejected", reason: error },
    { status: "rejected", reason: error },
  ]);
  const { prev_hash, seq } = await later;
  assert.deepEqual([prev_hash, seq], [kept.hash, 2]);
  await recorder.close();
  await assertChained(watched.store, 2);
});

test("a first look at the record that fails is told to its group, and the next one looks again", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  watched.failing = { call: "saveSignedHead", error: new Error("busy") };
  await assert.rejects(recorder.record(emit), /busy/);
  watched.failing = null;
  await recorder.record(emit);
  await recorder.close();
  assert.equal((await bench.verified()).is_intact, true);
});

test("rows are signed and fsynced at most 100 ms after they were written", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  const { seq } = await recorder.record(emit);
  await bench.clock.advance(40);
  await recorder.record(emit); // does not put off the first one's
  const before = watched.count("sync");
  assert.equal((await watched.store.signedHead())?.seq, 0);
  await bench.clock.advance(60);
  assert.equal(watched.count("sync"), before + 1);
  assert.equal((await watched.store.signedHead())?.seq, seq + 1);
  const signed = watched.calls.lastIndexOf("saveSignedHead");
  assert.ok(signed < watched.calls.lastIndexOf("sync"), "the signature is on the disk with its rows");
  await bench.clock.advance(1_000);
  assert.deepEqual(
    [watched.count("sync"), bench.clock.pendingTimers],
    [before + 1, 0],
    "nothing to do, nothing done",
  );
  await recorder.close();
});

test("signing and fsyncing that fails is tried again until it works", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  await recorder.record(emit);
  for (const call of ["saveSignedHead", "sync"] as const) {
    watched.failing = { call, error: new Error("disk full") };
    await bench.clock.advance(300);
    assert.ok(watched.count(call) >= 3);
  }
  watched.failing = null;
  await bench.clock.advance(100);
  assert.equal((await watched.store.signedHead())?.seq, 1);
  assert.equal(bench.clock.pendingTimers, 0);
  await recorder.close();
});

test("a store that an fsync has failed in is not asked again, which is said once", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  await recorder.record(emit);
  const params = { location: "swarm.db-wal", problem: "EIO" };
  const error = new SwarmError("SWARM_STORE_DAMAGED", params);
  watched.failing = { call: "sync", error };
  await bench.clock.advance(100);
  const syncs = watched.count("sync");
  await bench.clock.advance(1_000);
  assert.equal(watched.count("sync"), syncs);
  assert.equal(bench.clock.pendingTimers, 0);
  assert.deepEqual(bench.warnings, [error.message]);
  await assert.rejects(recorder.close(), error);
});

test("an outcome has the id of its intent, and what the intent told", async (t) => {
  const bench = new RecordBench(t);
  const store = bench.open();
  const recorder = bench.recorder(store);
  const told = {
    event: "merge.started",
    actor: "human:ada",
    session: "s1",
    agent: "a",
    task: "t",
    cwd: "/w",
  };
  const end = await recorder.intent({ ...told, hook: "h", handlers: [handler()], before: "{}", ms: 3 });
  const [intent] = await store.readRunEvents(0, 1);
  assert.deepEqual(
    [intent?.kind, intent?.outcome, intent?.ref, intent?.ms, intent?.handlers.length],
    ["intent", "open", null, 3, 1],
  );
  assert.deepEqual(await store.openIntents(10), [intent]);
  await bench.clock.advance(5_000);
  await end({ outcome: "failed", reason: "conflict", ms: 12.3456 });
  const [outcome = assert.fail()] = await store.readRunEvents(1, 1);
  const { id: _id, seq: _seq, time, hash: _hash, prev_hash, ...rest } = outcome;
  const { id, seq: _s, time: intentTime, hash, prev_hash: _p, ...same } = intent ?? assert.fail();
  const changes = { kind: "outcome", ref: id, outcome: "failed", reason: "conflict", ms: 12.346 };
  assert.deepEqual(rest, { ...same, ...changes, handlers: [], before_hash: null });
  assert.deepEqual([prev_hash, Date.parse(time) - Date.parse(intentTime)], [hash, 5_000]);
  assert.deepEqual(await store.openIntents(10), []);
  await recorder.close();
});

test("an intent whose process died is shown to whoever verifies", async (t) => {
  const bench = new RecordBench(t);
  const store = bench.open();
  const crashed = bench.recorder(store);
  await (await crashed.intent({ event: "merge.started", actor: "swarm", id: "evt_ended" }))({
    outcome: "completed",
  });
  await crashed.intent({ event: "merge.started", actor: "swarm", id: "evt_open" });
  const { open_intents, is_intact } = await verifyRecord(await storedRecord(store, bench.key.publicKey));
  assert.deepEqual([open_intents, is_intact], [["evt_open"], true]);
});

test("who listens is told of every row after it was written, until they have enough", async (t) => {
  const bench = new RecordBench(t);
  const store = bench.open();
  const recorder = bench.recorder(store);
  const heard: [number, boolean][] = [];
  const stop = recorder.onRecorded(({ seq }) => {
    void store.head().then((head) => heard.push([seq, head.seq >= seq]));
  });
  await Promise.all([recorder.record(emit), recorder.record(emit)]);
  await recorder.intent({ event: "merge.started", actor: "swarm" });
  await quiet();
  assert.deepEqual(heard, [
    [1, true],
    [2, true],
    [3, true],
  ]);
  stop();
  await recorder.record(emit);
  await quiet();
  assert.equal(heard.length, 3);
  await recorder.close();
});

test("a listener that throws stops neither the record nor the other listeners", async (t) => {
  const bench = new RecordBench(t);
  const recorder = bench.recorder(bench.open());
  const heard: number[] = [];
  recorder.onRecorded(() => {
    throw new Error("broken listener");
  });
  recorder.onRecorded(({ seq }) => void heard.push(seq));
  await Promise.all([recorder.record(emit), recorder.record(emit)]);
  await recorder.record(emit);
  await recorder.close();
  assert.deepEqual([heard, bench.warnings.length], [[1, 2, 3], 3]);
});

test("a change is written with the row that tells of it, and if it is impossible nothing else is lost", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  const hookSwitch = {
    hook_id: "h",
    is_enabled: false,
    time: "2026-01-01T00:00:00.000Z",
    actor: "human:ada",
  };
  const disable = (row: HookSwitch) =>
    recorder.record(
      { kind: "change", event: "hook.disabled", actor: "human:ada" },
      { kind: "hook_switch", row },
    );
  const impossible = { ...hookSwitch, actor: "\ud800" };
  const [, possible, refused] = await Promise.allSettled([
    recorder.record(emit),
    disable(hookSwitch),
    disable(impossible),
    recorder.record(emit),
  ]);
  assert.deepEqual([possible.status, refused.status], ["fulfilled", "rejected"]);
  assert.deepEqual([watched.count("append"), await watched.store.listHookSwitches()], [4, [hookSwitch]]);
  await assertChained(watched.store, 3);
  await recorder.close();
});

test("closing writes, signs and fsyncs everything", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  const recorded = numbers(1, 5).map(() => recorder.record(emit));
  await recorder.close();
  assert.deepEqual(watched.calls.slice(-2), ["saveSignedHead", "sync"]);
  assert.equal((await Promise.all(recorded)).length, 5);
  const { is_intact, rows, signed_seq, unsigned_rows } = await bench.verified();
  assert.deepEqual(
    { is_intact, rows, signed_seq, unsigned_rows },
    { is_intact: true, rows: 5, signed_seq: 5, unsigned_rows: 0 },
  );
  assert.equal(bench.clock.pendingTimers, 0);
});

test("closing waits for an fsync that a timer began", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  await recorder.record(emit);
  const release = watched.hold("sync");
  await bench.clock.advance(100);
  const closed = recorder.close();
  assert.equal(await isSettled(closed), false);
  release();
  await closed;
});

test("closing after an fsync that failed tries again, and tells when that fails too", async (t) => {
  const bench = new RecordBench(t);
  const watched = new WatchedStore(bench.open());
  const recorder = bench.recorder(watched.store);
  await recorder.record(emit);
  watched.failing = { call: "sync", error: new Error("disk full") };
  await assert.rejects(recorder.close(), /disk full/);
  watched.failing = null;
  await recorder.close();
  assert.equal((await bench.verified()).unsigned_rows, 0);
});

test("what comes after closing is refused", async (t) => {
  const bench = new RecordBench(t);
  const store = bench.open();
  const recorder = bench.recorder(store);
  await recorder.close();
  await recorder.close();
  await assert.rejects(recorder.record(emit), { code: "SWARM_ENGINE_CLOSED" });
  assert.equal((await store.head()).seq, 0);
});

test("an entry that tells little is filled in", async (t) => {
  const bench = new RecordBench(t);
  const recorder = bench.recorder(bench.open());
  const { id, hash: _hash, prev_hash: _prev, ...rest } = await recorder.record({ ...emit, ms: 1.23456 });
  const { id: _id, before: _before, after: _after, ...blank } = entry({ ms: 1.235 });
  const time = new Date(bench.clock.now()).toISOString();
  assert.deepEqual(rest, { ...blank, seq: 1, time, before_hash: null, after_hash: null });
  assert.match(id, /^evt_/);
  await recorder.close();
});

test("texts no store could give back are made whole before they are hashed", async (t) => {
  const bench = new RecordBench(t);
  const store = bench.open();
  const recorder = bench.recorder(store);
  const broken = "half \ud83d and \ude00 and \u0000, whole 😀";
  const texts = {
    session: broken,
    agent: broken,
    reason: broken,
    cwd: broken,
    before: broken,
    after: broken,
  };
  const row = await recorder.record({
    ...emit,
    ...texts,
    handlers: [handler({ reason: broken, hook_id: broken })],
  });
  assert.equal(row.reason, "half \ufffd and \ufffd and \ufffd, whole 😀");
  assert.deepEqual(await store.readRunEvents(0, 1), [row]);
  await recorder.close();
  assert.deepEqual((await bench.verified()).faults, []);
});

test("two processes' recorders on one record sign what the other wrote, once they have looked at it", async (t) => {
  const bench = new RecordBench(t);
  const [one, other] = [bench.recorder(bench.open()), bench.recorder(bench.open())];
  for (let turn = 0; turn < 10; turn++) {
    await Promise.all([one.record(emit), other.record(emit)]);
    if (turn % 3 === 0) await bench.clock.advance(100);
  }
  await one.close();
  await other.record(emit);
  await other.close();
  const { is_intact, rows, unsigned_rows } = await bench.verified();
  assert.deepEqual({ is_intact, rows, unsigned_rows }, { is_intact: true, rows: 21, unsigned_rows: 0 });
  assert.deepEqual([one.fault, other.fault, bench.warnings], [null, null, []]);
});

test("a payload that is too large is not kept, and nobody is suspected of having taken it", async (t) => {
  const bench = new RecordBench(t);
  const store = bench.open();
  const recorder = bench.recorder(store);
  await recorder.record({ ...emit, before: "x".repeat(300_000) });
  await recorder.record({ ...emit, before: "{}" });
  await recorder.close();
  assert.deepEqual([await store.findPayload(1), (await store.findPayload(2))?.before], [null, "{}"]);
  const { faults, is_intact } = await verifyRecord(await storedRecord(store, bench.key));
  assert.deepEqual({ faults, is_intact }, { faults: [], is_intact: true });
});
