import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoreChange } from "./store.ts";
import { entry, openerFor, type PrepareStore, rowsAfter } from "./store-harness.cases.ts";

const [time, actor] = ["2026-01-02T03:04:05.678Z", "human:me"];
const isOff = (hookId: string): StoreChange => ({
  kind: "hook_switch",
  row: { hook_id: hookId, is_enabled: false, time, actor },
});
const token: StoreChange = {
  kind: "token_added",
  row: {
    name: "ci",
    role: "viewer",
    token_hash: "h",
    created_at: time,
    created_by: actor,
    revoked_at: null,
  },
};

/** The mark of what people have decided. */
export function markCases(prepare: PrepareStore): void {
  test("the mark of what was decided is another one after each decision, for whoever has the store open", async (t) => {
    const open = await openerFor(t, prepare);
    const [ours, others] = [await open(), await open()];
    const first = await ours.decidedMark();
    if (first === null) return t.skip("this store has no mark");
    const marks = [first];
    for (const hookId of ["hook_1", "hook_2"]) {
      await others.append((head) => rowsAfter(head, [entry()]), [isOff(hookId)]);
      marks.push(String(await ours.decidedMark()));
      assert.equal(await others.decidedMark(), marks.at(-1));
    }
    assert.equal(new Set(marks).size, 3);
  });

  test("rows, and changes that decide nothing, leave the mark as it is", async (t) => {
    const store = await (await openerFor(t, prepare))();
    const mark = await store.decidedMark();
    await store.append((head) => rowsAfter(head, [entry()]));
    await store.append((head) => rowsAfter(head, [entry()]), [token]);
    assert.equal(await store.decidedMark(), mark);
  });

  test("a decision that could not be written down leaves the mark as it is", async (t) => {
    const store = await (await openerFor(t, prepare))();
    const mark = await store.decidedMark();
    const twice = entry();
    await assert.rejects(store.append((head) => rowsAfter(head, [twice, twice]), [isOff("hook_1")]));
    assert.equal(await store.decidedMark(), mark);
    assert.deepEqual(await store.listHookSwitches(), []);
  });
}
