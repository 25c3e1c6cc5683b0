import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, deny } from "../../engine/events/answer.ts";
import { at, CronPlace, hour, minute, probe, second } from "./harness.cases.ts";

const ann = "human:ann";

test("a job fires at its time, once, and its end is told and recorded", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe(), ann);
  await place.advance(10 * minute - 1);
  assert.equal(place.started.length, 0);
  await place.advance(1);
  assert.equal(place.started.length, 1);
  const { call } = place.started[0] ?? assert.fail();
  assert.deepEqual([call.name, call.scheduled_at, call.attempt], ["probe", at(10 * minute), 1]);
  await place.advance(3 * second);
  place.started[0]?.end();
  await place.settled();
  const [run] = await place.runs(job_id);
  assert.deepEqual(
    [
      run?.status,
      run?.trigger,
      run?.scheduled_at,
      run?.started_at,
      run?.ended_at,
      run?.lateness_ms,
      run?.exit_code,
    ],
    ["completed", "schedule", at(10 * minute), at(10 * minute), at(10 * minute + 3 * second), 0, 0],
  );
  const path = join(place.home, "cron", "output", `${job_id}_${run?.run_id}.log`);
  assert.equal(run?.output_path, path);
  assert.equal(readFileSync(path, "utf8"), "hello\n");
  assert.deepEqual(place.events(), ["cron.fired", "cron.completed"]);
  const common = {
    name: "probe",
    job_id,
    run_id: run?.run_id,
    task: "probe",
    scheduled_at: at(10 * minute),
    attempt: 1,
    trigger: "schedule",
    schedule: "*/10 * * * *",
  };
  assert.deepEqual(place.told[0]?.[1], { ...common, config: { say: "hello" } });
  assert.deepEqual(place.told[1]?.[1], { ...common, lateness_s: 0, duration_s: 3, output_path: path });
  const rows = (await place.rows()).map(({ kind, event, outcome }) => `${kind} ${event} ${outcome}`);
  assert.deepEqual(rows, [
    "change job.created completed",
    "emit cron.fired completed",
    "intent cron.fired open",
    "outcome cron.fired completed",
    "emit cron.completed completed",
  ]);
  assert.deepEqual(await place.store.openIntents(9), []);
});

test("it looks at the clock at least once a minute and no more often than something is due", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  await cron.jobs.create(probe({ schedule: "2026-06-01T00:00Z" }), ann);
  await place.settled();
  let looks = 0;
  const { nextDueAt } = place.store.cron;
  place.store.cron.nextDueAt = (now) => {
    looks++;
    return nextDueAt.call(place.store.cron, now);
  };
  await place.advance(10 * minute, minute);
  assert.equal(looks, 10);
  // Five months are more than a timer can hold: it would fire at once.
  assert.deepEqual(place.started, []);
});

test("a job that is made while it waits is not waited past", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  await place.advance(30 * second);
  await cron.jobs.create(probe({ schedule: "every 5s" }), ann);
  await place.advance(5 * second);
  assert.equal(place.started.length, 1);
  assert.equal(place.started[0]?.call.scheduled_at, at(35 * second));
});

test("while a run is under way, skip skips, queue queues and allow allows", async (t) => {
  for (const [overlap, story, running] of [
    ["skip", ["schedule running 00:10", "schedule skipped 00:20", "schedule skipped 00:30"], 1],
    ["queue", ["schedule running 00:10", "schedule queued 00:20", "schedule queued 00:30"], 1],
    ["allow", ["schedule running 00:10", "schedule running 00:20", "schedule running 00:30"], 3],
  ] as const) {
    const place = new CronPlace(t);
    const cron = place.open();
    await cron.start();
    const { job_id } = await cron.jobs.create(probe({ overlap }), ann);
    await place.advance(30 * minute, 10 * minute);
    assert.deepEqual(await place.story(job_id), story);
    assert.equal(place.started.length, running);
    const missed = place.told.filter(([event]) => event === "cron.missed");
    assert.deepEqual(
      missed.map(([, { reason }]) => reason),
      overlap === "skip" ? Array(2).fill("an earlier run is under way") : [],
    );
    place.started[0]?.end();
    await place.settled();
    if (overlap === "queue") {
      assert.deepEqual((await place.story(job_id)).slice(0, 2), [
        "schedule completed 00:10",
        "schedule running 00:20",
      ]);
      assert.deepEqual((await place.runs(job_id))[1]?.lateness_ms, 10 * minute);
    }
  }
});

