// The short form; `npm run test:faults` is the long one.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { killCronDaemons } from "../faults/cron.ts";
import { fillDisk, SmallDisk } from "../faults/full-disk.ts";
import { killWriters } from "../faults/kill-writer.ts";

test("writers that are killed under load lose nothing they acknowledged and break nothing", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  try {
    const { kills, acknowledged } = await killWriters(10, seed);
    assert.equal(kills, 10);
    assert.ok(acknowledged > 0);
  } catch (error) {
    throw new Error(`with seed ${seed}`, { cause: error });
  }
});

test("schedulers that share a store and are killed claim every slot once, and no effect happens twice", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  try {
    const { slots, kills } = await killCronDaemons({ jobs: 8, slotsPerJob: 12, retries: 0, seed });
    assert.ok(slots >= 96 && kills > 0, `${slots} slots, ${kills} kills`);
  } catch (error) {
    throw new Error(`with seed ${seed}`, { cause: error });
  }
});

function smallDisk(t: TestContext): SmallDisk {
  const disk = new SmallDisk();
  t.after(() => disk.remove());
  if (disk.problem !== null) t.skip(disk.problem);
  return disk;
}

test("a full disk refuses rows with an error that says so, tears nothing, and takes rows again when there is room", async (t) => {
  const { folder, problem } = smallDisk(t);
  if (problem !== null) return;
  const { beforeFull, refused, afterFull } = await fillDisk(folder);
  assert.ok(beforeFull > 100 && refused > 100 && afterFull >= 40, `${beforeFull}, ${refused}, ${afterFull}`);
});

test("a record cannot be opened on a full disk, and the error says why", async (t) => {
  const { folder, problem } = smallDisk(t);
  if (problem !== null) return;
  for (const spareBytes of [0, 4_096, 20_000, 40_000]) {
    const size = 2 * 1024 * 1024 - spareBytes;
    writeFileSync(join(folder, "ballast"), Buffer.alloc(Math.floor(size / 4_096) * 4_096));
    assert.throws(() => openSqliteStore(join(folder, `${spareBytes}.db`)), { code: "SWARM_STORE_FULL" });
  }
});
