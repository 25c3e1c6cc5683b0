import assert from "node:assert/strict";
import { test } from "node:test";
import { taskCall, taskCases } from "../port/task.cases.ts";
import { retentionTask } from "./retention.ts";

function recorded(expired = 7, forgotten = 3) {
  const asked: unknown[] = [];
  const kind = retentionTask({
    expirePayloads: async (days) => asked.push(["payloads", days]) && expired,
    forgetRuns: async (days) => asked.push(["runs", days]) && forgotten,
    work: {
      forget: async (days) => {
        asked.push(["work", days]);
        return { batch: 2, pipeline: 1, drift: 0 };
      },
      due: async (days) => [`work of ${JSON.stringify(days)}`],
    },
  });
  return { kind, asked };
}

taskCases({
  name: "retention",
  kind: () => recorded().kind,
  folder: () => "/",
  completes: { payload_days: 30, run_days: 0 },
  fails: null,
  endless: null,
  refused: [
    [{ payload_days: -1 }, "payload_days"],
    [{ payload_days: 1, run_days: 40_000 }, "run_days"],
    [{ batch_days: 1.5 }, "batch_days"],
  ],
});

test("the days are those of the job, and without any those of the user's policy", async () => {
  const { kind, asked } = recorded();
  const { call, printed } = taskCall("/");
  await kind.run({ payload_days: 30, drift_days: 0 }, call);
  assert.deepEqual(asked, [
    ["payloads", 30],
    ["runs", null],
    ["work", { drift: 0 }],
  ]);
  assert.equal(
    printed(),
    "7 payloads forgotten; their rows and hashes stay in the record\n3 runs of jobs forgotten\nbatch runs forgotten: 2; pipeline runs: 1; drift checks: 0\n",
  );
  asked.length = 0;
  assert.deepEqual(await kind.plan?.({ run_days: 3, batch_days: 7 }, "/"), [
    "would forget payloads older than they are kept",
    "would forget runs of jobs over 3 days old",
    'would forget work of {"batch":7}',
  ]);
  assert.deepEqual(asked, [], "nothing is");
});
