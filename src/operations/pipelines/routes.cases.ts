import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { suite, type TestContext, test } from "node:test";
import { openApp } from "../../daemon/server/harness.cases.ts";
import { pipelineRoutes } from "./routes.ts";
import type { Problem } from "../../daemon/rest/problem.ts";
import { roleFor } from "../../daemon/rest/route.ts";

const config = `policy:
  rules:
    - { id: four-eyes, behaviour: ask, when: { tool: promote_model, args_pattern: { stage: production } } }
pipelines:
  fraud:
    data: { pattern: "*.csv" }
    steps:
      copy: { run: 'cp "$SWARM_DATA" out; echo copied', outputs: [out] }
      long: { run: 'test ! -e slow || sleep 600', needs: [copy] }
`;

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly version: number | null;
  readonly drift: object | null;
  readonly steps: readonly { readonly step: string; readonly status: string }[];
}

async function opened(t: TestContext) {
  const app = await openApp(t, config);
  app.write({ "a.csv": "1\n" });
  const { cwd } = app;
  const begin = async (body = {}) => {
    const { status, body: run } = await app.call<Run>("POST", "/api/v1/pipelines/fraud/runs", {
      cwd,
      ...body,
    });
    assert.equal(status, 200, JSON.stringify(run));
    return run.run_id;
  };
  const ended = async (id: string, status = "running"): Promise<Run> => {
    for (;;) {
      const { body } = await app.call<Run>("GET", `/api/v1/pipeline-runs/${id}`);
      if (body.status !== status) return body;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { ...app, begin, ended };
}

/** Part of the tests of routes: each has to be called there. */
export function pipelineRouteCases(): void {
  suite("pipelines over REST", () => {
    test("a pipeline is listed, planned, run and shown with what its steps printed", async (t) => {
      const { call, cwd, begin, ended, runtime } = await opened(t);
      const listed = await call<{ items: object[] }>("GET", `/api/v1/pipelines?cwd=${cwd}`);
      assert.partialDeepStrictEqual(listed.body.items, [
        {
          name: "fraud",
          folder: cwd,
          model: "fraud",
          steps: ["copy", "long"],
          problem: null,
          last_run: null,
        },
      ]);
      const planned = await call<{ steps: { would: string }[] }>(
        "GET",
        `/api/v1/pipelines/fraud/plan?cwd=${cwd}`,
      );
      assert.deepEqual(
        planned.body.steps.map(({ would }) => would),
        ["run", "run"],
      );
      const id = await begin();
      const { status, version, steps } = await ended(id);
      assert.deepEqual([status, version], ["completed", 1]);
      assert.deepEqual(
        steps.map(({ step, status: own }) => [step, own]),
        [
          ["copy", "completed"],
          ["long", "completed"],
        ],
      );
      const withRun = await call<{ items: object[] }>("GET", `/api/v1/pipelines?cwd=${cwd}`);
      assert.partialDeepStrictEqual(withRun.body.items, [{ last_run: { run_id: id, status: "completed" } }]);
      const { body } = await call("GET", `/api/v1/pipeline-runs/${id}/logs/copy`);
      assert.deepEqual(body, { step: "copy", output: "copied\n" });
      const runs = await call<{ items: Run[] }>("GET", "/api/v1/pipeline-runs?pipeline=fraud");
      assert.deepEqual(
        runs.body.items.map(({ run_id, drift }) => [run_id, drift]),
        [[id, null]],
      );
      const mark = {
        check_id: "dr_1",
        checked_at: "2026-01-01T00:00:00.000Z",
        is_drift: true,
        message: "drift",
      };
      const entry = { kind: "change", event: "drift.checked", actor: "swarm" } as const;
      await runtime.audit.record(entry, {
        kind: "runs_checked",
        marks: [{ kind: "pipeline", run_id: id, ...mark }],
      });
      assert.deepEqual((await call<Run>("GET", `/api/v1/pipeline-runs/${id}`)).body.drift, mark);
      const again = await call<{ items: Run[] }>("GET", "/api/v1/pipeline-runs");
      assert.deepEqual(again.body.items[0]?.drift, mark);
    });

    test("a run is cancelled, and resumed", async (t) => {
      const { call, write, cwd, begin, ended } = await opened(t);
      write({ slow: "" });
      const id = await begin();
      const cancelled = await call<Run>("POST", `/api/v1/pipeline-runs/${id}/cancel`);
      assert.equal(cancelled.body.status, "cancelled");
      rmSync(`${cwd}/slow`);
      await call("POST", `/api/v1/pipeline-runs/${id}/resume`);
      assert.equal((await ended(id)).status, "completed");
    });

    test("a version is shown with its lineage and promoted, after an approval where a rule asks for one", async (t) => {
      const { call, begin, ended, runtime } = await opened(t);
      await ended(await begin());
      const models = await call<{ items: object[] }>("GET", "/api/v1/models");
      assert.partialDeepStrictEqual(models.body.items, [
        { model: "fraud", versions: 1, latest: 1, stages: [] },
      ]);
      const path = "/api/v1/models/fraud/versions";
      const promote = (stage: string) =>
        call<{ status: string; approval_id: string | null }>("POST", `${path}/1/promote`, { stage });
      assert.equal((await promote("staging")).body.status, "promoted");
      const waiting = (await promote("production")).body;
      assert.equal(waiting.status, "waiting");
      await runtime.approvals.decide(waiting.approval_id ?? "", "approved", "human:ada", null);
      assert.equal((await promote("production")).body.status, "promoted");
      const versions = await call<{ items: { stages: string[] }[] }>("GET", path);
      assert.deepEqual(versions.body.items[0]?.stages, ["production", "staging"]);
      const shown = await call<{ lineage: { data: { bytes: number } } }>("GET", `${path}/1`);
      assert.equal(shown.body.lineage.data.bytes, 2);
    });

    test("what is not there or not usable is told with its name", async (t) => {
      const { call, cwd } = await opened(t);
      const codeOf = async (method: string, path: string, body?: object) =>
        (await call<Problem>(method, path, body)).body.code;
      assert.equal(await codeOf("POST", "/api/v1/pipelines/frod/runs", { cwd }), "SWARM_PIPELINE_UNKNOWN");
      assert.equal(
        await codeOf("POST", "/api/v1/pipelines/fraud/runs", { cwd: "x" }),
        "SWARM_OPTION_INVALID",
      );
      assert.equal(await codeOf("GET", "/api/v1/pipeline-runs/pr_1"), "SWARM_PIPELINE_RUN_UNKNOWN");
      assert.equal(await codeOf("GET", "/api/v1/models/fraud/versions"), "SWARM_MODEL_UNKNOWN");
      assert.equal(await codeOf("GET", "/api/v1/models/fraud/versions/x"), "SWARM_OPTION_INVALID");
      const job = { name: "n", schedule: "@daily", task: "retrain", cwd };
      const refused = await call<Problem>("POST", "/api/v1/cron/jobs", {
        ...job,
        config: { pipeline: "frod" },
      });
      assert.match(refused.body.detail, /^config of task retrain: pipeline is "frod", expected fraud in /);
      assert.match(
        (await call<Problem>("POST", "/api/v1/cron/jobs", { ...job, config: { pipline: "fraud" } })).body
          .detail,
        /unknown option "?pipline"?.*did you mean "pipeline"/,
      );
    });

    test("whoever looks sees no output, and only an admin promotes", () => {
      assert.equal(roleFor(pipelineRoutes.showPipelineLog), "operator");
      assert.equal(roleFor(pipelineRoutes.runPipeline), "operator");
      assert.equal(roleFor(pipelineRoutes.promoteModel), "admin");
    });
  });
}
