import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SwarmError } from "../../base/errors.ts";
import { defaultsOf } from "../port/setting.ts";
import { eventually } from "../../handlers/process/harness.cases.ts";
import { at, CronPlace, hour, jobsFile, minute, probe } from "./harness.cases.ts";
import { jobFields } from "./port/cron-job.ts";

const ann = "human:ann";

test("a job is made with every default filled in, and a row that tells of it", async (t) => {
  const place = new CronPlace(t);
  const made = await place.open().jobs.create(probe(), ann);
  const { seq: _seq, job_id, ...job } = made;
  assert.match(job_id, /^cj_[0-9a-z]+$/);
  assert.deepEqual(job, {
    ...defaultsOf(jobFields),
    ...probe(),
    cwd: place.home,
    declared_in: null,
    declared_digest: null,
    anchor_at: at(0),
    next_at: at(10 * minute),
    due_at: at(10 * minute),
    revision: 1,
    created_at: at(0),
    created_by: ann,
    updated_at: at(0),
  });
  const [row] = await place.rows();
  assert.deepEqual(
    [row?.kind, row?.event, row?.actor, row?.reason],
    ["change", "job.created", ann, `"probe" (${job_id})`],
  );
});

/** What is refused, with the code and part of what is said. */
const refused: readonly (readonly [changes: object, code: string, says: RegExp])[] = [
  [{ name: "" }, "SWARM_OPTION_INVALID", /job "": name is "", expected a text of 1 to 128 characters/],
  [{ name: "a\nb" }, "SWARM_OPTION_INVALID", /on one line/],
  [{ name: "\ud800" }, "SWARM_OPTION_INVALID", /name/],
  [{ name: 7 }, "SWARM_OPTION_INVALID", /job: name is 7/],
  [{ schedule: undefined }, "SWARM_OPTION_INVALID", /schedule is undefined, expected a string/],
  [{ schedule: "0 25 * * *" }, "SWARM_SCHEDULE_INVALID", /position 3/],
  [{ schedule: "0 0 30 2 *" }, "SWARM_SCHEDULE_NEVER", /no date fits it/],
  [{ schedule: "2025-01-01T00:00Z" }, "SWARM_SCHEDULE_NEVER", /has passed/],
  [{ schedule: "2025-01-01T00:00Z", enabled: false }, "SWARM_SCHEDULE_NEVER", /has passed/],
  [{ tz: "Berlin" }, "SWARM_TIME_ZONE_UNKNOWN", /Berlin/],
  [{ task: "prob" }, "SWARM_CRON_TASK_UNKNOWN", /did you mean "probe"/],
  [{ task: "constructor" }, "SWARM_CRON_TASK_UNKNOWN", /expected probe/],
  [{ config: {} }, "SWARM_OPTION_INVALID", /config of task probe: say is undefined/],
  [{ config: { say: 7 } }, "SWARM_OPTION_INVALID", /say is 7, expected a string/],
  [{ config: { say: "x", sayy: 1 } }, "SWARM_OPTION_UNKNOWN", /unknown option "sayy"/],
  [{ config: [] }, "SWARM_OPTION_INVALID", /config is an array/],
  [{ config: { say: "x".repeat(70_000) } }, "SWARM_OPTION_INVALID", /at most 65536 characters/],
  [{ overlap: "sometimes" }, "SWARM_OPTION_INVALID", /expected skip or queue or allow/],
  [{ misfire: "never" }, "SWARM_OPTION_INVALID", /expected skip or once or all/],
  [{ misfire_cap: 0 }, "SWARM_OPTION_INVALID", /a whole number from 1 to 1000/],
  [{ timeout_s: 0 }, "SWARM_OPTION_INVALID", /timeout_s is 0/],
  [{ grace_s: 1.5 }, "SWARM_OPTION_INVALID", /grace_s is 1.5/],
  [{ retries: -1 }, "SWARM_OPTION_INVALID", /retries is -1/],
  [{ enabled: "yes" }, "SWARM_OPTION_INVALID", /true or false/],
  [{ cwd: "relative" }, "SWARM_OPTION_INVALID", /an absolute path/],
  [{ shedule: "@daily" }, "SWARM_OPTION_UNKNOWN", /did you mean "schedule"/],
  [{ job_id: "cj_mine" }, "SWARM_OPTION_UNKNOWN", /unknown option "job_id"/],
];

