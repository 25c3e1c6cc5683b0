import assert from "node:assert/strict";
import { test } from "node:test";
import type { DriftMark } from "./drift-mark-store.ts";
import { append, entry, openerFor, type PrepareStore } from "../../../store/port/store-harness.cases.ts";

const mark: DriftMark = {
  kind: "batch",
  run_id: "nightly",
  check_id: "dr_1",
  checked_at: "2026-01-01T00:00:00.000Z",
  is_drift: true,
  message: "drift: amount KS 0.6 over 0.15",
};

/** What every store does with what drift checks have found of runs. */
export function driftMarkStoreCases(prepare: PrepareStore): void {
  test("a run has the mark of the check that looked at it last; one of another kind is another run", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    assert.equal(await store.driftMarks.find(mark), null);
    const calm: DriftMark = { ...mark, kind: "pipeline", is_drift: false, message: "no drift" };
    const again: DriftMark = { ...mark, check_id: "dr_2", checked_at: "2026-01-02T00:00:00.000Z" };
    const checked = () => [entry({ kind: "change", event: "drift.checked" })];
    await append(store, checked(), [{ kind: "runs_checked", marks: [mark, calm] }]);
    await append(store, checked(), [{ kind: "runs_checked", marks: [again] }]);
    await store.close();
    const { driftMarks } = await open();
    assert.deepEqual(await driftMarks.find({ kind: "batch", run_id: "nightly" }), again);
    assert.deepEqual(await driftMarks.find({ kind: "pipeline", run_id: "nightly" }), calm);
    assert.equal(await driftMarks.find({ kind: "batch", run_id: "other" }), null);
  });
}
