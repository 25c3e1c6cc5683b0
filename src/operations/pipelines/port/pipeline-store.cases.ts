import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { NewModelVersion, PipelineChange, PipelineRun, StepRun } from "./pipeline-store.ts";
import type { Store } from "../../../store/port/store.ts";
import {
  append,
  entry,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";

const time = (minutes: number): string => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();

function run(changes: Partial<PipelineRun> = {}): PipelineRun {
  return {
    run_id: "pr_1",
    pipeline: "fraud",
    file: "/srv/swarm.yaml",
    folder: "/srv",
    model: "fraud",
    status: "running",
    trigger: "manual",
    cause: null,
    actor: "human:ann",
    is_forced: false,
    owner: "po_1",
    intent_id: "evt_1",
    data: null,
    version: null,
    started_at: time(0),
    ended_at: null,
    reason: null,
    ...changes,
  };
}

function step(changes: Partial<StepRun> = {}): StepRun {
  return {
    run_id: "pr_1",
    step: "train",
    status: "completed",
    digest: "d1",
    tries: 1,
    exit_code: 0,
    reason: null,
    outputs: [{ path: "model.json", sha256: "ab", bytes: 3 }],
    metrics: { auc: 0.5 },
    made_by: null,
    log_path: "/h/train.log",
    started_at: time(1),
    ended_at: time(2),
    ...changes,
  };
}

function version(changes: Partial<NewModelVersion> = {}): NewModelVersion {
  const made = { digest: "v1", metrics: { "train.auc": 0.5 }, lineage: { data: null } };
  return {
    model: "fraud",
    run_id: "pr_1",
    ...made,
    created_at: time(3),
    created_by: "human:ann",
    ...changes,
  };
}

function ended(
  changes: Partial<Extract<PipelineChange, { kind: "pipeline_run_ended" }>> = {},
): PipelineChange {
  const end = { status: "completed", ended_at: time(3), reason: null, version: null } as const;
  return { kind: "pipeline_run_ended", run_id: "pr_1", owner: "po_1", ...end, ...changes };
}

const make = (store: Store, ...changes: PipelineChange[]) =>
  append(store, [entry({ kind: "change", event: "pipeline.run" })], changes);
const start = (store: Store, changes: Partial<PipelineRun> = {}) =>
  make(store, { kind: "pipeline_run_started", run: run(changes) });
const saved = (row: StepRun, owner = "po_1"): PipelineChange => ({ kind: "pipeline_step", owner, row });
const resumed = (run_id = "pr_1", owner = "po_2"): PipelineChange => ({
  kind: "pipeline_run_resumed",
  run_id,
  owner,
  actor: "swarm",
  intent_id: "evt_2",
});

/** What every driver does with pipelines and models. */
export function pipelineStoreCases(driver: string, prepare: PrepareStore): void {
  suite(`pipelines on ${driver}`, () => {
    runCases(prepare);
    stepCases(prepare);
    modelCases(prepare);
  });
}

function runCases(prepare: PrepareStore): void {
  test("keeps a run as it was started and ended, over a restart", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    await start(store, { is_forced: true, trigger: "cron", cause: "cj_1 slot" });
    const data = { path: "/srv/d.csv", sha256: "cd", bytes: 9 };
    await make(store, { kind: "pipeline_snapshot", run_id: "pr_1", owner: "po_1", data });
    await make(store, ended({ status: "failed", reason: "train failed" }));
    await store.close();
    const told = { is_forced: true, trigger: "cron", cause: "cj_1 slot", data } as const;
    const end = { status: "failed", ended_at: time(3), reason: "train failed" } as const;
    const found = await (await open()).pipelines.runOfCause("cj_1 slot");
    assert.deepEqual(found, { seq: found?.seq, ...run({ ...told, ...end }) });
  });

  test("has one run of a pipeline at a time, and of another file's pipeline another", async (t) => {
    const store = await openOne(t, prepare);
    await start(store);
    await assert.rejects(start(store, { run_id: "pr_2" }), {
      code: "SWARM_PIPELINE_BUSY",
      params: { pipeline: "fraud", run: "pr_1" },
    });
    await start(store, { run_id: "pr_3", file: "/other/swarm.yaml" });
    await start(store, { run_id: "pr_4", pipeline: "churn" });
    const ids = (await store.pipelines.openRuns()).map(({ run_id }) => run_id);
    assert.deepEqual(ids, ["pr_1", "pr_3", "pr_4"]);
    const page = await store.pipelines.listRuns({ limit: 1, pipeline: "fraud" });
    assert.deepEqual([page.map(({ run_id }) => run_id), (await store.head()).seq], [["pr_3"], 3]);
    const next = await store.pipelines.listRuns({ limit: 9, beforeSeq: page[0]?.seq, pipeline: "fraud" });
    assert.deepEqual(
      next.map(({ run_id }) => run_id),
      ["pr_1"],
    );
    const [own, ...others] = await store.pipelines.listRuns({ limit: 9, file: "/other/swarm.yaml" });
    assert.deepEqual([own?.run_id, others], ["pr_3", []]);
  });

  test("lets whoever resumed a run end it, and nobody else", async (t) => {
    const store = await openOne(t, prepare);
    await start(store);
    await assert.rejects(make(store, resumed()), { code: "SWARM_PIPELINE_BUSY" });
    await make(store, saved(step({ status: "running", ended_at: null })));
    await make(store, ended({ status: "interrupted", reason: "gone" }));
    const [left] = await store.pipelines.stepsOf("pr_1");
    assert.deepEqual([left?.status, left?.reason, left?.ended_at], ["interrupted", "gone", time(3)]);
    await assert.rejects(make(store, ended()), { code: "SWARM_PIPELINE_RUN_LOST" });
    await make(store, resumed());
    const found = await store.pipelines.findRun("pr_1");
    assert.deepEqual(
      [found?.status, found?.owner, found?.actor, found?.ended_at, found?.reason],
      ["running", "po_2", "swarm", null, null],
    );
    await assert.rejects(make(store, ended()), { code: "SWARM_PIPELINE_RUN_LOST" });
    await assert.rejects(make(store, saved(step())), { code: "SWARM_PIPELINE_RUN_LOST" });
    await make(store, ended({ owner: "po_2" }));
    await assert.rejects(make(store, resumed()), { code: "SWARM_PIPELINE_RUN_ENDED" });
    await assert.rejects(make(store, resumed("pr_9")), { code: "SWARM_PIPELINE_RUN_UNKNOWN" });
  });

  test("resumes no run while another of its pipeline is under way", async (t) => {
    const store = await openOne(t, prepare);
    await start(store);
    await make(store, ended({ status: "cancelled" }));
    await start(store, { run_id: "pr_2" });
    await assert.rejects(make(store, resumed()), {
      code: "SWARM_PIPELINE_BUSY",
      params: { pipeline: "fraud", run: "pr_2" },
    });
  });
}

