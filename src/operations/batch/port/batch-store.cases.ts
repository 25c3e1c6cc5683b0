import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ProcessIdentity } from "../../../base/process-identity.ts";
import { type BatchRun, type BatchState, noProgress } from "./batch-run.ts";
import type { BatchChange, BatchRunBegun, BatchRunEnded } from "./batch-store.ts";
import type { Store } from "../../../store/port/store.ts";
import {
  append,
  entry,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";

const here: ProcessIdentity = { place: "here", pid: 7, born: "123" };
const next: ProcessIdentity = { ...here, pid: 8 };
const time = "2026-01-01T00:00:00.000Z";
const later = "2026-01-01T00:01:00.000Z";
const half = { ...noProgress, done_count: 5, failed_count: 1, input_bytes: 60, input_size: 100 };
const whole = {
  ...half,
  done_count: 9,
  input_bytes: 100,
  results_bytes: 90,
  errors_bytes: 10,
  duration_ms: 7,
};

function run(changes: Partial<BatchRun> = {}): BatchRun {
  return {
    run_id: "r1",
    name: "scores",
    processor: "echo",
    state: "running",
    reason: null,
    spec: { run_id: "r1", config: { deep: [1] } },
    leg: 1,
    owner: here,
    runner: null,
    intent_id: "evt_1",
    created_at: time,
    created_by: "human:ann",
    started_at: time,
    ended_at: null,
    ...noProgress,
    ...changes,
  };
}

function make(store: Store, change: BatchChange) {
  return append(store, [entry({ kind: "change", event: "batch.submitted" })], [change]);
}

const add = (store: Store, changes: Partial<BatchRun> = {}) =>
  make(store, { kind: "batch_run_added", run: run(changes) });

function begun(changes: Partial<BatchRunBegun> = {}): BatchRunBegun {
  const from = { after_leg: 1, from: "interrupted" } as const;
  return {
    kind: "batch_run_begun",
    run_id: "r1",
    ...from,
    owner: next,
    intent_id: "evt_2",
    started_at: later,
    ...changes,
  };
}

function ended(changes: Partial<BatchRunEnded> = {}): BatchRunEnded {
  return {
    kind: "batch_run_ended",
    run_id: "r1",
    leg: 1,
    owner: here,
    state: "completed",
    reason: null,
    ended_at: later,
    progress: whole,
    ...changes,
  };
}

const isLost = { code: "SWARM_BATCH_RUN_LOST" };

/** What every driver of batch runs runs in full. */
export function batchStoreCases(driver: string, prepare: PrepareStore): void {
  suite(`batch runs on ${driver}`, () => {
    test("keeps a run as it was given, also for whoever opens the store next", async (t) => {
      const open = await openerFor(t, prepare);
      const store = await open();
      assert.equal(await store.batch.find("r1"), null);
      await add(store);
      await store.close();
      assert.deepEqual(await (await open()).batch.find("r1"), { seq: 1, ...run() });
    });

    test("takes an id once, and records nothing of a second time", async (t) => {
      const store = await openOne(t, prepare);
      await add(store);
      await assert.rejects(add(store, { name: "other" }), { code: "SWARM_BATCH_RUN_TAKEN" });
      assert.equal((await store.batch.find("r1"))?.name, "scores");
      assert.equal((await store.head()).seq, 1);
    });

    test("lists the newest first, in pages, and by state", async (t) => {
      const store = await openOne(t, prepare);
      const states: BatchState[] = ["completed", "running", "waiting_approval", "failed"];
      for (const [at, state] of states.entries()) await add(store, { run_id: `r${at}`, state });
      const ids = async (query: object) =>
        (await store.batch.list({ limit: 10, ...query })).map(({ run_id }) => run_id);
      assert.deepEqual(await ids({}), ["r3", "r2", "r1", "r0"]);
      assert.deepEqual(await ids({ limit: 2 }), ["r3", "r2"]);
      assert.deepEqual(await ids({ beforeSeq: 3 }), ["r1", "r0"]);
      assert.deepEqual(await ids({ state: "failed" }), ["r3"]);
      assert.deepEqual(
        (await store.batch.open()).map(({ run_id }) => run_id),
        ["r1", "r2"],
      );
    });

    test("tells how far a leg has come, as long as it is under way", async (t) => {
      const store = await openOne(t, prepare);
      await add(store);
      const progressed = { kind: "batch_run_progressed", run_id: "r1", leg: 1, progress: half } as const;
      await make(store, progressed);
      assert.deepEqual(await store.batch.find("r1"), { seq: 1, ...run(), ...half });
      await assert.rejects(make(store, { ...progressed, leg: 2 }), isLost);
      await make(store, ended());
      await assert.rejects(make(store, progressed), isLost);
    });

    test("ends a leg once, for the process and the leg that have it", async (t) => {
      const store = await openOne(t, prepare);
      await add(store);
      await assert.rejects(make(store, ended({ owner: next })), isLost);
      await assert.rejects(make(store, ended({ leg: 2 })), isLost);
      await make(store, ended({ state: "failed", reason: "no room" }));
      const found = await store.batch.find("r1");
      assert.deepEqual(found, {
        seq: 1,
        ...run(),
        ...whole,
        state: "failed",
        reason: "no room",
        ended_at: later,
      });
      await assert.rejects(make(store, ended()), isLost);
    });

    test("begins the next leg of a run that is as it was found, and of two who do so one does", async (t) => {
      const store = await openOne(t, prepare);
      await add(store);
      await assert.rejects(make(store, begun()), isLost);
      await make(store, ended({ state: "interrupted", reason: "gone", progress: half }));
      await make(store, begun());
      await assert.rejects(make(store, begun()), isLost);
      assert.deepEqual(await store.batch.find("r1"), {
        seq: 1,
        ...run({ leg: 2, owner: next, intent_id: "evt_2", started_at: later }),
        ...half,
      });
      await assert.rejects(make(store, ended()), isLost);
      await make(store, ended({ leg: 2, owner: next }));
    });

    test("has a run wait before its next leg, and begins that leg or ends it", async (t) => {
      const store = await openOne(t, prepare);
      await add(store);
      const found = { run_id: "r1", after_leg: 1, from: "failed", owner: next } as const;
      const waits = { kind: "batch_run_waits", ...found, reason: "asked" } as const;
      await assert.rejects(make(store, waits), isLost);
      await make(store, ended({ state: "failed", reason: "no room", progress: half }));
      await make(store, waits);
      await assert.rejects(make(store, waits), isLost);
      const waiting = { state: "waiting_approval", reason: "asked", owner: next } as const;
      assert.deepEqual(await store.batch.find("r1"), { seq: 1, ...run(waiting), ...half });
      await make(store, begun({ from: "waiting_approval" }));
      assert.equal((await store.batch.find("r1"))?.state, "running");
    });

    test("knows which process does a leg, until the leg is over", async (t) => {
      const store = await openOne(t, prepare);
      await add(store);
      assert.equal(await store.batch.setRunner("r1", 2, next), false);
      assert.equal(await store.batch.setRunner("r1", 1, next), true);
      assert.deepEqual((await store.batch.find("r1"))?.runner, next);
      await make(store, ended());
      assert.equal(await store.batch.setRunner("r1", 1, here), false);
    });

    test("hands a waiting run to one who comes after, once", async (t) => {
      const store = await openOne(t, prepare);
      await add(store, { state: "waiting_approval", leg: 0, reason: "asked" });
      assert.equal(await store.batch.takeOver("r1", next, here), false);
      assert.equal(await store.batch.takeOver("r1", here, next), true);
      assert.equal(await store.batch.takeOver("r1", here, next), false);
      await assert.rejects(make(store, ended({ leg: 0, state: "cancelled" })), isLost);
      await make(store, begun({ after_leg: 0, from: "waiting_approval" }));
      assert.equal(await store.batch.takeOver("r1", next, here), false);
    });

    test("forgets a run that is over, and no other", async (t) => {
      const store = await openOne(t, prepare);
      await add(store);
      const removed = { kind: "batch_run_removed", run_id: "r1" } as const;
      await assert.rejects(make(store, removed), isLost);
      await make(store, ended());
      await make(store, removed);
      assert.equal(await store.batch.find("r1"), null);
      await assert.rejects(make(store, removed), isLost);
    });
  });
}
