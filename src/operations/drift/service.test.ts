import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { logisticClassifier } from "../batch/processors/inference/onnx/models.cases.ts";
import { runtimeEnv, withoutRuntime } from "../batch/processors/inference/onnx/runtime.cases.ts";
import { amounts, WorkPlace } from "../../daemon/runtime/work.cases.ts";

/** Two steps that make data, of a file they are given; the second is where nobody would look first. */
const pipelines = (cwd: string) => `pipelines:
  fraud:
    cwd: ${cwd}
    data: { pattern: "data/*.jsonl" }
    steps:
      clean: { run: 'test ! -e broken && cp "$SWARM_DATA" clean.jsonl && echo x > clean.txt', outputs: [clean.txt, clean.jsonl] }
      score: { run: "cp clean.jsonl out/scores.jsonl", needs: [clean], outputs: [out/scores.jsonl] }
`;

const found = /^drift: amount KS 0\.6 over 0\.15; /;

suite("drift checks of real runs", () => {
  test("a batch run is found by its id wherever its results are, and shows what was found", async (t) => {
    const place = await WorkPlace.open(t);
    place.write("same.mjs", "export const same = ({ record_id, ...record }) => record;\n");
    await place.batch("before", 0);
    const config = { function: "./same.mjs:same" };
    const output = join(place.cwd, "results of may");
    const custom = await place.batch("moved", 60, { processor: "custom", config, output });
    assert.deepEqual([custom.state, custom.reason], ["completed", null]);
    const { result } = await place.check({ baseline: "before", window: "moved" });
    assert.match(result.message, found);
    assert.deepEqual(
      [result.baseline.source, result.window.source, result.window.files.map(({ path }) => path)],
      ["batch run before", "batch run moved", [join(output, "results.jsonl")]],
    );
    const { driftMarks } = place.runtime.store;
    const { check_id, time: checked_at, message } = result;
    assert.deepEqual(await driftMarks.find({ kind: "batch", run_id: "moved" }), {
      ...{ kind: "batch", run_id: "moved", check_id, checked_at, is_drift: true, message },
    });
    assert.equal(
      await driftMarks.find({ kind: "batch", run_id: "before" }),
      null,
      "it is what is compared with",
    );
    const lenient = { alert_threshold: 1, psi_threshold: 100 };
    const calm = await place.check({ baseline_run_id: "before", window_run_id: "moved", ...lenient });
    const mark = await driftMarks.find({ kind: "batch", run_id: "moved" });
    assert.deepEqual([mark?.check_id, mark?.is_drift], [calm.result.check_id, false], "the last one counts");
    await (await place.runtime.batch.open()).purge("moved", "human:ann");
    assert.equal(await driftMarks.find({ kind: "batch", run_id: "moved" }), null);
  });

  test("runs of the same name that were completed in the last hours are the window, and each is marked", async (t) => {
    const place = await WorkPlace.open(t);
    await place.batch("abc123", 0, { name: "fraud" });
    await place.batch("old", 500, { name: "fraud" });
    place.later(2);
    await place.batch("today1", 50, { name: "fraud", output: join(place.cwd, "today") });
    await place.batch("today2", 70, { name: "fraud" });
    await place.batch("other", 900, { name: "churn" });
    await place.batch("gone", 900, { name: "fraud" });
    rmSync(join(place.home, "batch/gone"), { recursive: true });
    const { result } = await place.check({ baseline_run_id: "abc123", window_hours: 24 });
    assert.match(result.message, found);
    assert.deepEqual(
      [result.window.source, result.window.rows],
      ["2 batch runs of the last 24 h (today1, today2)", 200],
    );
    const { driftMarks } = place.runtime.store;
    for (const run_id of ["today1", "today2"])
      assert.equal((await driftMarks.find({ kind: "batch", run_id }))?.check_id, result.check_id);
    assert.equal(await driftMarks.find({ kind: "batch", run_id: "old" }), null);
    place.later(2);
    await assert.rejects(place.check({ baseline: "abc123" }), {
      code: "SWARM_DRIFT_SOURCE_UNKNOWN",
      message: '"abc123" cannot be compared: no other batch run of fraud has ended in the last 24 h',
    });
  });

  test("a run that is under way, waits, failed or was cancelled is refused with its state; resumed, it is compared", async (t) => {
    const place = await WorkPlace.open(
      t,
      "policy: { rules: [{ id: second-look, behaviour: ask, reason: looked at first, when: { event: batch.started, args_pattern: { output: '/asked$/' } } }] }\n",
    );
    place.write(
      "once.mjs",
      `import { existsSync } from "node:fs";
       export const once = (record) => { if (!existsSync("mended")) throw new Error("broken"); return record; };\n`,
    );
    const runs = await place.runtime.batch.open();
    await place.batch("before", 0);
    const config = { function: "./once.mjs:once" };
    const failed = await place.batch("again", 60, { processor: "custom", config, max_errors: 3 });
    assert.equal(failed.state, "failed");
    const refused = { code: "SWARM_DRIFT_RUN_UNFINISHED", status: 409 };
    const check = { baseline: "before", window: "again" };
    await assert.rejects(place.check(check), {
      ...refused,
      message: `batch run "again" cannot be compared before it is completed: it is failed (${failed.reason})`,
    });
    await assert.rejects(place.check({ baseline: "again", window: "before" }), refused);
    place.write("mended", "");
    await runs.resume("again", "human:ann");
    await assert.rejects(place.check(check), { ...refused, message: /it is running$/ });
    assert.equal((await place.batchEnd("again")).state, "completed_with_errors");
    assert.equal((await place.check(check)).result.is_drift, true);
    assert.equal((await place.batch("asked", 60)).state, "waiting_approval");
    await assert.rejects(place.check({ ...check, window: "asked" }), {
      ...refused,
      message: /it is waiting_approval \(.*looked at first/,
    });
    await runs.cancel("asked", "human:ann");
    await assert.rejects(place.check({ ...check, window: "asked" }), {
      ...refused,
      message: /it is cancelled \(cancelled by human:ann\)$/,
    });
  });

  test("an id nobody knows is told with one that is nearly it, and a run whose files are gone with the file", async (t) => {
    const place = await WorkPlace.open(t);
    await place.batch("march-scores", 0);
    await place.batch("cut", 0);
    const window = place.write("window.jsonl", amounts(60));
    await assert.rejects(place.check({ baseline: "march-score", window }), {
      code: "SWARM_DRIFT_SOURCE_UNKNOWN",
      message:
        '"march-score" cannot be compared: there is no batch or pipeline run of this id, and no baseline of this name, did you mean "march-scores"?',
    });
    const file = join(place.home, "batch/march-scores/results.jsonl");
    rmSync(file);
    await assert.rejects(place.check({ baseline: "march-scores", window }), {
      code: "SWARM_DRIFT_RUN_DATA_GONE",
      message: `what batch run march-scores has made is gone: ${file} was removed`,
    });
    writeFileSync(join(place.home, "batch/cut/results.jsonl"), "");
    await assert.rejects(place.check({ baseline: "cut", window }), {
      code: "SWARM_DRIFT_RUN_DATA_GONE",
      message: /results\.jsonl has 0 bytes, the run made \d+: it was written over or cut$/,
    });
    await assert.rejects(place.check({ baseline: "../march-scores", window }), {
      code: "SWARM_DRIFT_SOURCE_UNKNOWN",
    });
  });

  test("a pipeline run's data are those of a step, as that run left them", async (t) => {
    const place = await WorkPlace.open(t, pipelines);
    place.write("data/a.jsonl", amounts(0));
    place.write("out/.keep", "");
    const before = place.write("before.jsonl", amounts(0));
    const first = await place.pipeline("fraud");
    assert.equal(first.status, "completed", String(first.reason));
    const calm = await place.check({ baseline: before, window: first.run_id });
    assert.deepEqual(
      [calm.result.is_drift, calm.result.window.source, calm.result.window.files[0]?.path],
      [false, `pipeline run ${first.run_id}`, join(place.cwd, "clean.jsonl")],
    );
    for (const window_output of ["score", "scores.jsonl", "out/scores.jsonl"]) {
      const drift = await place.runtime.drift.open();
      const { window } = await drift.plan(
        { baseline: before, window: first.run_id, window_output },
        place.cwd,
      );
      assert.deepEqual(window.files, [join(place.cwd, "out/scores.jsonl")]);
    }
    await assert.rejects(place.check({ baseline: before, window: first.run_id, window_output: "train" }), {
      code: "SWARM_DRIFT_SOURCE_UNKNOWN",
      message: /its outputs have no data of train$/,
    });
    // All of it is skipped: what the run before has made is this one's, too.
    const second = await place.pipeline("fraud");
    assert.equal((await place.check({ baseline: before, window: second.run_id })).result.is_drift, false);
    place.write("data/b.jsonl", amounts(60));
    place.later(1);
    const third = await place.pipeline("fraud");
    const { result } = await place.check({ baseline: before, window: third.run_id });
    assert.match(result.message, found);
    const { driftMarks } = place.runtime.store;
    const mark = await driftMarks.find({ kind: "pipeline", run_id: third.run_id });
    assert.deepEqual([mark?.is_drift, mark?.message], [true, result.message]);
    await assert.rejects(place.check({ baseline: first.run_id, window: third.run_id }), {
      code: "SWARM_DRIFT_RUN_DATA_GONE",
      message: /clean\.jsonl has \d+ bytes, the run made \d+: it was written over or cut$/,
    });
    // As long as before, and not the same.
    writeFileSync(join(place.cwd, "clean.jsonl"), amounts(60).replaceAll('"a"', '"b"'));
    await assert.rejects(place.check({ baseline: before, window: third.run_id }), {
      code: "SWARM_DRIFT_RUN_DATA_GONE",
      message: `what pipeline run ${third.run_id} has made is gone: ${join(place.cwd, "clean.jsonl")} was written over since`,
    });
    place.write("broken", "");
    place.write("data/c.jsonl", amounts(1));
    const failed = await place.pipeline("fraud");
    await assert.rejects(place.check({ baseline: before, window: failed.run_id }), {
      code: "SWARM_DRIFT_RUN_UNFINISHED",
      message:
        /^pipeline run "pr_\w+" cannot be compared before it is completed: it is failed \(step clean: /,
    });
  });

  test("what a model has said of records is compared by its run", { skip: withoutRuntime }, async (t) => {
    Object.assign(process.env, runtimeEnv);
    const place = await WorkPlace.open(t);
    writeFileSync(join(place.cwd, "fraud.onnx"), logisticClassifier([0.05], -4));
    const config = { model_path: "fraud.onnx", features: ["amount"] };
    for (const [id, shift] of [
      ["march", 0],
      ["may", 60],
    ] as const) {
      const run = await place.batch(id, shift, { processor: "inference", config });
      assert.deepEqual([run.state, run.reason], ["completed", null]);
    }
    const { result } = await place.check({ baseline: "march", window: "may" });
    assert.match(result.message, /^drift: label KS 0\.6 over 0\.15; /);
    assert.equal(
      (await place.runtime.store.driftMarks.find({ kind: "batch", run_id: "may" }))?.is_drift,
      true,
    );
  });
});