test("of slots that were due while nothing ran, the last is caught up, and the others are told of", async (t) => {
  const place = new CronPlace(t);
  const first = place.open();
  const { job_id } = await first.jobs.create(probe(), ann);
  await place.advance(55 * minute);
  await place.open().start();
  await place.settled();
  assert.deepEqual(await place.story(job_id), ["schedule missed 00:10", "catch-up running 00:50"]);
  const [missed, fired] = place.told.sort();
  assert.deepEqual([missed?.[0], missed?.[1].trigger], ["cron.fired", "catch-up"]);
  assert.deepEqual([fired?.[0], fired?.[1].missed_count], ["cron.missed", 4]);
});

test("catch-ups run one after the other, whatever the overlap policy", async (t) => {
  const place = new CronPlace(t);
  const { job_id } = await place.open().jobs.create(probe({ misfire: "all", misfire_cap: 3 }), ann);
  await place.advance(55 * minute);
  await place.open().start();
  await place.settled();
  for (const task of [0, 1, 2]) {
    assert.equal(place.started.length, task + 1);
    place.started[task]?.end();
    await place.settled();
  }
  assert.deepEqual(await place.story(job_id), [
    "schedule missed 00:10",
    "catch-up completed 00:30",
    "catch-up completed 00:40",
    "catch-up completed 00:50",
  ]);
});

test("a machine that slept, or whose clock was set forward, is late by a minute at most", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe({ grace_s: 3_600 }), ann);
  await place.advance(5 * minute);
  place.clock.setWall(hour);
  await place.advance(minute);
  assert.deepEqual(await place.story(job_id), ["schedule missed 00:10", "schedule running 01:00"]);
  assert.equal((await cron.jobs.find(job_id)).next_at, at(70 * minute));
});

test("after a clock was set back no slot runs a second time, and the next one runs when it comes", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe({ overlap: "allow" }), ann);
  await place.advance(65 * minute, 5 * minute);
  assert.equal(place.started.length, 6);
  place.clock.setWall(-hour);
  await place.advance(64 * minute, minute);
  assert.equal(place.started.length, 6);
  await place.advance(minute);
  assert.deepEqual((await place.story(job_id)).length, 7);
  assert.equal(place.started.at(-1)?.call.scheduled_at, at(70 * minute));
});

test("a clock that was years ahead for a moment does not silence jobs for years", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe({ overlap: "allow", misfire: "skip" }), ann);
  place.clock.setWall(10 * 365 * 24 * hour);
  await place.advance(minute);
  assert.match((await cron.jobs.find(job_id)).next_at ?? "", /^203/);
  cron.abort();
  await cron.stop();
  place.clock.setWall(-10 * 365 * 24 * hour);
  await place.open().start();
  await place.settled();
  assert.match((await cron.jobs.find(job_id)).next_at ?? "", /^2026-01-01T00:10/);
  await place.advance(20 * minute, minute);
  const queued = (await place.story(job_id)).filter((line) => line.includes("running"));
  assert.deepEqual(queued, ["schedule running 00:20"]); // 00:10 is told of as missed, years later
});

test("with the scheduler off nothing is claimed; when it is on again, slots are late", async (t) => {
  const place = new CronPlace(t);
  place.isOn = false;
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe(), ann);
  await place.advance(25 * minute, minute);
  assert.deepEqual(await place.story(job_id), []);
  place.isOn = true;
  await place.advance(minute);
  assert.deepEqual(await place.story(job_id), ["schedule missed 00:10", "catch-up running 00:20"]);
});

test("of any number of daemons one runs each slot", async (t) => {
  const place = new CronPlace(t);
  const crons = [place.open(), place.open(), place.open()];
  await Promise.all(crons.map((cron) => cron.start()));
  const { job_id } =
    (await crons[0]?.jobs.create(probe({ overlap: "allow", schedule: "* * * * *" }), ann)) ?? assert.fail();
  await Promise.all(
    crons.map((cron) =>
      cron.jobs.create(
        probe({
          name: cron.jobs === crons[0]?.jobs ? "a" : `b${Math.random()}`,
          schedule: "* * * * *",
          overlap: "allow",
        }),
        ann,
      ),
    ),
  );
  await place.advance(20 * minute, minute);
  const slots = (await place.runs(job_id)).map(({ slot }) => slot);
  assert.deepEqual(
    slots,
    Array.from({ length: 20 }, (_, count) => at((count + 1) * minute)),
  );
  assert.equal(place.started.length, 80);
  assert.equal(new Set(place.started.map(({ call }) => call.run_id)).size, 80);
  assert.equal(place.events().filter((event) => event === "cron.fired").length, 80);
});