function stepCases(prepare: PrepareStore): void {
  test("keeps each step as it went last", async (t) => {
    const store = await openOne(t, prepare);
    await start(store);
    await make(store, saved(step({ status: "running", ended_at: null, outputs: [], metrics: {} })));
    await make(store, saved(step({ step: "test", status: "skipped", made_by: "pr_0" })));
    await make(store, saved(step({ tries: 2 })));
    assert.deepEqual(await store.pipelines.stepsOf("pr_1"), [
      step({ tries: 2 }),
      step({ step: "test", status: "skipped", made_by: "pr_0" }),
    ]);
  });

  test("finds the newest completed step of a pipeline by its digest", async (t) => {
    const store = await openOne(t, prepare);
    const of = (digest: string, name = "train", pipeline = "fraud") =>
      store.pipelines.completedStep("/srv/swarm.yaml", pipeline, name, digest);
    await start(store);
    await make(store, saved(step()), saved(step({ step: "test", status: "failed" })));
    await make(store, ended());
    await start(store, { run_id: "pr_2", owner: "po_2" });
    const again = step({ run_id: "pr_2", exit_code: null });
    await make(store, saved(again, "po_2"));
    assert.deepEqual(await of("d1"), again);
    assert.deepEqual(await of("d2"), null);
    assert.deepEqual(await of("d1", "test"), null);
    assert.deepEqual(await of("d1", "train", "churn"), null);
    assert.equal(await store.pipelines.completedStep("/other", "fraud", "train", "d1"), null);
  });
}