for (const [changes, code, says] of refused) {
  test(`a job with ${JSON.stringify(changes).slice(0, 60)} is refused, and nothing is made`, async (t) => {
    const place = new CronPlace(t);
    const made = place.open().jobs.create(probe(changes), ann);
    await assert.rejects(made, (error: SwarmError) => {
      assert.deepEqual([error.code, says.test(error.message)], [code, true], error.message);
      return true;
    });
    assert.deepEqual([await place.rows(), await place.store.cron.listJobs({ limit: 9 })], [[], []]);
  });
}

test("a name is one job's", async (t) => {
  const place = new CronPlace(t);
  const { jobs } = place.open();
  await jobs.create(probe(), ann);
  await assert.rejects(jobs.create(probe(), ann), { code: "SWARM_CRON_NAME_TAKEN" });
  const other = await jobs.create(probe({ name: "other" }), ann);
  await assert.rejects(jobs.change(other.job_id, { name: "probe" }, ann), { code: "SWARM_CRON_NAME_TAKEN" });
});

test("a change leaves what it does not name, and the rhythm when the schedule stays", async (t) => {
  const place = new CronPlace(t);
  const { jobs } = place.open();
  const { job_id } = await jobs.create(probe({ schedule: "every 1h" }), ann);
  await place.advance(30 * minute);
  const renamed = await jobs.change(job_id, { name: "renamed", retries: 3 }, ann);
  assert.deepEqual(
    [renamed.name, renamed.retries, renamed.schedule, renamed.next_at],
    ["renamed", 3, "every 1h", at(hour)],
  );
  const paused = await jobs.change(job_id, { enabled: false }, ann);
  assert.deepEqual([paused.enabled, paused.next_at, paused.due_at], [false, null, null]);
  await place.advance(hour);
  const resumed = await jobs.change(job_id, { enabled: true }, ann);
  assert.deepEqual([resumed.enabled, resumed.next_at], [true, at(2 * hour)]);
  const changed = await jobs.change(job_id, { schedule: "every 2h" }, ann);
  assert.deepEqual(
    [changed.anchor_at, changed.next_at, changed.revision],
    [at(90 * minute), at(210 * minute), 5],
  );
  const events = (await place.rows()).map(({ event }) => event);
  assert.deepEqual(events, ["job.created", "job.changed", "job.paused", "job.resumed", "job.changed"]);
});

test("what has had its only time can be paused but not resumed", async (t) => {
  const place = new CronPlace(t);
  const { jobs } = place.open();
  const { job_id } = await jobs.create(probe({ schedule: "in 30m" }), ann);
  await place.advance(hour);
  await jobs.change(job_id, { enabled: false }, ann);
  await assert.rejects(jobs.change(job_id, { enabled: true }, ann), { code: "SWARM_SCHEDULE_NEVER" });
});

test("of two who change a job at once, one is told", async (t) => {
  const place = new CronPlace(t);
  const { jobs } = place.open();
  const { job_id } = await jobs.create(probe(), ann);
  const both = await Promise.allSettled([
    jobs.change(job_id, { retries: 1 }, ann),
    jobs.change(job_id, { grace_s: 1 }, "human:bob"),
  ]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["fulfilled", "rejected"],
  );
  assert.equal((await jobs.find(job_id)).grace_s, 120);
});

test("secrets of a job are not in the record", async (t) => {
  const place = new CronPlace(t);
  await place
    .open()
    .jobs.create(probe({ config: { say: "curl -H 'Authorization: Bearer abcdefghijkl'" } }), ann);
  const { after } = (await place.store.findPayload(1)) ?? assert.fail();
  assert.match(after ?? "", /\[redacted\]/);
  assert.doesNotMatch(after ?? "", /abcdefghijkl/);
});

test("jobs.json follows every change, whole and private", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe(), ann);
  await cron.jobs.create(probe({ name: "other" }), ann);
  await cron.jobs.delete(job_id, ann);
  await cron.stop();
  const file = jobsFile(place.home);
  assert.deepEqual(
    file?.jobs.map(({ name }) => name),
    ["other"],
  );
  const folder = join(place.home, "cron");
  assert.deepEqual(
    [readdirSync(folder), statSync(join(folder, "jobs.json")).mode & 0o777],
    [["jobs.json"], 0o600],
  );
  assert.deepEqual(Object.keys(file?.jobs[0] ?? {}).slice(0, 6), [
    "job_id",
    "name",
    "schedule",
    "tz",
    "task",
    "config",
  ]);
});

