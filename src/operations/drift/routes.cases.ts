import assert from "node:assert/strict";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { driftRoutes } from "./routes.ts";
import { openApp, savingHeaders } from "../../daemon/server/harness.cases.ts";
import type { Problem } from "../../daemon/rest/problem.ts";
import { roleFor } from "../../daemon/rest/route.ts";

interface Marked {
  readonly run_id: string;
  readonly drift: object | null;
}

interface Check {
  readonly check_id: string;
  readonly is_drift: boolean;
  readonly time: string;
  readonly message: string;
  readonly report_path: string;
}

const checks = "/api/v1/drift/checks";
const routesOfRuns = { batch: "/api/v1/batch", pipelines: "/api/v1/pipeline-runs" };
const amounts = (shift: number) =>
  Array.from({ length: 50 }, (_, n) => `${JSON.stringify({ amount: n + shift, word: "a" })}\n`).join("");
const files = { "before.jsonl": amounts(0), "moved.jsonl": amounts(30) };
const config = { baseline: "before.jsonl", window: "moved.jsonl" };

/** The operations on drift checks and baselines; every answer is held against the document. */
export function driftRouteCases(): void {
  suite("/api/v1/drift and /api/v1/baselines", () => {
    test("a check is planned, made, listed and shown", async (t) => {
      const { call, cwd, write, runtime } = await openApp(t);
      write(files);
      const { body: plan } = await call<{ window: { files: string[] } }>("POST", "/api/v1/drift/plan", {
        config,
        cwd,
      });
      assert.deepEqual(plan.window.files, [join(cwd, "moved.jsonl")]);
      const made = await call<Check>("POST", checks, { config, cwd, name: "fraud" });
      assert.deepEqual([made.status, made.body.is_drift], [200, true]);
      assert.match(made.body.message, /^drift: amount KS 0\.6 over 0\.15; /);
      const { body: list } = await call<{ items: Check[] }>("GET", checks);
      const { check_id, message, report_path } = made.body;
      assert.deepEqual(
        list.items.map((item) => [item.check_id, item.message, item.report_path]),
        [[check_id, message, report_path]],
      );
      assert.partialDeepStrictEqual(list.items, [
        { baseline: join(cwd, "before.jsonl"), window: join(cwd, "moved.jsonl"), features: 2, drifted: 1 },
      ]);
      assert.deepEqual((await call("GET", `${checks}/${check_id}`)).body, made.body);
      const rows = await runtime.store.readRunEvents(0, 20);
      assert.deepEqual(rows.map(({ event, actor, task }) => [event, actor, task]).slice(-2), [
        ["drift.checked", "human:ann", check_id],
        ["alert.raised", "swarm", check_id],
      ]);
    });

    test("the report of a check is got to be saved, and is of no use to whoever names a path", async (t) => {
      const { app, call, cwd, write } = await openApp(t);
      write(files);
      const { check_id, report_path } = (await call<Check>("POST", checks, { config, cwd })).body;
      const address = `${checks}/${check_id}/report`;
      const got = await app.request(address, { headers: { host: "localhost" } });
      const text = await got.text();
      assert.equal(text, readFileSync(report_path, "utf8"));
      assert.deepEqual(savingHeaders(got), {
        "content-type": "text/html; charset=utf-8",
        "content-length": String(Buffer.byteLength(text)),
        "content-disposition": `attachment; filename="drift-${check_id}.html"`,
        "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      });
      assert.equal((await call("GET", address)).status, 200);
      rmSync(report_path);
      symlinkSync(join(cwd, "before.jsonl"), report_path);
      for (const id of [check_id, "dr_1"]) {
        const { status, body } = await call<Problem>("GET", `${checks}/${id}/report`);
        assert.deepEqual([status, body.code], [404, "SWARM_DRIFT_CHECK_UNKNOWN"], id);
      }
      assert.equal((await call("GET", `${checks}/..%2Fdrift%2F${check_id}/report`)).status, 400);
    });

    test("a baseline is set, listed, shown and compared with", async (t) => {
      const { call, cwd, write, runtime } = await openApp(t);
      write(files);
      const set = await call("PUT", "/api/v1/baselines/fraud-3", {
        source: "before.jsonl",
        cwd,
        ignore: ["word"],
      });
      assert.equal(set.status, 200);
      assert.deepEqual((await call<{ items: unknown[] }>("GET", "/api/v1/baselines")).body.items, [set.body]);
      const { body: shown } = await call<{ schema: unknown }>("GET", "/api/v1/baselines/fraud-3");
      assert.deepEqual(shown.schema, [{ feature: "amount", type: "number", present: 50, categories: 0 }]);
      const byName = { model: "fraud", version: "3", window: join(cwd, "moved.jsonl") };
      assert.equal((await call<Check>("POST", checks, { config: byName })).body.is_drift, true);
      const [row] = await runtime.store.listRunEvents({ limit: 1, event: "baseline.set" });
      assert.deepEqual([row?.actor, row?.kind], ["human:ann", "change"]);
    });

    test("a run that was compared shows what was found, wherever runs are shown", async (t) => {
      const { call, cwd, runtime } = await openApp(t);
      const { batch, pipelines } = routesOfRuns;
      const runs = await runtime.batch.open();
      for (const [id, shift] of [
        ["before", 0],
        ["moved", 30],
      ] as const) {
        const records = Readable.from([Buffer.from(amounts(shift))]);
        const settings = { processor: "echo", concurrency: 1, output: join(cwd, id) };
        await runs.submit({ run_id: id, settings, records, actor: "human:ann" });
        while ((await runs.find(id)).state === "running") await pause(5);
      }
      const { body } = await call<Check>("POST", checks, {
        config: { baseline: "before", window: "moved" },
      });
      const { items } = (await call<{ items: Marked[] }>("GET", batch)).body;
      const { body: status } = await call<Marked>("GET", `${batch}/moved/status`);
      const { check_id, time: checked_at, message } = body;
      const drift = { check_id, checked_at, is_drift: true, message };
      assert.deepEqual(
        items.map((run) => [run.run_id, run.drift]),
        [
          ["moved", drift],
          ["before", null],
        ],
      );
      assert.deepEqual(status.drift, drift);
      assert.deepEqual((await call<{ items: Marked[] }>("GET", pipelines)).body.items, []);
    });

    test("what cannot be compared is told by the option or the file it is about", async (t) => {
      const { call, cwd, write } = await openApp(t);
      write({ ...files, "bad.jsonl": "not json\n", "few.jsonl": '{"a":1}\n' });
      const refused = async (changes: object, body: object = { cwd }) => {
        const given = { ...body, config: { ...config, ...changes } };
        const { status, body: problem } = await call<Problem>("POST", checks, given);
        return [status, problem.code, problem.detail] as const;
      };
      const cases = [
        [
          { window_hours: "24" },
          400,
          "SWARM_OPTION_INVALID",
          /window_hours is "24", expected a finite number/,
        ],
        [{ windw: "x" }, 400, "SWARM_OPTION_UNKNOWN", /"windw".*did you mean "window"/],
        [{ alert_threshold: 15 }, 400, "SWARM_OPTION_INVALID", /alert_threshold is 15/],
        [{ window: "bad.jsonl" }, 422, "SWARM_DRIFT_DATA_INVALID", /bad\.jsonl: 1 of 1 rows cannot be read/],
        [{ window: "few.jsonl" }, 422, "SWARM_DRIFT_DATA_INVALID", /it has 1 records, expected 10 at least/],
        [{ window: "none.jsonl" }, 404, "SWARM_DRIFT_SOURCE_UNKNOWN", /there is no file/],
        [{ window: "nobody" }, 404, "SWARM_DRIFT_SOURCE_UNKNOWN", /no batch or pipeline run/],
      ] as const;
      for (const [changes, status, code, words] of cases) {
        const [was, by, said] = await refused(changes);
        assert.deepEqual([was, by], [status, code], said);
        assert.match(said, words);
      }
      assert.deepEqual((await refused({}, { cwd: "here" })).slice(0, 2), [400, "SWARM_OPTION_INVALID"]);
      for (const path of [`${checks}/dr_1`, "/api/v1/baselines/none"])
        assert.equal((await call("GET", path)).status, 404);
    });

    test("naming a file is an admin's, and seeing what was in it an operator's", () => {
      const roles = Object.entries(driftRoutes).map(([name, operation]) => [name, roleFor(operation)]);
      assert.deepEqual(Object.fromEntries(roles), {
        checkDrift: "admin",
        planDrift: "admin",
        listDriftChecks: "operator",
        showDriftCheck: "operator",
        getDriftReport: "operator",
        listBaselines: "operator",
        showBaseline: "operator",
        setBaseline: "admin",
      });
    });
  });
}
