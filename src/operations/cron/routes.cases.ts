import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { cronRoutes } from "./routes.ts";
import { openApp } from "../../daemon/server/harness.cases.ts";
import type { Problem } from "../../daemon/rest/problem.ts";
import { roleFor } from "../../daemon/rest/route.ts";

interface Job {
  readonly job_id: string;
  readonly name: string;
  readonly status: string;
  readonly next_run: string | null;
  readonly enabled: boolean;
  readonly retries: number;
  readonly created_by: string;
}

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly ended_at: string | null;
  readonly exit_code: number | null;
  readonly output: string | null;
}

const jobs = "/api/v1/cron/jobs";
const drift = {
  name: "nightly_fraud_drift",
  schedule: "0 3 * * *",
  task: "drift_check",
  config: { baseline_run_id: "abc123", window_hours: 24 },
};

async function opened(t: TestContext) {
  const app = await openApp(t);
  const create = async (changes: object = {}): Promise<Job> => {
    const { status, body } = await app.call<Job>("POST", jobs, { ...drift, ...changes });
    assert.equal(status, 200);
    return body;
  };
  return { ...app, create };
}

/** The operations of scheduled work; every answer is held against the document. */
export function cronRouteCases(): void {
  suite("/api/v1/cron", () => {
    test("a job is made, listed, shown, changed, paused, resumed and deleted", async (t) => {
      const { call, create } = await opened(t);
      const { job_id, ...made } = await create();
      assert.deepEqual([made.status, made.created_by, made.enabled], ["never_ran", "human:ann", true]);
      const { body: list } = await call<{ items: Job[]; next_cursor: null; problems: [] }>("GET", jobs);
      assert.deepEqual(
        [list.items.map(({ name }) => name), list.next_cursor, list.problems],
        [[drift.name], null, []],
      );
      assert.deepEqual((await call<Job>("GET", `${jobs}/${job_id}`)).body, list.items[0]);
      const patch = async (changes: object) => (await call<Job>("PATCH", `${jobs}/${job_id}`, changes)).body;
      assert.equal((await patch({ retries: 3 })).retries, 3);
      const paused = await patch({ enabled: false });
      assert.deepEqual([paused.status, paused.next_run, paused.retries], ["paused", null, 3]);
      assert.equal((await patch({ enabled: true })).next_run, made.next_run);
      assert.equal((await call("DELETE", `${jobs}/${job_id}`)).status, 200);
      const gone = await call<Problem>("GET", `${jobs}/${job_id}`);
      assert.deepEqual([gone.status, gone.body.code], [404, "SWARM_CRON_JOB_UNKNOWN"]);
    });

    test("a job that is planned is checked and told of, and not made", async (t) => {
      const { call, cwd } = await opened(t);
      const line = { ...drift, task: "custom", config: { command: "echo $TOKEN" }, cwd };
      const { status, body } = await call<{ does: string[]; runs: unknown[]; meaning: string }>(
        "POST",
        "/api/v1/cron/plan",
        line,
      );
      assert.deepEqual([status, body.does, body.runs.length], [200, [`bash, in ${cwd}: echo $TOKEN`], 10]);
      const none = await call<Problem>("POST", "/api/v1/cron/plan", drift);
      assert.deepEqual([none.status, none.body.code], [404, "SWARM_DRIFT_SOURCE_UNKNOWN"]);
      const wrong = { ...drift, config: { baseline_run_id: "abc123", window_hours: -1 } };
      const refused = await call<Problem>("POST", "/api/v1/cron/plan", wrong);
      assert.match(
        refused.body.detail,
        /config of task drift_check: window_hours is -1, expected a number over 0/,
      );
      assert.deepEqual((await call<{ items: Job[] }>("GET", jobs)).body.items, []);
    });

    test("jobs are paged, and found by their name", async (t) => {
      const { call, create } = await opened(t);
      for (const name of ["a", "b", "c"]) await create({ name });
      const first = await call<{ items: Job[]; next_cursor: string }>("GET", `${jobs}?limit=2`);
      assert.deepEqual(
        first.body.items.map(({ name }) => name),
        ["c", "b"],
      );
      const rest = await call<{ items: Job[] }>("GET", `${jobs}?limit=2&cursor=${first.body.next_cursor}`);
      assert.deepEqual(
        rest.body.items.map(({ name }) => name),
        ["a"],
      );
      assert.equal((await call<{ items: Job[] }>("GET", `${jobs}?name=b`)).body.items.length, 1);
    });

    test("what is wrong with a job is a problem that says what was expected", async (t) => {
      const { call, create } = await opened(t);
      await create();
      for (const [body, status, code] of [
        [{ ...drift, name: "x", schedule: "0 25 * * *" }, 400, "SWARM_SCHEDULE_INVALID"],
        [{ ...drift, name: "x", schedule: "0 0 30 2 *" }, 400, "SWARM_SCHEDULE_NEVER"],
        [{ ...drift, name: "x", tz: "Nowhere" }, 400, "SWARM_TIME_ZONE_UNKNOWN"],
        [{ ...drift, name: "x", task: "drift" }, 400, "SWARM_CRON_TASK_UNKNOWN"],
        [{ ...drift, name: "x", config: {} }, 400, "SWARM_OPTION_INVALID"],
        [{ ...drift, name: "x", grace_s: -1 }, 400, "SWARM_OPTION_INVALID"],
        [{ ...drift, name: "x", shedule: "1h" }, 400, "SWARM_OPTION_UNKNOWN"],
        [{ name: "x", task: "custom" }, 400, "SWARM_OPTION_INVALID"],
        [drift, 409, "SWARM_CRON_NAME_TAKEN"],
      ] as const) {
        const answer = await call<Problem>("POST", jobs, body);
        assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body));
      }
    });

    test("a job is run now; its run has a history and an output", async (t) => {
      const { call, create, home } = await opened(t);
      const { job_id } = await create({
        name: "now",
        task: "custom",
        config: { command: "echo from bash; exit 3" },
      });
      const { body: begun } = await call<Run>("POST", `${jobs}/${job_id}/run`);
      const shown = async () => (await call<Run>("GET", `/api/v1/cron/runs/${begun.run_id}`)).body;
      let run = await shown();
      while (run.ended_at === null) {
        await new Promise((resolve) => setImmediate(resolve)); // nothing else here waits for the machine
        run = await shown();
      }
      assert.deepEqual([run.status, run.exit_code, run.output], ["failed", 3, "from bash\n"]);
      assert.ok(existsSync(join(home, "cron", "output", `${job_id}_${run.run_id}.log`)));
      const { body: runs } = await call<{ items: Run[] }>("GET", `${jobs}/${job_id}/runs`);
      const { output: _output, ...listed } = run;
      assert.deepEqual(runs.items, [listed]);
      assert.equal((await call<Job>("GET", `${jobs}/${job_id}`)).body.status, "failed");
      await call("DELETE", `${jobs}/${job_id}`);
      assert.equal((await call<{ items: Run[] }>("GET", `${jobs}/${job_id}/runs`)).body.items.length, 1);
      for (const path of [`${jobs}/cj_nobody/runs`, "/api/v1/cron/runs/cr_nobody"])
        assert.equal((await call("GET", path)).status, 404);
      assert.equal((await call("POST", `${jobs}/cj_nobody/run`)).status, 404);
    });

    test("a schedule can be looked at before it is used", async (t) => {
      const { call } = await opened(t);
      const { body } = await call<{ meaning: string; runs: object[] }>(
        "GET",
        `/api/v1/cron/preview?tz=UTC&schedule=${encodeURIComponent("0 3 * * MON-FRI")}`,
      );
      assert.deepEqual([body.meaning, body.runs.length], ["at 03:00 on Monday to Friday, UTC time", 10]);
      assert.equal((await call("GET", "/api/v1/cron/preview?schedule=soon")).status, 400);
    });

    test("what is exported can be imported", async (t) => {
      const [{ call: from, create }, { call: to }] = [await opened(t), await opened(t)];
      await create();
      const { body: exported } = await from<{ jobs: object[] }>("GET", "/api/v1/cron/export");
      const imported = await to("POST", "/api/v1/cron/import", exported);
      assert.deepEqual(imported.body, { created: [drift.name], changed: [], unchanged: [], declared: [] });
      const { body: again } = await to<{ jobs: object[] }>("GET", "/api/v1/cron/export");
      const made = (jobs: readonly object[]) => jobs.map((job) => ({ ...job, created_at: null }));
      assert.deepEqual(made(again.jobs), made(exported.jobs));
      const bad = await to<Problem>("POST", "/api/v1/cron/import", { jobs: [{}] });
      assert.deepEqual([bad.status, bad.body.code], [400, "SWARM_CRON_FILE_INVALID"]);
    });

    test("jobs are an admin's to make, change, delete and take elsewhere; whoever may look sees no secret", async (t) => {
      const admins = [
        "createCronJob",
        "changeCronJob",
        "deleteCronJob",
        "importCronJobs",
        "exportCronJobs",
      ] as const;
      for (const id of admins) assert.equal(roleFor(cronRoutes[id]), "admin", id);
      for (const id of ["runCronJob", "showCronRun"] as const)
        assert.equal(roleFor(cronRoutes[id]), "operator", id);
      for (const id of ["listCronJobs", "showCronJob", "listCronRuns", "previewSchedule"] as const)
        assert.equal(roleFor(cronRoutes[id]), "viewer", id);
      const { call, create } = await opened(t);
      const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
      const command = `curl -H "Authorization: Bearer ${token}" https://example.com`;
      const { job_id } = await create({ task: "custom", config: { command } });
      for (const path of [jobs, `${jobs}/${job_id}`])
        assert.ok(!JSON.stringify((await call("GET", path)).body).includes(token), path);
      const { body } = await call<{ jobs: { config: object }[] }>("GET", "/api/v1/cron/export");
      assert.deepEqual(body.jobs[0]?.config, { command });
    });

    test("nobody can say that a job has fired but the scheduler", async (t) => {
      const { call } = await opened(t);
      const sent = await call<Problem>("POST", "/api/v1/events", {
        event: "cron.fired",
        data: { name: "x", job_id: "y" },
      });
      assert.deepEqual([sent.status, sent.body.code], [403, "SWARM_EVENT_NOT_POSTABLE"]);
    });
  });
}
