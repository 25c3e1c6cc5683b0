import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoreChange } from "../../../store/port/store.ts";
import { append, entry, openerFor, type PrepareStore } from "../../../store/port/store-harness.cases.ts";
import type { TrustedHook } from "./trust-store.ts";

const time = "2026-01-02T03:04:05.678Z";
const project = "/p/swarm.yaml";

const hook = (changes: Partial<TrustedHook> = {}): TrustedHook => ({
  file: project,
  hook_id: "hook_1",
  name: "no-force-push",
  is_guard: true,
  digest: "a".repeat(64),
  definition: 'name: "no-force-push"\nargs: ["./a.sh"]',
  files: [
    { place: "project/a.sh", sha256: "b".repeat(64) },
    { place: "project/gone.sh", sha256: null },
  ],
  time,
  actor: "human:ada",
  ...changes,
});

const approved = (hooks: readonly TrustedHook[], file = project): StoreChange => ({
  kind: "trust_approved",
  file,
  hooks,
});

export function trustCases(prepare: PrepareStore): void {
  const change = (event: string) => entry({ kind: "change", event });

  test("an approval is of all of a project's hooks, and takes the place of the one before", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    const other = hook({ file: "/q/swarm.yaml", hook_id: "hook_9" });
    await append(store, [change("trust.approved")], [approved([other], other.file)]);
    await append(store, [change("trust.approved")], [approved([hook(), hook({ hook_id: "hook_2" })])]);
    const changed = hook({ hook_id: "hook_2", is_guard: false, digest: "c".repeat(64), files: [] });
    await append(store, [change("trust.approved")], [approved([changed])]);
    await store.close();
    assert.deepEqual(await (await open()).trust.list(), { trusted: [changed, other], ignored: [] });
  });

  test("a project is ignored or approved, never both, and neither once it is revoked", async (t) => {
    const store = await (await openerFor(t, prepare))();
    const row = { file: project, time, actor: "human:bob" };
    await append(store, [change("trust.approved")], [approved([hook()])]);
    await append(store, [change("trust.ignored")], [{ kind: "trust_ignored", row }]);
    assert.deepEqual(await store.trust.list(), { trusted: [], ignored: [row] });
    await append(store, [change("trust.ignored")], [{ kind: "trust_ignored", row: { ...row, actor: "x" } }]);
    assert.deepEqual(await store.trust.list(), { trusted: [], ignored: [{ ...row, actor: "x" }] });
    await append(store, [change("trust.approved")], [approved([hook()])]);
    assert.deepEqual(await store.trust.list(), { trusted: [hook()], ignored: [] });
    await append(store, [change("trust.revoked")], [{ kind: "trust_revoked", file: project }]);
    assert.deepEqual(await store.trust.list(), { trusted: [], ignored: [] });
  });
}
