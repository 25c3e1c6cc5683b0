import assert from "node:assert/strict";
import { test } from "node:test";
import {
  append,
  entry,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";
import type { NamedToken } from "./token-store.ts";

const ci: NamedToken = {
  name: "ci",
  role: "operator",
  token_hash: "a".repeat(64),
  created_at: "2026-01-01T00:00:00.000Z",
  created_by: "human:ada",
  revoked_at: null,
};
const added = () => [entry({ kind: "change", event: "token.added" })];
const revoked = () => [entry({ kind: "change", event: "token.revoked" })];
const later = "2026-01-02T00:00:00.000Z";

/** What every store does with named tokens. */
export function tokenStoreCases(prepare: PrepareStore): void {
  test("keeps tokens by name, and when each was revoked", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    assert.deepEqual(await store.tokens.list(), []);
    const board: NamedToken = { ...ci, name: "board", role: "viewer", token_hash: "b".repeat(64) };
    await append(store, added(), [{ kind: "token_added", row: ci }]);
    await append(store, added(), [{ kind: "token_added", row: board }]);
    await append(store, revoked(), [{ kind: "token_revoked", name: "ci", time: later }]);
    await store.close();
    assert.deepEqual(await (await open()).tokens.list(), [board, { ...ci, revoked_at: later }]);
  });

  test("gives a name once, and records nothing of a second time", async (t) => {
    const store = await openOne(t, prepare);
    await append(store, added(), [{ kind: "token_added", row: ci }]);
    await append(store, revoked(), [{ kind: "token_revoked", name: "ci", time: later }]);
    const again = append(store, added(), [
      { kind: "token_added", row: { ...ci, token_hash: "c".repeat(64) } },
    ]);
    await assert.rejects(again, { code: "SWARM_TOKEN_TAKEN" });
    assert.equal((await store.head()).seq, 2);
  });

  test("revokes what is in force, once", async (t) => {
    const store = await openOne(t, prepare);
    const revoke = () => append(store, revoked(), [{ kind: "token_revoked", name: "ci", time: later }]);
    await assert.rejects(revoke(), { code: "SWARM_TOKEN_UNKNOWN" });
    await append(store, added(), [{ kind: "token_added", row: ci }]);
    await revoke();
    await assert.rejects(revoke(), { code: "SWARM_TOKEN_UNKNOWN" });
    assert.equal((await store.head()).seq, 2);
  });
}
