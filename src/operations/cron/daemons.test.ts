import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { thisProcess } from "../../base/process-identity.ts";
import { Daemons } from "./daemons.ts";
import { CronPlace, minute, second } from "./harness.cases.ts";

const elsewhere = { place: "another machine", pid: 1, born: "1" };

test("one that lives here is found, one whose process ended or whose number is another's now is gone", async (t) => {
  const { store, clock } = new CronPlace(t);
  const here = thisProcess();
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"]);
  await once(child, "spawn");
  const other = new Daemons(store.cron, clock, { ...here, pid: child.pid ?? 0, born: null });
  const reborn = new Daemons(store.cron, clock, { ...here, born: "1" });
  const own = new Daemons(store.cron, clock);
  for (const daemon of [other, reborn, own]) await daemon.beat();
  const ids = new Set([other.id, reborn.id, own.id, "cd_nobody"]);
  assert.deepEqual(await own.gone(ids), new Set(["cd_nobody", reborn.id]));
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.deepEqual(await own.gone(ids), new Set(["cd_nobody", reborn.id, other.id]));
});

test("one elsewhere is gone when it was silent for three minutes while we watched, whatever clocks show", async (t) => {
  const { store, clock } = new CronPlace(t);
  const far = new Daemons(store.cron, clock, elsewhere);
  const own = new Daemons(store.cron, clock);
  const ids = new Set([far.id]);
  await far.beat();
  assert.equal((await own.gone(ids)).size, 0);
  clock.setWall(365 * 24 * 60 * minute);
  assert.equal((await own.gone(ids)).size, 0);
  await clock.advance(179 * second);
  assert.equal((await own.gone(ids)).size, 0);
  await far.beat();
  await clock.advance(second);
  assert.equal((await own.gone(ids)).size, 0, "it has beaten meanwhile");
  await clock.advance(180 * second);
  assert.deepEqual(await own.gone(ids), ids);
});

test("one that stood still and comes back says so again", async (t) => {
  const { store, clock } = new CronPlace(t);
  const far = new Daemons(store.cron, clock, elsewhere);
  assert.deepEqual([await far.beat(), await far.beat()], [true, false]);
  await store.cron.forgetDaemon(far.id);
  await clock.advance(15 * second);
  assert.equal(await far.beat(), true);
  assert.deepEqual(
    (await store.cron.listDaemons()).map(({ beats }) => beats),
    [2],
  );
  await far.leave();
  assert.deepEqual(await store.cron.listDaemons(), []);
});
