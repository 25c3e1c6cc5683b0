import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import type { RunPermission } from "../port/may-run.ts";
import type { Cron } from "./cron.ts";
import { at, CronPlace, minute, probe, second } from "./harness.cases.ts";

const ann = "human:ann";

async function started(place: CronPlace, changes: object = {}): Promise<{ cron: Cron; job_id: string }> {
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe(changes), ann);
  await place.advance(10 * minute);
  return { cron, job_id };
}

test("a run that fails is tried again as often as its job says, after pauses that double", async (t) => {
  const place = new CronPlace(t);
  const { job_id } = await started(place, { retries: 2, backoff_s: 30, schedule: "2026-01-01T00:10Z" });
  const failing = { exitCode: 3, problem: "exit code 3" };
  place.started[0]?.end(failing);
  await place.settled();
  const retry_at = at(10 * minute + 30 * second);
  const [, failed] = place.told[1] ?? [];
  assert.deepEqual(
    [failed?.error, failed?.exit_code, failed?.attempt, failed?.retry_at],
    ["exit code 3", 3, 1, retry_at],
  );
  await place.advance(30 * second - 1);
  assert.equal(place.started.length, 1);
  await place.advance(1);
  assert.equal(place.started.length, 2);
  place.started[1]?.end(failing);
  await place.settled();
  await place.advance(59 * second);
  assert.equal(place.started.length, 2);
  await place.advance(second);
  place.started[2]?.end(failing);
  await place.settled();
  await place.advance(20 * minute, minute);
  const runs = await place.runs(job_id);
  assert.deepEqual(
    runs.map(({ trigger, attempt, status, exit_code, slot }) => [trigger, attempt, status, exit_code, slot]),
    [1, 2, 3].map((attempt) => [attempt === 1 ? "schedule" : "retry", attempt, "failed", 3, at(10 * minute)]),
  );
  assert.equal(place.told.at(-1)?.[1].retry_at, undefined);
});

test("a retry that ends well is the last", async (t) => {
  const place = new CronPlace(t);
  const { job_id } = await started(place, { retries: 5, backoff_s: 10, schedule: "2026-01-01T00:10Z" });
  place.started[0]?.end({ problem: "no" });
  await place.settled();
  await place.advance(10 * second);
  place.started[1]?.end();
  await place.settled();
  await place.advance(10 * minute, minute);
  assert.deepEqual(await place.story(job_id), ["schedule failed 00:10", "retry completed 00:10"]);
});

test("a job that is paused or deleted is not tried again", async (t) => {
  for (const what of ["pause", "delete"] as const) {
    const place = new CronPlace(t);
    const { cron, job_id } = await started(place, { retries: 5, backoff_s: 10 });
    if (what === "pause") await cron.jobs.change(job_id, { enabled: false }, ann);
    else await cron.jobs.delete(job_id, ann);
    place.started[0]?.end({ problem: "no" });
    await place.settled();
    await place.advance(10 * minute, minute);
    assert.deepEqual(await place.story(job_id), ["schedule failed 00:10"]);
  }
});

test("a run is ended at its timeout, and by our clock when its task does not let go", async (t) => {
  for (const say of ["hello", "stubborn"]) {
    const place = new CronPlace(t);
    const { job_id } = await started(place, { timeout_s: 60, config: { say } });
    await place.advance(59 * second);
    assert.equal(place.started[0]?.call.signal.aborted, false);
    await place.advance(second);
    assert.equal(place.started[0]?.call.signal.aborted, true);
    if (say === "stubborn") assert.deepEqual(await place.story(job_id), ["schedule running 00:10"]);
    await place.advance(5 * second);
    const [run] = await place.runs(job_id);
    assert.deepEqual(
      [run?.status, run?.reason, run?.exit_code],
      ["timed_out", "ended after 60 s, its timeout", null],
    );
  }
});

test("a job of a kind that this version does not have fails every run and says so", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  Object.assign(place.kinds, { newer: place.kinds.probe });
  const { job_id } = await cron.jobs.create(probe({ task: "newer" }), ann);
  delete place.kinds.newer;
  await place.advance(10 * minute);
  const [run] = await place.runs(job_id);
  assert.deepEqual(
    [run?.status, run?.reason],
    ["failed", 'tasks of kind "newer" cannot be run by this version'],
  );
  assert.deepEqual(place.events(), ["cron.fired", "cron.failed"]);
});

