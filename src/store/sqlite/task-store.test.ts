import assert from "node:assert/strict";
import { test } from "node:test";
import { taskStoreCases } from "../../swarm/tasks/port/task-store.cases.ts";
import { numbered } from "../sql/statement.ts";
import { taskStatements } from "../sql/swarm.ts";
import { temporaryFile } from "./harness.cases.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStore } from "./sqlite-store.ts";

taskStoreCases("SQLite", (t) => {
  const file = temporaryFile(t);
  return async () => openSqliteStore(file);
});

test("what is claimed, held or due is found by an index, however many tasks there are", (t) => {
  const database = openDatabase(temporaryFile(t));
  t.after(() => database.close());
  const asked = [
    "reserveForAny",
    "reserveForRole",
    "reserveTask",
    "readyForAny",
    "held",
    "due",
    "renew",
  ] as const;
  for (const name of asked) {
    const { text, names } = numbered(taskStatements[name], () => "?");
    const plan = database.prepare(`explain query plan ${text}`).all(...names.map(() => null));
    const steps = plan.map(({ detail }) => String(detail));
    assert.deepEqual(
      steps.filter((step) => /^SCAN tasks/.test(step)),
      [],
      name,
    );
    const isSorted = steps.some((step) => step.startsWith("USE TEMP B-TREE"));
    // Of a role: at most one of its own and one of anybody's are put in order.
    if (name !== "reserveForRole") assert.equal(isSorted, false, `${name}: ${steps.join("; ")}`);
  }
});
