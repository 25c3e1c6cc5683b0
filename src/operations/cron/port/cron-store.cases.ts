import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { cronClaimCases } from "./cron-store-claims.cases.ts";
import { cronJobCases } from "./cron-store-jobs.cases.ts";
import { cronRunCases } from "./cron-store-runs.cases.ts";
import { openOne, type PrepareStore } from "../../../store/port/store-harness.cases.ts";

/** What every driver of scheduled work runs in full. */
export function cronStoreCases(driver: string, prepare: PrepareStore): void {
  suite(`scheduled work on ${driver}`, () => {
    cronJobCases(prepare);
    cronClaimCases(prepare);
    cronRunCases(prepare);
    daemonCases(prepare);
  });
}

function daemonCases(prepare: PrepareStore): void {
  test("keeps the last beat of each daemon", async (t) => {
    const store = await openOne(t, prepare);
    const daemon = { daemon_id: "d1", place: "here", pid: 7, born: null, beats: 1 };
    await store.cron.saveDaemon(daemon);
    await store.cron.saveDaemon({ ...daemon, beats: 2 });
    await store.cron.saveDaemon({ ...daemon, daemon_id: "d2", born: "123" });
    const found = (await store.cron.listDaemons()).sort((a, b) => a.daemon_id.localeCompare(b.daemon_id));
    assert.deepEqual(found, [
      { ...daemon, beats: 2 },
      { ...daemon, daemon_id: "d2", born: "123" },
    ]);
    await store.cron.forgetDaemon("d1");
    await store.cron.forgetDaemon("d1");
    assert.deepEqual(
      (await store.cron.listDaemons()).map(({ daemon_id }) => daemon_id),
      ["d2"],
    );
  });
}
