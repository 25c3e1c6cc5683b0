import assert from "node:assert/strict";
import { test } from "node:test";
import { taskCall } from "../ports/task.cases.ts";
import { plannedTasks } from "./planned.ts";

test("the kinds to come are checked now, and say at every run that they cannot be done", async () => {
  assert.deepEqual(Object.keys(plannedTasks), ["drift_check"]);
  for (const [name, kind] of Object.entries(plannedTasks)) {
    await assert.rejects(kind.run({}, taskCall("/").call), {
      code: "SWARM_TASK_UNAVAILABLE",
      message: `tasks of kind "${name}" cannot be run by this version`,
    });
  }
  const drift = plannedTasks.drift_check;
  assert.equal(drift?.check?.({ baseline_run_id: "abc123", window_hours: 24 }), null);
  assert.deepEqual(drift?.check?.({}), { option: "model", expected: "model or baseline_run_id to be given" });
  assert.deepEqual(drift?.check?.({ model: "m", window_hours: -1 }), {
    option: "window_hours",
    expected: "a number from 0 on",
  });
});
