import assert from "node:assert/strict";
import { test } from "node:test";
import type { HookSwitch, StoreChange } from "./store.ts";
import {
  append,
  entry,
  handler,
  numbers,
  openerFor,
  openOne,
  type PrepareStore,
} from "./store-harness.cases.ts";

const minute = (count: number) => new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString();

export function hookCases(prepare: PrepareStore): void {
  test("lists a hook's runs newest first, and no other hook's", async (t) => {
    const store = await openOne(t, prepare);
    const rows = await append(store, [
      entry({ time: minute(1), session: "s1", handlers: [handler(), handler({ hook_id: "hook_2" })] }),
      entry({ time: minute(2), handlers: [handler({ hook_id: "hook_2" })] }),
      entry({
        time: minute(3),
        event: "tool.after",
        handlers: [handler({ status: "denied", verdict: "deny", reason: "no", ms: 0.5 })],
      }),
    ]);
    const completed = { status: "completed", verdict: "allow", ms: 1.25, reason: null };
    const first = {
      seq: 1,
      id: rows[0]?.id,
      time: minute(1),
      event: "tool.before",
      session: "s1",
      ...completed,
    };
    const denied = { status: "denied", verdict: "deny", ms: 0.5, reason: "no" };
    const last = { seq: 3, id: rows[2]?.id, time: minute(3), event: "tool.after", session: null, ...denied };
    assert.deepEqual(await store.listHookRuns("hook_1", { limit: 10 }), [last, first]);
    assert.deepEqual(await store.listHookRuns("hook_1", { limit: 1 }), [last]);
    assert.deepEqual(await store.listHookRuns("hook_1", { limit: 10, beforeSeq: 3 }), [first]);
    assert.deepEqual(await store.listHookRuns("hook_", { limit: 10 }), []);
  });

  test("counts a call only when a hook was called: not skipped, not waiting, not a function without an id", async (t) => {
    const store = await openOne(t, prepare);
    await append(store, [
      entry({ handlers: [handler({ status: "skipped" })] }),
      entry({ handlers: [handler({ status: "scheduled", mode: "observe" })] }),
      entry({ handlers: [handler({ hook_id: null })] }),
    ]);
    assert.deepEqual(await store.listHookRuns("hook_1", { limit: 10 }), []);
    assert.deepEqual(await store.hookTotals("hook_1"), {
      calls: 0,
      failures: 0,
      denials: 0,
      last_status: null,
      last_reason: null,
      last_at: null,
    });
  });

  test("takes a row in which one hook has two parts", async (t) => {
    const store = await openOne(t, prepare);
    await append(store, [
      entry({ handlers: [handler({ ms: 1 }), handler({ ms: 2, name: "the other name" })] }),
    ]);
    const runs = await store.listHookRuns("hook_1", { limit: 10 });
    assert.deepEqual(
      runs.map(({ ms }) => ms),
      [1],
    );
  });

  test("sums up what became of a hook's calls", async (t) => {
    const store = await openOne(t, prepare);
    const parts = [
      handler(),
      handler({ status: "failed", verdict: "none", reason: "exit 1" }),
      handler({ status: "timed_out", verdict: "deny", reason: "30 s" }),
      handler({ status: "denied", verdict: "deny", reason: "no" }),
      handler({ status: "cancelled", verdict: "none", reason: "aborted" }),
    ];
    await append(
      store,
      parts.map((part, at) => entry({ time: minute(at), handlers: [handler({ hook_id: "hook_2" }), part] })),
    );
    assert.deepEqual(await store.hookTotals("hook_1"), {
      calls: 5,
      failures: 2,
      denials: 2,
      last_status: "cancelled",
      last_reason: "aborted",
      last_at: minute(4),
    });
  });

  test("sums up a hook's last thousand calls and none before them", async (t) => {
    const store = await openOne(t, prepare);
    const failed = handler({ status: "failed", reason: "exit 1" });
    await append(
      store,
      numbers(1, 1_010).map((count) => entry({ handlers: [count <= 12 ? failed : handler()] })),
    );
    const { calls, failures, last_status } = await store.hookTotals("hook_1");
    assert.deepEqual([calls, failures, last_status], [1_000, 2, "completed"]);
  });

  test("keeps the last switch of each hook, written with the row that tells of it", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    const off = { hook_id: "hook_1", is_enabled: false, time: minute(1), actor: "human:ada" };
    const on = { hook_id: "hook_1", is_enabled: true, time: minute(2), actor: "human:bob" };
    const other = { ...off, hook_id: "hook_2" };
    const change = (row: HookSwitch): StoreChange => ({ kind: "hook_switch", row });
    await append(store, [entry({ kind: "change", event: "hook.disabled" })], [change(off), change(other)]);
    await append(store, [entry({ kind: "change", event: "hook.enabled" })], [change(on)]);
    await store.close();
    const switches = await (await open()).listHookSwitches();
    assert.deepEqual(
      switches.sort((a, b) => a.hook_id.localeCompare(b.hook_id)),
      [on, other],
    );
  });
}