test("more jobs than may run at once are claimed in time and start as others end", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  const many = Array.from({ length: 70 }, (_, count) => probe({ name: `p${count}` }));
  await cron.import({ jobs: many }, ann);
  await cron.start();
  await place.advance(10 * minute);
  assert.equal(place.started.length, 64);
  for (const task of [...place.started]) task.end();
  await place.settled();
  assert.equal(place.started.length, 70);
});

test("a job whose schedule cannot be read stands in nobody's way, and says why", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  const broken = await cron.jobs.create(probe({ name: "broken" }), ann);
  await cron.jobs.create(probe(), ann);
  await place.store.append(
    [],
    [
      {
        kind: "cron_jobs",
        saved: [{ ...broken, schedule: "of a newer version", revision: 2 }],
        deleted: [],
        time: at(0),
      },
    ],
  );
  await cron.start();
  await place.advance(10 * minute);
  assert.equal(place.started.length, 1);
  const [run] = await place.runs(broken.job_id);
  assert.deepEqual([run?.status, (await cron.jobs.find(broken.job_id)).next_at], ["missed", null]);
  assert.match(run?.reason ?? "", /"of a newer version", position 19: 4 fields/);
});

test("a store that fails for a while stops nothing for good", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  await cron.jobs.create(probe(), ann);
  const { dueJobs } = place.store.cron;
  place.store.cron.dueJobs = () => Promise.reject(new Error("the disk is on fire"));
  await place.advance(10 * minute);
  assert.match(place.warnings.join("\n"), /the disk is on fire/);
  place.store.cron.dueJobs = dueJobs;
  await place.advance(5 * second);
  assert.equal(place.started.length, 1);
});

test("a hook that denies cron.fired keeps it from running, and it is told of as missed", async (t) => {
  const place = new CronPlace(t);
  place.hooks.on("cron.fired", { name: "not-now" }, () => deny("maintenance"));
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe({ retries: 3 }), ann);
  await place.advance(10 * minute);
  assert.deepEqual(place.started, []);
  const [run, ...more] = await place.runs(job_id);
  assert.deepEqual([run?.status, run?.reason, more], ["denied", "denied by not-now: maintenance", []]);
  assert.deepEqual(place.events(), ["cron.fired", "cron.missed"]);
  assert.equal(place.told[1]?.[1].reason, "denied by not-now: maintenance");
});

test("a person is asked because a hook or the job says so, and with nobody there the run is denied", async (t) => {
  const place = new CronPlace(t);
  place.hooks.on("cron.fired", { match: "asked", name: "ask-first" }, () => ask("is this the time?"));
  const cron = place.open();
  await cron.start();
  const asked = await cron.jobs.create(probe({ name: "asked" }), ann);
  const required = await cron.jobs.create(probe({ name: "required", approval_required: true }), ann);
  await place.advance(10 * minute);
  assert.deepEqual(place.started, []);
  const reasons = await Promise.all(
    [asked, required].map(async ({ job_id }) => (await place.runs(job_id))[0]?.reason),
  );
  assert.deepEqual(reasons, [
    "nobody is there: an approval is asked for by ask-first: is this the time?",
    "nobody is there: the job needs an approval",
  ]);
});

test("rules judge what would run, and what they cannot judge is not run", async (t) => {
  const place = new CronPlace(t);
  const asked: unknown[] = [];
  place.mayRun = async (request) => {
    asked.push(request);
    return { verdict: "deny", reason: "rule 7" };
  };
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe({ cwd: "/tmp" }), ann);
  await place.advance(10 * minute);
  const [run] = await place.runs(job_id);
  assert.deepEqual([run?.status, run?.reason], ["denied", "rule 7"]);
  assert.deepEqual(asked, [
    {
      event: "cron.fired",
      data: place.told[0]?.[1],
      origin: { source: "cron", task: run?.run_id, cwd: "/tmp" },
      asked: null,
      isJudged: true,
    },
  ]);
  place.mayRun = () => Promise.reject(new (class extends Error {})("a bug"));
  await place.advance(10 * minute);
  assert.deepEqual((await place.story(job_id))[1], "schedule failed 00:20");
  assert.deepEqual(place.started, []);
});