test("a run whose daemon was killed is interrupted on restart, and its effect is accounted for", async (t) => {
  const place = new CronPlace(t);
  const { cron, job_id } = await started(place);
  await place.kill(cron);
  assert.equal((await place.store.openIntents(9)).length, 1);
  await place.open().start();
  await place.settled();
  const [run, ...more] = await place.runs(job_id);
  assert.deepEqual([run?.status, run?.reason, more], ["interrupted", "the daemon that ran it ended", []]);
  assert.deepEqual(await place.store.openIntents(9), []);
  assert.deepEqual(place.events(), ["cron.fired", "cron.failed"]);
  // The one that was thought dead comes back to itself: its word counts no more.
  place.started[0]?.end();
  await place.settled();
  assert.equal((await place.runs(job_id))[0]?.status, "interrupted");
  assert.match(place.warnings.join("\n"), /is not this daemon's any more/);
});

test("an interrupted run is tried again where its job allows retries", async (t) => {
  const place = new CronPlace(t);
  const { cron, job_id } = await started(place, { retries: 1, backoff_s: 10, schedule: "2026-01-01T00:10Z" });
  await place.kill(cron);
  await place.open().start();
  await place.advance(10 * second);
  assert.deepEqual(await place.story(job_id), ["schedule interrupted 00:10", "retry running 00:10"]);
});

test("a run that is interrupted more often than its job allows retries ends as failed, and that is told", async (t) => {
  const place = new CronPlace(t);
  const { cron, job_id } = await started(place, { retries: 1, backoff_s: 10, schedule: "2026-01-01T00:10Z" });
  await place.kill(cron);
  const next = place.open();
  await next.start();
  await place.advance(10 * second);
  await place.kill(next);
  await place.open().start();
  await place.advance(10 * minute, minute);
  assert.deepEqual(await place.story(job_id), ["schedule interrupted 00:10", "retry interrupted 00:10"]);
  assert.deepEqual(await place.store.openIntents(9), []);
  assert.deepEqual(place.events(), ["cron.fired", "cron.failed", "cron.fired", "cron.failed"]);
  assert.equal(place.told.at(-1)?.[1].retry_at, undefined);
});

test("what was queued when its daemon was killed is run by the next one", async (t) => {
  const place = new CronPlace(t);
  const { cron, job_id } = await started(place, { overlap: "queue" });
  await place.advance(10 * minute);
  await place.kill(cron);
  await place.open().start();
  await place.settled();
  assert.deepEqual(await place.story(job_id), ["schedule interrupted 00:10", "schedule running 00:20"]);
});

/** Rules that ask, and how to answer them. */
function asking(place: CronPlace) {
  const asked: { id: string; decide: (isApproved: boolean, reason?: string) => void }[] = [];
  place.mayRun = async ({ origin: { task: id = "" }, asked: why }): Promise<RunPermission> => ({
    verdict: "ask",
    reason: why?.reason ?? "rule 7 asks",
    decided: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(null));
        asked.push({ id, decide: (isApproved, reason = "") => resolve({ isApproved, reason }) });
      }),
  });
  return asked;
}

test("a run that needs an approval waits for it, runs when it comes, and holds up what follows", async (t) => {
  const place = new CronPlace(t);
  const asked = asking(place);
  const { job_id } = await started(place, { approval_required: true });
  const [waiting] = await place.runs(job_id);
  assert.deepEqual(
    [waiting?.status, waiting?.reason, waiting?.started_at],
    ["waiting", "the job needs an approval", null],
  );
  assert.deepEqual(await place.store.openIntents(9), []);
  await place.advance(10 * minute);
  asked[0]?.decide(true);
  await place.settled();
  assert.equal(place.started.length, 1);
  place.started[0]?.end();
  await place.settled();
  assert.deepEqual(await place.story(job_id), ["schedule completed 00:10", "schedule skipped 00:20"]);
  assert.equal((await place.runs(job_id))[0]?.lateness_ms, 10 * minute);
});

test("a run that is not approved is denied, with what was said", async (t) => {
  const place = new CronPlace(t);
  const asked = asking(place);
  const { job_id } = await started(place);
  asked[0]?.decide(false, "bob: not today");
  await place.settled();
  const [run] = await place.runs(job_id);
  assert.deepEqual([run?.status, run?.reason, place.started.length], ["denied", "bob: not today", 0]);
  assert.deepEqual(place.events(), ["cron.fired", "cron.missed"]);
});

test("a run that waits for an approval outlives its daemon, killed or stopped, and fires once", async (t) => {
  for (const how of ["killed", "stopped"]) {
    const place = new CronPlace(t);
    const asked = asking(place);
    const { cron, job_id } = await started(place, { schedule: "2026-01-01T00:10Z" });
    if (how === "killed") await place.kill(cron);
    else await cron.stop();
    assert.deepEqual(await place.story(job_id), ["schedule waiting 00:10"]);
    await place.open().start();
    await place.settled();
    assert.equal(asked.length, 2);
    assert.equal(asked[0]?.id, asked[1]?.id);
    asked[0]?.decide(true); // the dead one hears of it as well
    asked[1]?.decide(true);
    await place.settled();
    assert.equal(place.started.length, 1);
    place.started[0]?.end();
    await place.settled();
    assert.deepEqual(await place.story(job_id), ["schedule completed 00:10"]);
    assert.deepEqual(place.events(), ["cron.fired", "cron.completed"]);
  }
});