function modelCases(prepare: PrepareStore): void {
  const stage = {
    model: "fraud",
    stage: "production",
    version: 1,
    promoted_at: time(5),
    promoted_by: "human:ann",
    approved_by: null,
    approval_id: null,
  };

  test("numbers a model's versions as their runs end, each once", async (t) => {
    const store = await openOne(t, prepare);
    for (const [at, model] of ["fraud", "fraud", "churn"].entries()) {
      const run_id = `pr_${at}`;
      await start(store, { run_id, model });
      await make(store, ended({ run_id, version: version({ run_id, model, digest: `v${at}` }) }));
    }
    await start(store, { run_id: "pr_same" });
    await make(store, ended({ run_id: "pr_same", version: 2 }));
    assert.equal((await store.pipelines.findRun("pr_same"))?.version, 2);
    assert.equal((await store.pipelines.findRun("pr_1"))?.version, 2);
    assert.deepEqual(
      (await store.pipelines.listModels()).map(({ model, versions, latest }) => [model, versions, latest]),
      [
        ["churn", 1, 1],
        ["fraud", 2, 2],
      ],
    );
    const second = { version: 2, ...version({ run_id: "pr_1", digest: "v1" }) };
    assert.deepEqual(await store.pipelines.findVersion("fraud", 2), second);
    assert.deepEqual(await store.pipelines.versionOfDigest("fraud", "v1"), second);
    assert.equal(await store.pipelines.versionOfDigest("churn", "v1"), null);
    assert.equal(await store.pipelines.findVersion("fraud", 3), null);
    const older = await store.pipelines.listVersions("fraud", { limit: 5, beforeSeq: 2 });
    assert.deepEqual(
      older.map((each) => each.version),
      [1],
    );
  });

  test("makes no version of a run that is another's", async (t) => {
    const store = await openOne(t, prepare);
    await start(store);
    const lost = make(store, ended({ owner: "po_9", version: version() }));
    await assert.rejects(lost, { code: "SWARM_PIPELINE_RUN_LOST" });
    assert.deepEqual(await store.pipelines.listModels(), []);
  });

  test("has one version of a model at a stage, and none that does not exist", async (t) => {
    const store = await openOne(t, prepare);
    for (const run_id of ["pr_1", "pr_2"]) {
      await start(store, { run_id });
      await make(store, ended({ run_id, version: version({ run_id }) }));
    }
    await make(store, { kind: "model_promoted", row: stage });
    await make(store, { kind: "model_promoted", row: { ...stage, stage: "staging" } });
    const next = { ...stage, version: 2, approved_by: "human:bob", approval_id: "apr_1" };
    await make(store, { kind: "model_promoted", row: next });
    assert.deepEqual(await store.pipelines.listStages("fraud"), [next, { ...stage, stage: "staging" }]);
    assert.deepEqual(await store.pipelines.listStages("churn"), []);
    assert.equal((await store.pipelines.listStages()).length, 2);
    await assert.rejects(make(store, { kind: "model_promoted", row: { ...stage, version: 3 } }), {
      code: "SWARM_MODEL_VERSION_UNKNOWN",
    });
  });
}
