import assert from "node:assert/strict";
import { test } from "node:test";
import {
  change,
  claim,
  ended,
  job,
  minute,
  run,
  running,
  save,
  statuses,
} from "./cron-store-harness.cases.ts";
import {
  allRows,
  append,
  entry,
  numbers,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";

export function cronRunCases(prepare: PrepareStore): void {
  test("a run is begun by one, once, and only when it is its turn", async (t) => {
    const open = await openerFor(t, prepare);
    const [store, other] = [await open(), await open()];
    await save(store, job({ overlap: "queue" }));
    const made: string[] = [];
    for (const count of [1, 2]) {
      const [one] = (await store.cron.claim(claim({ from: minute(count) }))) ?? [];
      made.push(one?.run_id ?? "");
    }
    const [first = "", second = ""] = made;
    assert.deepEqual(
      (await store.cron.startableRuns(minute(1), 9)).map(({ run_id }) => run_id),
      [first],
    );
    const begun = await Promise.all([store.cron.beginRun(first, "d1"), other.cron.beginRun(first, "d2")]);
    assert.deepEqual(begun.sort(), [false, true]);
    assert.deepEqual(await store.cron.startableRuns(minute(9), 9), []);
    assert.equal(await other.cron.beginRun(second, "d2"), false);
    const { owner } = (await store.cron.findRun(first)) ?? assert.fail();
    await store.cron.endRun(ended(first, { owner }));
    assert.deepEqual(
      (await store.cron.startableRuns(minute(9), 9)).map(({ run_id }) => run_id),
      [second],
    );
    assert.equal(await other.cron.beginRun(second, "d2"), true);
    assert.deepEqual(await statuses(store), ["completed", "running"]);
  });

  test("where both are allowed, runs of a job are begun beside each other", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job({ overlap: "allow" }));
    const first = await running(store);
    const second = await running(store, "d2", { from: minute(2) });
    const open = await store.cron.openRuns();
    assert.deepEqual(
      open.map(({ run_id, owner }) => [run_id, owner]),
      [
        [first.run_id, "d1"],
        [second.run_id, "d2"],
      ],
    );
  });

  test("the longest overdue is started first, and runs of one job hold up no other's", async (t) => {
    const store = await openOne(t, prepare);
    await save(
      store,
      job({ overlap: "queue" }),
      job({ name: "other", next_at: minute(9), due_at: minute(9) }),
    );
    await running(store);
    for (const count of [2, 3, 4]) await store.cron.claim(claim({ from: minute(count) }));
    await store.cron.addRun(run({ job_id: "cj_other", slot: "b", due_at: minute(8) }), true);
    await store.cron.addRun(run({ job_id: "cj_third", slot: "a", due_at: minute(7) }), true);
    const startable = await store.cron.startableRuns(minute(9), 9);
    assert.deepEqual(
      startable.map(({ job_id }) => job_id),
      ["cj_third", "cj_other"],
    );
    assert.equal((await store.cron.startableRuns(minute(9), 1)).length, 1);
  });

  test("the start and the end of an effect are written with the rows that tell of them", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job());
    const { run_id } = await running(store);
    const started = { started_at: minute(2), lateness_ms: 60_000, output_path: "/o.log", intent_id: "evt_1" };
    await append(
      store,
      [entry({ id: "evt_1", kind: "intent", outcome: "open" })],
      [{ kind: "cron_run_started", run_id, owner: "d1", ...started }],
    );
    const end = ended(run_id, { status: "failed", exit_code: 3, reason: "exit code 3" });
    await append(store, [entry({ kind: "outcome", ref: "evt_1" })], [end]);
    const found = await store.cron.findRun(run_id);
    assert.deepEqual(found, {
      ...run({
        ...started,
        owner: "d1",
        status: "failed",
        exit_code: 3,
        reason: "exit code 3",
        ended_at: minute(9),
      }),
      seq: 1,
    });
    assert.deepEqual(await store.cron.lastRun("cj_nightly"), found);
    assert.deepEqual(await store.cron.openRuns(), []);
  });

  test("only its owner starts and ends a run, and only once", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job());
    const { run_id } = await running(store);
    const started = { started_at: minute(2), lateness_ms: 1, output_path: "o", intent_id: "i" };
    const start = (owner: string) =>
      append(store, [entry()], [{ kind: "cron_run_started", run_id, owner, ...started }]);
    await assert.rejects(start("d2"), { code: "SWARM_CRON_RUN_LOST" });
    await assert.rejects(store.cron.endRun(ended(run_id, { owner: "d2" })), { code: "SWARM_CRON_RUN_LOST" });
    assert.equal((await allRows(store)).length, 1, "a row was written of what did not happen");
    await store.cron.endRun(ended(run_id));
    await assert.rejects(store.cron.endRun(ended(run_id)), { code: "SWARM_CRON_RUN_LOST" });
    await assert.rejects(start("d1"), { code: "SWARM_CRON_RUN_LOST" });
  });

  test("the end of a run brings its retry, or neither is", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job({ retries: 1 }));
    const { run_id } = await running(store);
    const retry = run({ attempt: 2, trigger: "retry", due_at: minute(5) });
    await store.cron.endRun(ended(run_id, { status: "failed", exit_code: 1, retry }));
    await assert.rejects(
      store.cron.endRun(ended(run_id, { retry: { ...retry, run_id: "cr_x", attempt: 3 } })),
      {
        code: "SWARM_CRON_RUN_LOST",
      },
    );
    assert.deepEqual(await statuses(store), ["failed", "queued"]);
    assert.deepEqual(await store.cron.startableRuns(minute(4), 9), []);
    assert.deepEqual(await store.cron.startableRuns(minute(5), 9), [{ ...retry, seq: 2 }]);
  });

  test("a run that waits for an approval can be taken over, a running one cannot", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job());
    const { run_id } = await running(store);
    assert.equal(await store.cron.takeOver(run_id, "d1", "d2"), false);
    assert.equal(await store.cron.setWaiting(run_id, "d2", true, "approval ap_1"), false);
    assert.equal(await store.cron.setWaiting(run_id, "d1", true, "approval ap_1"), true);
    assert.equal((await store.cron.findRun(run_id))?.reason, "approval ap_1");
    assert.equal(await store.cron.takeOver(run_id, "d3", "d2"), false);
    assert.equal(await store.cron.takeOver(run_id, "d1", "d2"), true);
    assert.equal(await store.cron.takeOver(run_id, "d1", "d3"), false);
    assert.equal(await store.cron.setWaiting(run_id, "d1", false, null), false);
    assert.equal(await store.cron.setWaiting(run_id, "d2", false, null), true);
    assert.deepEqual(await statuses(store), ["running"]);
  });

  test("a run somebody asks for is added, unless another is under way and it may not wait", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job());
    const manual = (slot: string) =>
      run({ slot, trigger: "manual", due_at: minute(3), created_at: minute(3) });
    assert.equal(await store.cron.addRun(manual("manual_1"), false), true);
    assert.equal(await store.cron.addRun(manual("manual_2"), false), false);
    assert.equal(await store.cron.addRun(manual("manual_3"), true), true);
    assert.deepEqual(await statuses(store), ["queued", "queued"]);
  });

  test("pausing a job skips what is queued but not what was asked for by hand; deleting it skips both", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job({ overlap: "queue" }));
    await running(store);
    await store.cron.claim(claim({ from: minute(2) }));
    await store.cron.addRun(run({ slot: "manual_1", trigger: "manual" }), true);
    await save(store, job({ revision: 2, enabled: false, next_at: null, due_at: null }));
    assert.deepEqual(await statuses(store), ["running", "skipped", "queued"]);
    await change(store, { deleted: ["cj_nightly"] });
    assert.deepEqual(await statuses(store), ["running", "skipped", "skipped"]);
    const [, paused, deleted] = (await store.cron.listRuns("cj_nightly", { limit: 9 })).reverse();
    assert.deepEqual(
      [paused, deleted].map((one) => [one?.reason, one?.ended_at]),
      [
        ["the job was paused", minute(9)],
        ["the job was deleted", minute(9)],
      ],
    );
  });

  test("lists a job's runs newest first, some at a time, and no other job's", async (t) => {
    const store = await openOne(t, prepare);
    for (const count of numbers(1, 5)) await store.cron.addRun(run({ slot: minute(count) }), true);
    await store.cron.addRun(run({ job_id: "cj_other" }), true);
    assert.equal((await store.cron.newestRun())?.job_id, "cj_other");
    assert.equal((await store.cron.lastRun("cj_nightly"))?.slot, minute(5));
    const page = await store.cron.listRuns("cj_nightly", { limit: 2 });
    assert.deepEqual(
      page.map(({ slot }) => slot),
      [minute(5), minute(4)],
    );
    const rest = await store.cron.listRuns("cj_nightly", { limit: 9, beforeSeq: page[1]?.seq });
    assert.deepEqual(
      rest.map(({ slot }) => slot),
      [minute(3), minute(2), minute(1)],
    );
  });

  test("forgets runs that ended long ago, the oldest first, and no run that is open", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job({ overlap: "allow" }));
    for (const count of [1, 2, 3]) {
      const { run_id } = await running(store, "d1", { from: minute(count) });
      if (count < 3) await store.cron.endRun(ended(run_id, { ended_at: minute(20 - count) }));
    }
    assert.deepEqual(await store.cron.forgetRuns(minute(18), 9), []);
    assert.deepEqual(
      (await store.cron.forgetRuns(minute(60), 1)).map(({ slot }) => slot),
      [minute(2)],
    );
    assert.deepEqual(
      (await store.cron.forgetRuns(minute(60), 9)).map(({ slot }) => slot),
      [minute(1)],
    );
    assert.deepEqual(await statuses(store), ["running"]);
  });
}
