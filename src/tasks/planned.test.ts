import assert from "node:assert/strict";
import { test } from "node:test";
import { taskCall } from "../ports/task.cases.ts";
import { plannedTasks } from "./planned.ts";

test("the kinds to come are checked now, and say at every run that they cannot be done", async () => {
  assert.deepEqual(Object.keys(plannedTasks), ["audit_pdf"]);
  for (const [name, kind] of Object.entries(plannedTasks)) {
    await assert.rejects(kind.run({}, taskCall("/").call), {
      code: "SWARM_TASK_UNAVAILABLE",
      message: `tasks of kind "${name}" cannot be run by this version`,
    });
  }
  const pdf = plannedTasks.audit_pdf;
  assert.deepEqual(pdf?.check?.({ days: -1 }), { option: "days", expected: "a number from 0 on" });
});
