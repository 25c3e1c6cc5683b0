import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fraudFiles, PipelinePlace } from "../../pipelines/harness.cases.ts";
import { taskCall, taskCases } from "../port/task.cases.ts";
import { retrainBy } from "../retrain-by.ts";
import { retrainTask } from "./retrain.ts";

const config = `${fraudFiles["swarm.yaml"]}
  broken: { steps: { a: { run: exit 3 } } }
  endless: { steps: { a: { run: sleep 600 } } }
`;

/** A real pipeline in a real folder; both are asked for by each test of the suite. */
const places = new WeakMap<TestContext, Promise<PipelinePlace>>();
function placeOf(t: TestContext): Promise<PipelinePlace> {
  const made = places.get(t) ?? PipelinePlace.open(t, { ...fraudFiles, "swarm.yaml": config });
  places.set(t, made);
  return made;
}

for (const [name, completes] of Object.entries({
  retrain: { pipeline: "fraud" },
  forced: { pipeline: "fraud", force: true },
})) {
  taskCases({
    name,
    kind: (t) => {
      const place = placeOf(t);
      return retrainTask({
        pipelinesIn: () => [],
        planPipeline: async (wish) => {
          const { runtime, cwd } = await place;
          return retrainBy(runtime.pipelines).planPipeline(wish, cwd);
        },
        retrain: async (wish, call) => {
          const { runtime, cwd } = await place;
          return retrainBy(runtime.pipelines).retrain(wish, { ...call, cwd });
        },
      });
    },
    folder: () => "/",
    completes,
    fails: { pipeline: "broken" },
    endless: { pipeline: "endless" },
    refused: [
      [{}, "pipeline"],
      [{ pipeline: "../fraud" }, "pipeline"],
      [{ pipeline: "fraud", data: "" }, "data"],
      [{ pipeline: "fraud", data: "a\0b" }, "data"],
    ],
  });
}

test("a pipeline that the job's folder does not have is refused, and those it has are named", async (t) => {
  const { runtime, cwd } = await placeOf(t);
  const { check } = retrainTask(retrainBy(runtime.pipelines));
  assert.equal(check?.({ pipeline: "fraud" }, cwd), null);
  assert.deepEqual(check?.({ pipeline: "frad" }, cwd), {
    option: "pipeline",
    expected: `fraud, broken, endless in ${cwd}`,
  });
  assert.deepEqual(check?.({ pipeline: "fraud" }, "/"), {
    option: "pipeline",
    expected: "a pipeline, and there is none in /",
  });
});

test("a try after one that failed goes on with the same run, and the next slot begins another", async (t) => {
  const place = await placeOf(t);
  place.write("prepare.sh", "exit 1\n");
  await place.approve();
  const kind = retrainTask(retrainBy(place.runtime.pipelines));
  const attempt = async (changes: object) => {
    const { problem } = await kind.run({ pipeline: "fraud" }, taskCall(place.cwd, changes).call);
    const [run] = await (await place.pipelines()).list({ limit: 1 });
    return { problem, run };
  };
  const first = await attempt({});
  assert.match(first.problem ?? "", /^pipeline run pr_\w+ failed: step prepare: exit code 1$/);
  place.write("prepare.sh", fraudFiles["prepare.sh"] ?? "");
  await place.approve();
  const second = await attempt({ attempt: 2, run_id: "cr_2" });
  assert.deepEqual([second.problem, second.run?.run_id], [null, first.run?.run_id]);
  assert.deepEqual([second.run?.trigger, second.run?.status], ["cron", "completed"]);
  const next = await attempt({ scheduled_at: "2026-01-03T03:00:00.000Z", run_id: "cr_3" });
  assert.notEqual(next.run?.run_id, first.run?.run_id);
});

test("it tells what a run would do, step by step", async (t) => {
  const place = await placeOf(t);
  const { plan } = retrainTask(retrainBy(place.runtime.pipelines));
  const lines = await plan?.({ pipeline: "fraud", force: true }, place.cwd);
  assert.match(lines?.[0] ?? "", /^data .*a\.csv, 6 bytes, SHA-256 [0-9a-f]{64}$/);
  assert.deepEqual(lines?.slice(1), [
    "step prepare would run: nothing is to be skipped",
    "step train would run: after prepare, which would run",
  ]);
});
