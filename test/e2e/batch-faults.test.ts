// The short form; `npm run test:faults` is the long one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fillDiskByBatch, killBatches } from "../faults/batch.ts";
import { killBatchDaemons } from "../faults/batch-daemon.ts";
import { SmallDisk } from "../faults/full-disk.ts";

for (const [whom, kills] of [
  ["runner", 8],
  ["worker", 4],
] as const) {
  test(`a batch run whose ${whom} is killed again and again has every record once`, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    try {
      const report = await killBatches({ whom, kills, seed });
      assert.ok(report.kills >= kills && report.records > 0, JSON.stringify(report));
    } catch (error) {
      throw new Error(`with seed ${seed}`, { cause: error });
    }
  });
}

test("a batch run that fills the disk stops with an error that says so, and goes on when there is room", async (t) => {
  const disk = new SmallDisk();
  t.after(() => disk.remove());
  if (disk.problem !== null) return t.skip(disk.problem);
  const { before, all } = await fillDiskByBatch(disk.folder);
  assert.ok(before > 0 && before < all, `${before} of ${all}`);
});

test("kill -9 of the daemon during batch runs loses no record, repeats none and tears none", async () => {
  const seed = Math.floor(Math.random() * 1e6);
  try {
    const { kills, legs, runs } = await killBatchDaemons(3, seed, 20_000);
    assert.ok(kills === 3 && legs > runs, `${kills} kills, ${legs} legs`);
  } catch (error) {
    throw new Error(`with seed ${seed}`, { cause: error });
  }
});
