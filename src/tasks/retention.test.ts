import assert from "node:assert/strict";
import { test } from "node:test";
import { taskCall, taskCases } from "../ports/task.cases.ts";
import { retentionTask } from "./retention.ts";

function recorded(expired = 7, forgotten = 3) {
  const asked: unknown[] = [];
  const kind = retentionTask({
    expirePayloads: async (days) => asked.push(["payloads", days]) && expired,
    forgetRuns: async (days) => asked.push(["runs", days]) && forgotten,
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
  ],
});

test("the days are those of the job, and without any those of the user's policy", async () => {
  const { kind, asked } = recorded();
  const { call, printed } = taskCall("/");
  await kind.run({ payload_days: 30 }, call);
  assert.deepEqual(asked, [
    ["payloads", 30],
    ["runs", null],
  ]);
  assert.equal(
    printed(),
    "7 payloads forgotten; their rows and hashes stay in the record\n3 runs of jobs forgotten\n",
  );
});
