import assert from "node:assert/strict";
import { test } from "node:test";
import { CronPlace, minute, probe, second } from "./harness.cases.ts";

const ann = "human:ann";

/** Runs the job's next slots, each to this end. */
async function slots(place: CronPlace, ...problems: readonly (string | null)[]): Promise<void> {
  for (const problem of problems) {
    const before = place.started.length;
    await place.advance(10 * minute);
    assert.equal(place.started.length, before + 1, "the slot did not run");
    place.started.at(-1)?.end({ exitCode: problem === null ? 0 : 3, problem });
    await place.settled();
  }
}

async function started(t: ConstructorParameters<typeof CronPlace>[0], changes: object) {
  const place = new CronPlace(t);
  const cron = place.open();
  await cron.start();
  const { job_id } = await cron.jobs.create(probe(changes), ann);
  const alerts = () => place.told.filter(([event]) => event === "alert.raised").map(([, data]) => data);
  return { place, cron, job_id, alerts };
}

test("so many failures in a row raise one alert, and a run that ends well begins the count again", async (t) => {
  const { place, alerts, job_id } = await started(t, { alert_after: 2 });
  await slots(place, "exit code 3");
  assert.deepEqual(alerts(), []);
  await slots(place, "exit code 3");
  const [alert] = alerts();
  assert.equal(
    alert?.message,
    "job probe: 2 runs in a row failed or were denied; the last failed: exit code 3",
  );
  assert.deepEqual([alert?.name, alert?.level, alert?.value, alert?.threshold], ["probe", "warning", 2, 2]);
  const { run_id } = (await place.runs(job_id)).at(-1) ?? {};
  assert.deepEqual(alert?.details, { job_id, run_id, status: "failed", is_paused: false });
  await slots(place, "exit code 3", null, "exit code 3");
  assert.equal(alerts().length, 1, "one is enough, until it has ended well");
  await slots(place, "exit code 3");
  assert.equal(alerts().length, 2);
});

test("a job that fails or is denied too often in a row is paused, and the record says why", async (t) => {
  const { place, cron, alerts, job_id } = await started(t, { alert_after: 0, pause_after: 3 });
  await slots(place, "exit code 3");
  place.mayRun = async () => ({ verdict: "deny", reason: "denied by no-night" });
  await place.advance(20 * minute, 10 * minute);
  assert.equal((await cron.jobs.find(job_id)).enabled, false);
  const [alert] = alerts();
  assert.equal(
    alert?.message,
    "job probe: 3 runs in a row failed or were denied; the job is paused; the last denied: denied by no-night",
  );
  assert.deepEqual([alerts().length, alert?.level, alert?.threshold], [1, "critical", 3]);
  const paused = (await place.rows()).find(({ event }) => event === "job.paused");
  assert.equal(paused?.actor, "swarm");
  assert.match(paused?.reason ?? "", /^"probe" \(cj_\w+\): 3 runs in a row failed or were denied$/);
  await place.advance(60 * minute, 10 * minute);
  assert.deepEqual(
    (await place.story(job_id)).map((line) => line.split(" ")[1]),
    ["failed", "denied", "denied"],
  );
});

test("a run that is tried again has not failed yet: a slot counts once, with its last try", async (t) => {
  const { place, alerts } = await started(t, { alert_after: 2, retries: 1, backoff_s: 1 });
  for (const count of [1, 2]) {
    await slots(place, "no");
    assert.equal(alerts().length, 0, `slot ${count}, first try`);
    await place.advance(second);
    place.started.at(-1)?.end({ problem: "no" });
    await place.settled();
  }
  assert.equal(alerts().length, 1);
  assert.equal(place.started.length, 4);
});

test("slots that did not run say nothing of whether the job works", async (t) => {
  const { place, alerts } = await started(t, { alert_after: 2, overlap: "skip" });
  await place.advance(10 * minute);
  await place.advance(20 * minute, 10 * minute);
  place.started[0]?.end({ problem: "no" });
  await place.settled();
  assert.deepEqual(alerts(), [], "two slots were skipped meanwhile, and one failed");
  await slots(place, "no");
  assert.equal(alerts().length, 1);
});
