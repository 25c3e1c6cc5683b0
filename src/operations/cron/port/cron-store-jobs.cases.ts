import assert from "node:assert/strict";
import { test } from "node:test";
import { type CronJob, jobFields } from "./cron-job.ts";
import { change, job, minute, run, save } from "./cron-store-harness.cases.ts";
import {
  allRows,
  numbers,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";

export function cronJobCases(prepare: PrepareStore): void {
  test("a job that was stored before there was a setting has its default", async (t) => {
    const store = await openOne(t, prepare);
    const { retries: _, ...older } = job({ grace_s: 7 });
    await save(store, older as CronJob);
    const found = await store.cron.findJob(older.job_id);
    assert.deepEqual([found?.retries, found?.grace_s], [jobFields.retries.default, 7]);
  });

  test("gives a job back as it was saved, also after it was closed", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    const saved = job({
      config: { command: "echo 'ü' \"\n", nested: { list: [1, null, true] } },
      enabled: false,
      approval_required: true,
      declared_in: "/home/ann/.swarm/config.yaml",
      declared_digest: "d",
      next_at: null,
      due_at: null,
    });
    await save(store, saved, job({ name: "other" }));
    await store.close();
    const again = await open();
    assert.deepEqual(await again.cron.findJob("cj_nightly"), { ...saved, seq: 1 });
    assert.deepEqual(await again.cron.listJobs({ limit: 5, name: "nightly" }), [{ ...saved, seq: 1 }]);
    assert.deepEqual(await again.cron.declaredJobs(), [{ ...saved, seq: 1 }]);
    assert.equal(await again.cron.findJob("cj_nobody"), null);
    assert.deepEqual(await again.cron.listJobs({ limit: 5, name: "night%" }), []);
  });

  test("lists jobs newest first, some at a time", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, ...numbers(1, 7).map((count) => job({ name: `j${count}` })));
    const seen: string[] = [];
    for (let page = await store.cron.listJobs({ limit: 3 }); page.length > 0; ) {
      seen.push(...page.map(({ name }) => name));
      page = await store.cron.listJobs({ limit: 3, beforeSeq: page.at(-1)?.seq ?? 0 });
    }
    assert.deepEqual(seen, ["j7", "j6", "j5", "j4", "j3", "j2", "j1"]);
  });

  test("writes jobs with the row that tells of them, all of them or nothing", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job());
    const taken = { saved: [job({ name: "new" }), job({ job_id: "cj_b", name: "nightly" })] };
    await assert.rejects(change(store, taken), { code: "SWARM_CRON_NAME_TAKEN" });
    await assert.rejects(change(store, { saved: [job({ name: "new" })], deleted: ["cj_nobody"] }), {
      code: "SWARM_CRON_JOB_CHANGED",
    });
    assert.equal((await allRows(store)).length, 1);
    assert.deepEqual(
      (await store.cron.listJobs({ limit: 5 })).map(({ name }) => name),
      ["nightly"],
    );
  });

  test("changes a job only as it was when it was read", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job());
    await save(store, job({ revision: 2, schedule: "@daily" }));
    await assert.rejects(save(store, job({ revision: 2, schedule: "@hourly" })), {
      code: "SWARM_CRON_JOB_CHANGED",
    });
    await assert.rejects(save(store, job({ name: "gone", revision: 2 })), { code: "SWARM_CRON_JOB_CHANGED" });
    const found = await store.cron.findJob("cj_nightly");
    assert.deepEqual([found?.schedule, found?.revision, found?.seq], ["@daily", 2, 1]);
  });

  test("a name can be used again once its job is deleted or renamed, and the place in the list is new", async (t) => {
    const store = await openOne(t, prepare);
    await save(store, job());
    await change(store, { deleted: ["cj_nightly"], saved: [job({ job_id: "cj_again" })] });
    await save(store, job({ job_id: "cj_again", name: "renamed", revision: 2 }), job({ job_id: "cj_third" }));
    const found = await store.cron.listJobs({ limit: 5 });
    assert.deepEqual(
      found.map(({ name, seq }) => [name, seq]),
      [
        ["nightly", 3],
        ["renamed", 2],
      ],
    );
  });

  test("tells which jobs are due, the longest overdue first, and when the next one is", async (t) => {
    const store = await openOne(t, prepare);
    assert.equal(await store.cron.nextDueAt(minute(0)), null);
    await save(
      store,
      job({ name: "c", due_at: minute(3) }),
      job({ name: "a", due_at: minute(1) }),
      job({ name: "paused", next_at: null, due_at: null }),
      job({ name: "b", due_at: minute(2) }),
    );
    const due = async (by: string, limit = 9) =>
      (await store.cron.dueJobs(by, limit)).map(({ name }) => name);
    assert.deepEqual(
      [await due(minute(0)), await due(minute(2)), await due(minute(9))],
      [[], ["a", "b"], ["a", "b", "c"]],
    );
    assert.deepEqual(await due(minute(9), 2), ["a", "b"]);
    assert.equal(await store.cron.nextDueAt(minute(0)), minute(1));
    assert.equal(await store.cron.nextDueAt(minute(9)), minute(1));
  });

  test("the next time is also that of a queued run that is not due yet", async (t) => {
    const store = await openOne(t, prepare);
    await store.cron.addRun(run({ due_at: minute(5) }), true);
    await store.cron.addRun(run({ slot: "other", due_at: minute(7) }), true);
    assert.equal(await store.cron.nextDueAt(minute(4)), minute(5));
    assert.equal(await store.cron.nextDueAt(minute(5)), minute(7));
    assert.equal(await store.cron.nextDueAt(minute(7)), null);
  });
}
