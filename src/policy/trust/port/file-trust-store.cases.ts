import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovedFile } from "./file-trust-store.ts";
import type { StoreChange } from "../../../store/port/store.ts";
import { append, entry, openerFor, type PrepareStore } from "../../../store/port/store-harness.cases.ts";

const file = (changes: Partial<ApprovedFile> = {}): ApprovedFile => ({
  sha256: "a".repeat(64),
  path: "/models/fraud.joblib",
  bytes: 12,
  time: "2026-01-02T03:04:05.678Z",
  actor: "human:ada",
  ...changes,
});

const approved = (row: ApprovedFile): StoreChange => ({ kind: "file_approved", row });

export function fileTrustCases(prepare: PrepareStore): void {
  const change = () => entry({ kind: "change", event: "trust.file_approved" });

  test("a file is approved by its bytes; approved again, the last approval counts", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    const newer = file({ sha256: "b".repeat(64), time: "2026-02-02T03:04:05.678Z", bytes: 0 });
    const elsewhere = file({ path: "/a/same.joblib", actor: "human:bob" });
    await append(store, [change()], [approved(file())]);
    await append(store, [change()], [approved(newer)]);
    assert.deepEqual(await store.fileTrust.list(), [newer, file()]);
    await append(store, [change()], [approved(elsewhere)]);
    await store.close();
    const again = await open();
    assert.deepEqual(await again.fileTrust.list(), [elsewhere, newer]);
    assert.deepEqual(await again.fileTrust.find(elsewhere.sha256), elsewhere);
    assert.equal(await again.fileTrust.find("c".repeat(64)), null);
  });

  test("an approval is taken back once, and nothing is written of what is not approved", async (t) => {
    const store = await (await openerFor(t, prepare))();
    const { sha256, path } = file();
    const revoked: StoreChange = { kind: "file_revoked", sha256, path };
    await append(store, [change()], [approved(file())]);
    await append(store, [change()], [revoked]);
    assert.equal(await store.fileTrust.find(sha256), null);
    const { seq } = await store.head();
    await assert.rejects(append(store, [change()], [revoked]), { code: "SWARM_FILE_NOT_APPROVED" });
    assert.equal((await store.head()).seq, seq);
  });
}