test("an edit of jobs.json by hand changes no job: it is told of, put aside and found by whoever looks", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  await cron.jobs.create(probe(), "human:ann");
  await place.advance(minute);
  const file = join(place.home, "cron", "jobs.json");
  const content = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
  await eventually(() => (content().includes("probe") ? true : null), "it is never written");
  const written = content();
  const edited = written.replace("*/10", "*/5");
  writeFileSync(file, edited);
  assert.deepEqual(await cron.mirrorEdits(), [{ file, isAside: false }]);
  await cron.tick();
  await eventually(() => (content() === written ? true : null), "it stays as it was edited");
  const [warning = ""] = place.warnings;
  assert.match(warning, /jobs\.json was edited by hand, which changes no job: .* swarm cron import /);
  const [edit] = await cron.mirrorEdits();
  assert.deepEqual([edit?.isAside, warning.endsWith(`swarm cron import ${edit?.file}`)], [true, true]);
  assert.equal(readFileSync(edit?.file ?? "", "utf8"), edited);
  await cron.tick();
  await cron.stop();
  assert.equal(place.warnings.length, 1, "once");
  // While nobody is there, and by a program that leaves the digest as it was.
  writeFileSync(file, JSON.stringify(JSON.parse(written)));
  const next = place.open();
  await next.start();
  await eventually(() => (place.warnings.length === 2 ? true : null), "an edit meanwhile is not told of");
  const kept = (await next.mirrorEdits()).filter(({ isAside }) => isAside);
  assert.equal(kept.length, 2);
  assert.equal((await next.import(JSON.parse(edited), "human:ann")).changed.length, 1, "as it was said");
});

test("a jobs.json that cannot be written is told of, and costs nothing else", async (t) => {
  const place = new CronPlace(t);
  writeFileSync(join(place.home, "cron"), "not a folder");
  const cron = place.open();
  await cron.jobs.create(probe(), ann);
  await cron.stop();
  assert.match(place.warnings.join("\n"), /jobs\.json is out of date/);
  assert.equal((await place.store.cron.listJobs({ limit: 9 })).length, 1);
});

