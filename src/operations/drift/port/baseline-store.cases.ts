import assert from "node:assert/strict";
import { test } from "node:test";
import type { Baseline } from "./baseline-store.ts";
import { append, entry, openerFor, type PrepareStore } from "../../../store/port/store-harness.cases.ts";

const fraud: Baseline = {
  name: "fraud-3",
  source: "/data/march.jsonl",
  rows: 10_000_000,
  features: 12,
  data_digest: "a".repeat(64),
  summary_digest: "b".repeat(64),
  set_at: "2026-01-01T00:00:00.000Z",
  set_by: "human:ada",
};

/** What every store does with baselines. */
export function baselineStoreCases(prepare: PrepareStore): void {
  test("keeps a baseline under its name, the one that was set last", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    assert.deepEqual(await store.baselines.list(), []);
    assert.equal(await store.baselines.find(fraud.name), null);
    const churn: Baseline = { ...fraud, name: "churn", rows: 3 };
    const again: Baseline = { ...fraud, source: "run_2", rows: 7, features: 1, set_by: "human:bob" };
    for (const row of [fraud, churn, again]) {
      const rows = [entry({ kind: "change", event: "baseline.set" })];
      await append(store, rows, [{ kind: "baseline_set", row }]);
    }
    await store.close();
    const { baselines } = await open();
    assert.deepEqual(await baselines.list(), [churn, again]);
    assert.deepEqual(await baselines.find(fraud.name), again);
  });
}
