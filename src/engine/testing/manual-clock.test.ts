import assert from "node:assert/strict";
import { test } from "node:test";
import { createHooks } from "../../index.ts";
import { manualClock } from "./index.ts";

test("timers fire in the order they are due, each at its own time", async () => {
  const clock = manualClock(1_000);
  const fired: number[] = [];
  clock.setTimer(() => fired.push(clock.now()), 30);
  clock.setTimer(() => {
    fired.push(clock.now());
    clock.setTimer(() => fired.push(clock.now()), 5);
  }, 10);
  clock.setTimer(() => fired.push(-1), 20).close();
  await clock.advance(29);
  assert.deepEqual([fired, clock.pendingTimers, clock.monotonicMs()], [[1_010, 1_015], 1, 29]);
  await clock.advance(1);
  assert.deepEqual([fired, clock.pendingTimers], [[1_010, 1_015, 1_030], 0]);
});

test("the wall clock can be set without time going on", async () => {
  const clock = manualClock(1_000);
  const fired: number[] = [];
  clock.setTimer(() => fired.push(clock.now()), 10);
  clock.setWall(3_600_000);
  assert.deepEqual([clock.now(), clock.monotonicMs(), fired], [3_601_000, 0, []]);
  clock.setWall(-7_200_000);
  await clock.advance(10);
  assert.deepEqual([fired, clock.monotonicMs()], [[-3_598_990], 10]);
});

test("promises that are settled already get their turn before the first timer", async () => {
  const clock = manualClock();
  const order: string[] = [];
  void Promise.resolve().then(() => order.push("promise"));
  clock.setTimer(() => order.push("timer"), 0);
  await clock.advance(0);
  assert.deepEqual(order, ["promise", "timer"]);
});

test("a hook's deadline can be tested without waiting for it", async () => {
  const clock = manualClock();
  const hooks = createHooks({ clock, log: { warn: () => undefined } });
  hooks.on("tool.before", { onFailure: "deny" }, () => new Promise<never>(() => undefined));
  const outcome = hooks.emit("tool.before", { tool_name: "Bash", tool_input: {} });
  await clock.advance(40_000);
  assert.equal((await outcome).decision.verdict, "deny");
  await hooks.close();
});