test("what is exported can be imported elsewhere, with ids and rhythm", async (t) => {
  const [from, to] = [new CronPlace(t), new CronPlace(t)];
  const source = from.open();
  await source.jobs.create(probe({ schedule: "every 1h", retries: 2 }), ann);
  await source.jobs.create(probe({ name: "once", schedule: "in 10m" }), ann);
  await source.jobs.create(probe({ name: "paused", enabled: false }), ann);
  const exported = await source.export();
  await to.advance(40 * minute);
  const target = to.open();
  const report = await target.import(exported, ann);
  assert.deepEqual(report, {
    created: ["paused", "once", "probe"],
    changed: [],
    unchanged: [],
    declared: [],
  });
  const settled = async (cron: typeof source) =>
    (await cron.list({ limit: 9 }))
      .map(({ name, job_id, retries, enabled, next_at }) => ({ name, job_id, retries, enabled, next_at }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  const [once, ...others] = await settled(source);
  // Its only time has passed there: it is there all the same.
  assert.deepEqual(await settled(target), [{ ...once, next_at: null }, ...others]);
  assert.deepEqual(await target.import(exported, ann), {
    created: [],
    changed: [],
    unchanged: ["paused", "once", "probe"],
    declared: [],
  });
  const [first] = exported.jobs;
  const changed = await target.import([{ ...first, retries: 7 }], ann);
  assert.deepEqual(changed, { created: [], changed: ["paused"], unchanged: [], declared: [] });
  assert.deepEqual(
    (await to.rows()).map(({ event }) => event),
    ["jobs.imported", "jobs.imported"],
  );
});

test("a file with one bad job imports none, and says which it is", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  const good = probe();
  for (const [given, says] of [
    [{}, /the file of jobs is not one: it has no list of jobs/],
    [null, /is not one/],
    [[good, 7], /job 2 of the file: it is no object/],
    [
      { jobs: [good, probe({ name: "b", schedule: "0 0 30 2 *" })] },
      /job 2 of the file: schedule "0 0 30 2 \*" never fires/,
    ],
    [{ jobs: [good, good] }, /job 2 of the file: a job named "probe" is there already/],
    [{ jobs: [{ ...good, job_id: "../../etc" }] }, /job 1 of the file: job: job_id is "\.\.\/\.\.\/etc"/],
    [{ jobs: [{ ...good, next_run: "x" }] }, /unknown option "next_run"/],
  ] as const) {
    await assert.rejects(cron.import(given, ann), (error: SwarmError) => {
      assert.equal(error.code, "SWARM_CRON_FILE_INVALID");
      assert.match(error.message, says);
      return true;
    });
  }
  assert.deepEqual(await cron.list({ limit: 9 }), []);
});

const source = { file: "/home/ann/.swarm/config.yaml", line: 3, column: 5 };

test("declared jobs are made, changed and deleted as their file says", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  const declare = (...settings: object[]) => {
    const declarations = settings.map((each) => ({ source, settings: probe(each) }));
    place.settings = { declarations };
    return cron.syncDeclared();
  };
  await declare({ name: "a" }, { name: "b" });
  const names = async () => (await cron.list({ limit: 9 })).map(({ name }) => name).sort();
  assert.deepEqual(await names(), ["a", "b"]);
  const a = (await cron.jobs.findByName("a")) ?? assert.fail();
  assert.deepEqual([a.declared_in, a.created_by], [source.file, "swarm"]);
  await assert.rejects(cron.jobs.change(a.job_id, { retries: 1 }, ann), { code: "SWARM_CRON_JOB_DECLARED" });
  await assert.rejects(cron.jobs.delete(a.job_id, ann), { code: "SWARM_CRON_JOB_DECLARED" });
  await cron.jobs.change(a.job_id, { enabled: false }, ann);
  await declare({ name: "a" }, { name: "c" });
  assert.deepEqual(await names(), ["a", "c"]);
  assert.equal((await cron.jobs.find(a.job_id)).enabled, false, "what was paused stays so");
  await declare({ name: "a", retries: 4 }, { name: "c" });
  const changed = await cron.jobs.find(a.job_id);
  assert.deepEqual([changed.retries, changed.enabled], [4, true]);
  assert.deepEqual(await cron.import([probe({ name: "a", retries: 9 })], ann), {
    created: [],
    changed: [],
    unchanged: [],
    declared: ["a"],
  });
});

test("a declaration that is wrong leaves its job as it was, and the others are in force", async (t) => {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.jobs.create(probe({ name: "taken" }), ann);
  const declare = (...settings: object[]) => {
    place.settings = {
      declarations: settings.map((each) => ({ source, settings: probe(each) })),
    };
    return cron.syncDeclared();
  };
  await declare({ name: "a" });
  await declare({ name: "a", schedule: "0 25 * * *" }, { name: "b" }, { name: "taken" });
  assert.deepEqual(cron.problems, [
    {
      name: "a",
      problem: `${source.file}:3:5: schedule "0 25 * * *", position 3: "25" is no hour, expected for the hour 0 to 23, *, or a list, range or step of them`,
    },
    {
      name: "taken",
      problem: `${source.file}:3:5: a job named "taken" is there already, expected another name`,
    },
  ]);
  assert.equal((await cron.jobs.findByName("a"))?.schedule, "*/10 * * * *");
  assert.notEqual(await cron.jobs.findByName("b"), null);
  assert.equal(place.warnings.length, 2);
  await declare({ name: "a" });
  assert.deepEqual(cron.problems, []);
});

test("a preview shows ten runs, in UTC and as a clock there shows them, and the meaning", async (t) => {
  const cron = new CronPlace(t).open();
  const daily = await cron.preview("0 3 * * *", "europe/berlin");
  assert.deepEqual(
    [daily.tz, daily.meaning, daily.runs.length],
    ["Europe/Berlin", "at 03:00 every day, Europe/Berlin time", 10],
  );
  assert.deepEqual(daily.runs[0], { at: "2026-01-01T02:00:00.000Z", local: "Thu 2026-01-01 03:00:00 CET" });
  assert.deepEqual(
    (await cron.preview("in 5m", "UTC")).runs.map((run) => run.at),
    [at(5 * minute)],
  );
  assert.deepEqual((await cron.preview("2020-05-15T09:00Z", undefined)).runs, []);
  await assert.rejects(cron.preview("0 0 30 2 *", "UTC"), { code: "SWARM_SCHEDULE_NEVER" });
});
