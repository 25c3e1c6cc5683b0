import assert from "node:assert/strict";
import { test } from "node:test";
import { killBatchDaemons } from "../faults/batch-daemon.ts";

// The short form; `npm run test:faults` is the long one.
test("kill -9 of the daemon during batch runs loses no record, repeats none and tears none", async () => {
  const seed = Math.floor(Math.random() * 1e6);
  try {
    const { kills, legs, runs } = await killBatchDaemons(3, seed, 20_000);
    assert.ok(kills === 3 && legs > runs, `${kills} kills, ${legs} legs`);
  } catch (error) {
    throw new Error(`with seed ${seed}`, { cause: error });
  }
});
