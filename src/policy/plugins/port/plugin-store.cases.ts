import assert from "node:assert/strict";
import { test } from "node:test";
import type { InstalledPlugin, NewPluginRun } from "./plugin-store.ts";
import type { StoreChange } from "../../../store/port/store.ts";
import {
  append,
  entry,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";

const plugin: InstalledPlugin = {
  name: "acme-bfsi",
  version: "1.0.0",
  digest: "d1",
  source: "/plugins/acme",
  guarded_events: ["tool.after"],
  is_enabled: true,
  time: "2026-01-02T03:04:05.678Z",
  actor: "human:ada",
};

const run: NewPluginRun = {
  time: "2026-01-02T03:04:05.678Z",
  plugin: "acme-bfsi",
  hook: "acme-bfsi/mask",
  event: "tool.after",
  event_id: "evt_1",
  argv: ["/usr/bin/jq", "-r", ".content"],
  digest: "d1",
  denied_why: null,
};

const told = (event: string) => [entry({ kind: "change", event })];
const added = (row: InstalledPlugin): StoreChange => ({ kind: "plugin_added", row });

export function pluginCases(prepare: PrepareStore): void {
  test("keeps the plugins that were added by name, each in its last version", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    const unversioned = { ...plugin, name: "Zeta_2", version: null, guarded_events: [] };
    await append(store, told("plugin.added"), [added(unversioned), added(plugin)]);
    const second = { ...plugin, version: "1.1.0", digest: "d2", source: "/elsewhere", is_enabled: false };
    await append(store, told("plugin.added"), [added(second)]);
    await store.close();
    const found = await (await open()).plugins.list();
    assert.deepEqual(
      found.sort((a, b) => a.name.localeCompare(b.name)),
      [second, unversioned],
    );
  });

  test("switches and removes a plugin, and changes no other", async (t) => {
    const store = await openOne(t, prepare);
    const other = { ...plugin, name: "other" };
    await append(store, told("plugin.added"), [added(plugin), added(other)]);
    const off: StoreChange = { kind: "plugin_switched", row: { ...plugin, is_enabled: false } };
    await append(store, told("plugin.disabled"), [off]);
    assert.deepEqual(await store.plugins.list(), [{ ...plugin, is_enabled: false }, other]);
    await append(store, told("plugin.removed"), [{ kind: "plugin_removed", name: plugin.name }]);
    assert.deepEqual(await store.plugins.list(), [other]);
  });

  for (const change of [
    { kind: "plugin_switched", row: { ...plugin, name: "nobody" } },
    { kind: "plugin_removed", name: "nobody" },
  ] as const) {
    test(`refuses ${change.kind} of a plugin that is not there, and leaves no row that tells of it`, async (t) => {
      const store = await openOne(t, prepare);
      await append(store, told("plugin.added"), [added(plugin)]);
      await assert.rejects(append(store, told("plugin.removed"), [change]), { code: "SWARM_PLUGIN_UNKNOWN" });
      assert.equal((await store.head()).seq, 1);
      assert.deepEqual(await store.plugins.list(), [plugin]);
    });
  }

  test("has a program's row before it ends, and the end once", async (t) => {
    const store = await openOne(t, prepare);
    const seq = await store.plugins.beginRun(run);
    const started = { ...run, seq, ending: "started", exit_code: null, ms: 0, bytes: 0 };
    assert.deepEqual(await store.plugins.listRuns({ limit: 10 }), [started]);
    const end = { ending: "exited", exit_code: 3, ms: 12.5, bytes: 99 } as const;
    await store.plugins.endRun(seq, end);
    await store.plugins.endRun(seq, { ending: "timed_out", exit_code: null, ms: 1, bytes: 0 });
    assert.deepEqual(await store.plugins.listRuns({ limit: 10 }), [{ ...run, seq, ...end }]);
  });

  test("keeps why a program was refused; it never ends as anything else", async (t) => {
    const store = await openOne(t, prepare);
    const refused = { ...run, argv: ["git -c x\ud800"], denied_why: "not declared" };
    const seq = await store.plugins.beginRun(refused);
    await store.plugins.endRun(seq, { ending: "exited", exit_code: 0, ms: 1, bytes: 1 });
    const [kept] = await store.plugins.listRuns({ limit: 1 });
    const blank = { seq, ending: "refused", exit_code: null, ms: 0, bytes: 0 };
    assert.deepEqual(kept, { ...refused, argv: ["git -c x\ufffd"], ...blank });
  });

  test("lists programs newest first, of one plugin or of all, page by page", async (t) => {
    const store = await openOne(t, prepare);
    const seqs: number[] = [];
    for (const name of ["a", "b", "a", "a"])
      seqs.push(await store.plugins.beginRun({ ...run, plugin: name }));
    const list = async (query: Parameters<typeof store.plugins.listRuns>[0]) =>
      (await store.plugins.listRuns(query)).map(({ seq }) => seqs.indexOf(seq));
    assert.deepEqual(await list({ limit: 10 }), [3, 2, 1, 0]);
    assert.deepEqual(await list({ limit: 2, plugin: "a" }), [3, 2]);
    assert.deepEqual(await list({ limit: 2, plugin: "a", beforeSeq: seqs[2] }), [0]);
    assert.deepEqual(await list({ limit: 2, plugin: "c" }), []);
  });
}
