import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlagOverride } from "./flag-store.ts";
import {
  append,
  entry,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";

const off: FlagOverride = {
  name: "hooks_enabled",
  is_on: false,
  time: "2026-01-01T00:00:00.000Z",
  actor: "human:ada",
};
const set = () => [entry({ kind: "change", event: "flag.set" })];
const unset = () => [entry({ kind: "change", event: "flag.unset" })];

/** What every store does with flags. */
export function flagStoreCases(prepare: PrepareStore): void {
  test("keeps the flags that were set, each as it was set last", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    assert.deepEqual(await store.flags.list(), []);
    const cron: FlagOverride = { ...off, name: "cron_scheduler" };
    const again: FlagOverride = { ...off, is_on: true, time: "2026-01-02T00:00:00.000Z", actor: "human:bob" };
    for (const row of [off, cron, again]) await append(store, set(), [{ kind: "flag_set", row }]);
    await store.close();
    assert.deepEqual(await (await open()).flags.list(), [cron, again]);
  });

  test("unsets a flag that is set, once, and records nothing of a second time", async (t) => {
    const store = await openOne(t, prepare);
    const forget = () => append(store, unset(), [{ kind: "flag_unset", name: off.name }]);
    await assert.rejects(forget(), { code: "SWARM_FLAG_NOT_SET" });
    await append(store, set(), [{ kind: "flag_set", row: off }]);
    await forget();
    await assert.rejects(forget(), { code: "SWARM_FLAG_NOT_SET" });
    assert.deepEqual(await store.flags.list(), []);
    assert.equal((await store.head()).seq, 2);
  });
}
