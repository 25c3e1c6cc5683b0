import assert from "node:assert/strict";
import { appendFileSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import type { NewEntry } from "../port/audit.ts";
import { assertChained, numbers } from "../../store/port/store-harness.cases.ts";
import { caughtUpStore } from "./caught-up-store.ts";
import { RecordBench } from "./harness.cases.ts";
import { JournalFile } from "../../store/sqlite/journal-file.ts";
import { readJournal, SealedJournal } from "./sealed-journal.ts";
import { JournaledRecorder, recordLeftovers } from "./journaled-recorder.ts";

const emit: NewEntry = { kind: "emit", event: "tool.before", actor: "agent:builder", before: '{"a":"ü\\n"}' };

function opened(t: TestContext) {
  const bench = new RecordBench(t);
  const store = bench.open();
  const recorder = bench.recorder(store);
  const file = join(bench.folder, "journal");
  const log = { warn: (message: string) => void bench.warnings.push(message) };
  const audit = new JournaledRecorder({
    recorder,
    journal: new SealedJournal(new JournalFile(file), bench.key),
    store,
    clock: bench.clock,
    log,
  });
  const left = () => readJournal(new JournalFile(file), bench.key, bench.clock.now()).entries;
  return { bench, store, recorder, file, audit, left, read: caughtUpStore(store, audit) };
}

/** Nothing can be inserted until the returned function is called. */
function stuck(file: string): () => void {
  const database = new DatabaseSync(file);
  database.exec("create trigger no before insert on run_events begin select raise(abort, 'no'); end");
  return () => {
    database.exec("drop trigger no");
    database.close();
  };
}

test("a decision is acknowledged when it is in the journal, and whoever reads the record finds it there", async (t) => {
  const { store, audit, read, left } = opened(t);
  const { id } = await audit.record(emit);
  assert.deepEqual([(await store.head()).seq, left().map((entry) => entry.id)], [0, [id]]);
  assert.equal((await read.findRunEvent(id))?.seq, 1);
  assert.equal((await store.head()).seq, 1);
  await audit.close();
});

test("nobody has to ask: what was acknowledged is in the store 5 ms later, in one transaction", async (t) => {
  const { bench, store, audit } = opened(t);
  for (const n of numbers(1, 20)) await audit.record({ ...emit, id: `evt_${n}` });
  assert.equal((await store.head()).seq, 0);
  await bench.clock.advance(5);
  await audit.catchUp();
  const rows = await store.readRunEvents(0, 100);
  assert.deepEqual(
    rows.map(({ id }) => id),
    numbers(1, 20).map((n) => `evt_${n}`),
  );
  await assertChained(store, 20);
  await audit.close();
});

test("whatever has to be in the store comes after all that was acknowledged before it", async (t) => {
  const { store, audit } = opened(t);
  await audit.record({ ...emit, id: "evt_a" });
  await audit.record({ ...emit, kind: "change", id: "evt_b" });
  await audit.record({ ...emit, id: "evt_c" });
  await audit.intent({ ...emit, id: "evt_d" });
  const rows = await store.readRunEvents(0, 10);
  assert.deepEqual(
    rows.map(({ id }) => id),
    ["evt_a", "evt_b", "evt_c", "evt_d"],
  );
  await audit.close();
});

test("an intent and its end are written with what they bring", async (t) => {
  const { store, audit } = opened(t);
  const change = (hook_id: string, is_enabled: boolean) =>
    ({
      kind: "hook_switch",
      row: { hook_id, is_enabled, time: "2026-01-01T00:00:00.000Z", actor: "a" },
    }) as const;
  const report = await audit.intent(emit, change("a", false));
  const switches = async () => (await store.listHookSwitches()).map(({ hook_id }) => hook_id).sort();
  assert.deepEqual(await switches(), ["a"]);
  await report({ outcome: "completed" }, change("b", false));
  assert.deepEqual(await switches(), ["a", "b"]);
  await audit.close();
});

test("what was acknowledged outlives its process, once, whatever was cut off after it", async (t) => {
  const { bench, store, file, audit, left } = opened(t);
  await audit.record({ ...emit, id: "evt_known" });
  await audit.catchUp();
  await audit.record({ ...emit, id: "evt_left", session: "s1" });
  await audit.record({ ...emit, id: "evt_torn" });
  truncateSync(file, statSync(file).size - 3);
  appendFileSync(file, `\n00000000 {"id":"evt_forged"}\n`);
  // Another process, while the first is no more: it has its own recorder on the same store.
  const later = bench.recorder(bench.open());
  const found = await recordLeftovers(left(), store, later);
  const again = await recordLeftovers(left(), store, later);
  await later.close();
  const rows = await store.readRunEvents(0, 10);
  assert.deepEqual([found, again, rows.map(({ id }) => id)], [1, 0, ["evt_known", "evt_left"]]);
  assert.equal(rows[1]?.session, "s1");
  assert.equal((await store.findPayload(2))?.before, '{"a":"ü\\n"}');
  await assertChained(store, 2);
});

test("what another process has taken from the journal is not recorded twice", async (t) => {
  const { bench, store, left, audit, read } = opened(t);
  await audit.record({ ...emit, id: "evt_1" });
  const other = bench.recorder(bench.open());
  await recordLeftovers(left(), store, other);
  await other.close();
  await audit.record({ ...emit, id: "evt_2" });
  assert.equal((await read.findRunEvent("evt_1"))?.seq, 1);
  await bench.clock.advance(1_000);
  await audit.close();
  const rows = await store.readRunEvents(0, 10);
  assert.deepEqual(
    rows.map(({ id }) => id),
    ["evt_1", "evt_2"],
  );
  await assertChained(store, 2);
});

test("a store that takes nothing more is told of from then on, and gets what was acknowledged when it can", async (t) => {
  const { bench, store, left, audit } = opened(t);
  await audit.record({ ...emit, id: "evt_1" });
  const release = stuck(bench.file);
  await audit.catchUp();
  assert.match(bench.warnings.join(), /the record is behind/);
  await assert.rejects(audit.record({ ...emit, id: "evt_2" }), { code: "SWARM_STORE_FAILED" });
  assert.deepEqual(
    left().map(({ id }) => id),
    ["evt_1"],
  );
  release();
  await bench.clock.advance(1_000);
  await audit.catchUp();
  await audit.record({ ...emit, id: "evt_3" });
  await audit.close();
  const rows = await store.readRunEvents(0, 10);
  assert.deepEqual(
    rows.map(({ id }) => id),
    ["evt_1", "evt_3"],
  );
});

test("a journal that cannot be written leaves the decision to the store", async (t) => {
  const { bench, store, recorder } = opened(t);
  const file = join(bench.folder, "full");
  const journal = new SealedJournal(new JournalFile(file), bench.key);
  journal.close();
  const log = { warn: (message: string) => void bench.warnings.push(message) };
  const audit = new JournaledRecorder({ recorder, journal, store, clock: bench.clock, log });
  await audit.record({ ...emit, id: "evt_1" });
  assert.equal((await store.findRunEvent("evt_1"))?.seq, 1);
  assert.match(bench.warnings.join(), /the journal cannot be written: EBADF/);
  await recorder.close();
});

test("the journal holds no more than the store lacks: it is emptied as it grows, on closing, and when payloads expire", async (t) => {
  const { file, audit, read } = opened(t);
  for (let n = 0; n < 100; n++) await audit.record({ ...emit, before: JSON.stringify("x".repeat(4_000)) });
  assert.ok(statSync(file).size > 400_000);
  await audit.catchUp();
  assert.equal(statSync(file).size, 0);
  await audit.record(emit);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(readFileSync(file, "utf8"), /^[\w-]{43} \{/);
  await read.expirePayloads("2000-01-01T00:00:00.000Z");
  assert.equal(statSync(file).size, 0);
  await audit.record(emit);
  await audit.close();
  assert.equal(statSync(file).size, 0);
});

test("once the disk has failed nothing is acknowledged, from the journal neither, and what was is kept there", async (t) => {
  const { bench, store, audit, left } = opened(t);
  await audit.record(emit);
  await bench.clock.advance(5);
  await audit.catchUp();
  const damaged = new SwarmError("SWARM_STORE_DAMAGED", { location: "swarm.db-wal", problem: "EIO" });
  for (const call of ["sync", "append"] as const) t.mock.method(store, call, () => Promise.reject(damaged));
  const { id } = await audit.record(emit); // before anybody knows
  await bench.clock.advance(50);
  await audit.catchUp();
  await assert.rejects(audit.record(emit), damaged);
  await bench.clock.advance(5_000);
  assert.deepEqual(bench.warnings, [damaged.message], "which is said once");
  await assert.rejects(audit.close(), damaged);
  assert.equal(left().at(-1)?.id, id);
});