test("what was approved is what runs: a job that was changed, paused or deleted meanwhile does not", async (t) => {
  for (const [change, reason] of [
    [{ config: { say: "rm -rf" } }, "the job was changed while it waited for an approval"],
    [{ enabled: false }, "the job was paused"],
    [null, "the job was deleted"],
  ] as const) {
    const place = new CronPlace(t);
    const asked = asking(place);
    const { cron, job_id } = await started(place, { schedule: "2026-01-01T00:10Z", retries: 1 });
    if (change === null) await cron.jobs.delete(job_id, ann);
    else
      await cron.jobs.change(
        job_id,
        { ...change, ...(!("enabled" in change) && { schedule: "in 1d" }) },
        ann,
      );
    asked[0]?.decide(true);
    await place.settled();
    const [run, ...more] = await place.runs(job_id);
    assert.deepEqual([run?.status, run?.reason, place.started.length, more], ["skipped", reason, 0, []]);
  }
});

test("a job can be run by hand at any time, also while it is paused and without a scheduler", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  const { job_id } = await cron.jobs.create(probe({ enabled: false }), ann);
  const run = await cron.run(job_id, ann);
  assert.deepEqual([run.status, run.trigger, run.scheduled_at], ["running", "manual", at(0)]);
  await place.settled();
  await assert.rejects(cron.run(job_id, ann), { code: "SWARM_CRON_JOB_BUSY" });
  place.started[0]?.end();
  await place.settled();
  await cron.run(job_id, ann);
  await assert.rejects(cron.run("cj_nobody", ann), { code: "SWARM_CRON_JOB_UNKNOWN" });
  await place.settled();
  place.started[1]?.end();
  await cron.stop();
  assert.deepEqual(await place.story(job_id), ["manual completed 00:00", "manual completed 00:00"]);
  assert.deepEqual(await place.store.cron.listDaemons(), []);
});

test("where runs may wait or overlap, one by hand does", async (t) => {
  for (const [overlap, status] of [
    ["queue", "queued"],
    ["allow", "running"],
  ] as const) {
    const place = new CronPlace(t);
    const cron = place.open();
    await cron.start();
    const { job_id } = await cron.jobs.create(probe({ overlap, schedule: "in 1d" }), ann);
    await cron.run(job_id, ann);
    assert.equal((await cron.run(job_id, ann)).status, status);
    await place.settled();
    place.started[0]?.end();
    await place.settled();
    assert.equal(place.started.length, 2);
  }
});

test("closing waits for what is at work; cutting off ends it, and says so", async (t) => {
  const place = new CronPlace(t);
  const { cron, job_id } = await started(place, { retries: 1 });
  let isClosed = false;
  const closing = cron.stop().then(() => {
    isClosed = true;
  });
  await place.settled();
  assert.equal(isClosed, false);
  cron.abort();
  await closing;
  const [run] = await place.runs(job_id);
  assert.deepEqual([run?.status, run?.reason], ["interrupted", "the daemon was stopped"]);
  assert.deepEqual(await place.story(job_id), ["schedule interrupted 00:10", "retry queued 00:10"]);
  assert.deepEqual(await place.store.openIntents(9), []);
});

test("an end that cannot be written for want of room is written when there is some", async (t) => {
  const place = new CronPlace(t);
  const { job_id } = await started(place);
  const { append } = place.store;
  const full = new SwarmError("SWARM_STORE_FULL", { location: "swarm.db", problem: "no space left" });
  place.store.append = () => Promise.reject(full);
  place.started[0]?.end();
  await place.settled();
  assert.deepEqual(await place.story(job_id), ["schedule running 00:10"]);
  place.store.append = append;
  await place.advance(5 * second);
  assert.deepEqual(await place.story(job_id), ["schedule completed 00:10"]);
});

test("what cannot be recorded is not begun", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe(), ann);
  const { append } = place.store;
  place.store.append = (follow, changes) =>
    changes?.[0]?.kind === "cron_run_started"
      ? Promise.reject(new SwarmError("SWARM_STORE_FULL", { location: "swarm.db", problem: "no space left" }))
      : append.call(place.store, follow, changes);
  await place.advance(10 * minute);
  const [run] = await place.runs(job_id);
  assert.equal(place.started.length, 0);
  assert.equal(run?.status, "failed");
  assert.match(run?.reason ?? "", /^it could not be recorded: /);
});

test("runs that are older than they are kept are forgotten with their output", async (t) => {
  const place = new CronPlace(t);
  const { cron, job_id } = await started(place);
  place.started[0]?.end();
  await place.advance(10 * minute);
  const [old, young] = await place.runs(job_id);
  assert.equal(await cron.forgetRuns((place.clock.now() - Date.parse(at(15 * minute))) / 86_400_000), 1);
  assert.deepEqual(
    (await place.runs(job_id)).map(({ run_id }) => run_id),
    [young?.run_id],
  );
  assert.deepEqual([existsSync(old?.output_path ?? ""), existsSync(young?.output_path ?? "")], [false, true]);
});
