import assert from "node:assert/strict";
import { test } from "node:test";
import { oneAtATime } from "./one-at-a-time.ts";

test("what is asked for a hundred times while it runs, runs once more", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const settle = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(250);
    await new Promise((resolve) => setImmediate(resolve));
  };
  let runs = 0;
  const ask = oneAtATime(async () => void runs++);
  ask();
  assert.equal(runs, 1, "the first one does not wait");
  for (let i = 0; i < 100; i++) ask();
  assert.equal(runs, 1);
  await settle();
  assert.equal(runs, 2);
  await settle();
  assert.equal(runs, 2, "nobody has asked since");
  ask();
  assert.equal(runs, 3);
});
