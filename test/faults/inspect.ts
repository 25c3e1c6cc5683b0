import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readJournal } from "../../src/record/audit/sealed-journal.ts";
import { JournalFile } from "../../src/store/sqlite/journal-file.ts";
import { recordLeftovers } from "../../src/record/audit/journaled-recorder.ts";
import { Recorder } from "../../src/record/audit/recorder.ts";
import { signTail } from "../../src/record/audit/sign-tail.ts";
import { SigningKey } from "../../src/record/audit/signing-key.ts";
import { storedRecord, storedRows } from "../../src/record/audit/stored-record.ts";
import { verifyRecord } from "../../src/record/audit/verify.ts";
import { systemClock } from "../../src/base/clock.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

/** As any process does that comes next, it takes what a daemon has left in its journal. The file opens clean and the chain verifies. Tells what there is, and which acknowledged rows are not there once. */
export async function inspect(folder: string, acknowledged: ReadonlySet<string>) {
  const store = openSqliteStore(join(folder, "swarm.db"));
  try {
    const key = new SigningKey(join(folder, "audit-key.pem"));
    const recorder = new Recorder({ store, key, clock: systemClock, durability: "process" });
    const { entries, rejected } = readJournal(new JournalFile(join(folder, "journal")), key, Date.now());
    assert.equal(rejected, null, "a crash leaves no line that is not believed");
    const journaled = await recordLeftovers(entries, store, recorder);
    await recorder.close();
    const before = await verifyRecord(await storedRecord(store, key.publicKey));
    assert.deepEqual(before.faults, []);
    assert.deepEqual((await signTail(store, key, systemClock)).fault, null);
    const after = await verifyRecord(await storedRecord(store, key.publicKey));
    assert.deepEqual([after.faults, after.unsigned_rows, after.rows], [[], 0, before.rows]);
    const counts = new Map<string, number>();
    for await (const { row, payload } of storedRows(store, 0)) {
      counts.set(row.id, (counts.get(row.id) ?? 0) + 1);
      assert.equal(payload === null, row.before_hash === null, `row ${row.seq} has lost its payload`);
    }
    const lost = [...acknowledged].filter((id) => counts.get(id) !== 1);
    assert.equal(integrityOf(join(folder, "swarm.db")), "ok");
    return { rows: before.rows, journaled, unsigned: before.unsigned_rows, lost };
  } finally {
    await store.close();
  }
}

function integrityOf(file: string): unknown {
  const database = new DatabaseSync(file);
  try {
    const violations = database.prepare("pragma foreign_key_check").all();
    return violations.length > 0
      ? violations
      : database.prepare("pragma integrity_check").get()?.integrity_check;
  } finally {
    database.close();
  }
}
