import assert from "node:assert/strict";
import { test } from "node:test";
import { change, claim, ended, job, minute, run, save, statuses } from "./cron-store-harness.cases.ts";
import type { Store } from "../../../store/port/store.ts";
import { openerFor, openOne, type PrepareStore } from "../../../store/port/store-harness.cases.ts";

export function cronClaimCases(prepare: PrepareStore): void {
  test("a slot is claimed by the first who asks, and by nobody after", async (t) => {
    const open = await openerFor(t, prepare);
    const stores = [await open(), await open(), await open()];
    await save(stores[0] as Store, job());
    const claims = await Promise.all(
      stores.map(({ cron }, of) => cron.claim(claim({ runs: [run({ run_id: `cr_${of}` })] }))),
    );
    assert.deepEqual(claims.map((made) => made?.length ?? null).sort(), [1, null, null].sort());
    const runs = await stores[1]?.cron.listRuns("cj_nightly", { limit: 9 });
    assert.deepEqual(
      runs?.map(({ slot, status }) => [slot, status]),
      [[minute(1), "queued"]],
    );
    const found = await stores[2]?.cron.findJob("cj_nightly");
    assert.deepEqual([found?.next_at, found?.due_at, found?.revision], [minute(2), minute(2), 1]);
  });

  test("a job that was changed, deleted or claimed meanwhile is not claimed", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job(), job({ name: "gone" }));
    await change(store, { saved: [job({ revision: 2 })], deleted: ["cj_gone"] });
    assert.equal(await store.cron.claim(claim()), null);
    assert.equal(await store.cron.claim(claim({ job_id: "cj_gone" })), null);
    assert.equal(await store.cron.claim(claim({ revision: 2, from: minute(7) })), null);
    assert.deepEqual(await statuses(store), []);
    assert.equal((await store.cron.claim(claim({ revision: 2 })))?.length, 1);
  });

  test("a slot that was claimed before stays whose it was, however the job came back to it", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job());
    await store.cron.claim(claim());
    await save(store, job({ revision: 2 })); // a clock that was set back, a schedule that was put back
    const runs = [run({ run_id: "cr_again" }), run({ run_id: "cr_next", slot: minute(2) })];
    const made = await store.cron.claim(claim({ revision: 2, runs, next_at: minute(3) }));
    assert.deepEqual(
      made?.map(({ run_id }) => run_id),
      ["cr_next"],
    );
    assert.equal(await store.cron.findRun("cr_again"), null);
    assert.equal((await store.cron.findJob("cj_nightly"))?.next_at, minute(3));
  });

  test("a claim may be of several slots, and of the last one there is", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job());
    const runs = [
      run({
        slot: minute(1),
        status: "missed",
        slot_count: 3,
        ended_at: minute(9),
        reason: "nobody was there",
      }),
      run({ slot: minute(4), trigger: "catch-up" }),
    ];
    const made = await store.cron.claim(claim({ runs, next_at: null, due_at: null }));
    assert.deepEqual(made, [
      { ...runs[0], seq: 1 },
      { ...runs[1], seq: 2 },
    ]);
    const found = await store.cron.findJob("cj_nightly");
    assert.deepEqual(
      [found?.next_at, found?.due_at, await store.cron.nextDueAt(minute(9))],
      [null, null, null],
    );
  });

  test("with a policy for it, a slot is another thing while a run is under way or about to be", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job());
    const ifBusy = { status: "skipped" as const, reason: "an earlier run is under way" };
    const next = async (count: number) =>
      (await store.cron.claim(claim({ from: minute(count), ifBusy })))?.map(
        ({ status, reason, ended_at }) => [status, reason, ended_at],
      );
    const skipped = (count: number) => [["skipped", ifBusy.reason, minute(count)]];
    assert.deepEqual(await next(1), [["queued", null, null]]);
    assert.deepEqual(await next(2), skipped(2)); // one is about to begin
    const [first] = (await store.cron.startableRuns(minute(9), 1)) ?? [];
    await store.cron.beginRun(first?.run_id ?? "", "d1");
    assert.deepEqual(await next(3), skipped(3));
    await store.cron.setWaiting(first?.run_id ?? "", "d1", true, "an approval");
    assert.deepEqual(await next(4), skipped(4));
    await store.cron.endRun(
      ended(first?.run_id, { status: "failed", retry: run({ attempt: 2, due_at: minute(60) }) }),
    );
    assert.deepEqual(await next(5), [["queued", null, null]]); // a retry that waits for its time is not under way
  });
}
