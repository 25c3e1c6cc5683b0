import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import { move } from "./move.ts";
import { newTask } from "./new-task.ts";
import { type TaskState, type Transition, taskActions, taskStates, transitions } from "./port/transitions.ts";

const now = "2026-01-01T00:00:00.000Z";

function taskIn(state: TaskState) {
  const made = newTask({ goal: "do it" }, { task_id: "t", actor: "human:ann", now, cwd: "/p" });
  return { ...made, state };
}

test("an action leads from its states to its states, and every other pair is refused with both states", () => {
  let refused = 0;
  for (const action of taskActions)
    for (const from of taskStates)
      for (const to of taskStates) {
        const row: Transition = transitions[action];
        const act = () => move(taskIn(from), action, now, {}, to);
        if (row.from.includes(from) && row.to.includes(to)) {
          const moved = act();
          assert.deepEqual([moved.state, moved.revision, moved.updated_at], [to, 2, now]);
          continue;
        }
        refused++;
        assert.throws(act, (error) => {
          assert.ok(error instanceof SwarmError && error.code === "SWARM_TASK_STATE");
          assert.ok(error.message.includes(` is ${from}: ${action} leads from `), error.message);
          assert.ok(
            row.to.every((state) => error.message.includes(state)),
            error.message,
          );
          return true;
        });
      }
  assert.ok(refused > 2_000);
});

/** All that may follow a state, whoever acts. */
const followers: Readonly<Record<TaskState, string>> = {
  open: "blocked cancelled claimed landed superseded",
  claimed: "cancelled failed landed needs_input open reported superseded working",
  working: "cancelled failed landed needs_input open reported superseded working",
  reported: "cancelled failed gating landed open superseded",
  gating: "cancelled failed landed open queued superseded",
  queued: "cancelled failed landed open superseded",
  landed: "",
  blocked: "cancelled landed open superseded",
  needs_input: "cancelled landed open superseded",
  failed: "cancelled landed open superseded",
  cancelled: "open",
  superseded: "open",
};

test("what follows a state is what it says here", () => {
  const rows: readonly Transition[] = Object.values(transitions);
  const found = taskStates.map((state) => {
    const next = rows.filter(({ from }) => from.includes(state)).flatMap(({ to }) => to);
    return [state, [...new Set(next)].sort().join(" ")];
  });
  assert.deepEqual(Object.fromEntries(found), followers);
});

test("whoever holds a task can report it, and never have it land", () => {
  const own = Object.values<Transition>(transitions).filter(({ by }) => by.includes("holder"));
  assert.ok(own.length > 3);
  for (const { to } of own)
    assert.ok(!to.some((state) => ["landed", "gating", "queued"].includes(state)), to.join(" "));
});
