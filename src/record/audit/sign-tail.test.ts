import assert from "node:assert/strict";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { after, type TestContext, test } from "node:test";
import { genesisHash, type RunEvent } from "../port/run-event.ts";
import type { SignedHead } from "../../store/port/store.ts";
import { fifty, putSignedHead, RecordBench, readRows, rehash, replaceRows } from "./harness.cases.ts";
import { signTail } from "./sign-tail.ts";
import { SigningKey } from "./signing-key.ts";
import type { Fault } from "./verify.ts";

const [one = assert.fail()] = fifty;

/** Fifty rows that are signed and five that a crash left unsigned. */
const original = new RecordBench({ after });
await original.recorded(fifty);
await crash(original);

async function crash(bench: RecordBench): Promise<void> {
  const store = bench.open();
  const recorder = bench.recorder(store);
  for (let at = 51; at <= 55; at++) await recorder.record({ ...one, id: `evt_${at}` });
  await store.close();
}

function crashed(t: TestContext): RecordBench {
  return new RecordBench(t, original);
}

async function signed(bench: RecordBench) {
  const store = bench.open();
  const before = await store.signedHead();
  const tail = await signTail(store, bench.key, bench.clock);
  const later = await store.signedHead();
  await store.close();
  return { before, tail, after: later };
}

test("the rows a crash left unsigned are signed", async (t) => {
  const bench = crashed(t);
  await bench.clock.advance(7_000);
  const { tail, after } = await signed(bench);
  assert.deepEqual([tail.unsigned_rows, tail.fault, tail.head.seq], [5, null, 55]);
  assert.deepEqual(after, bench.key.sign(tail.head, new Date(bench.clock.now()).toISOString()));
  const { is_intact, unsigned_rows } = await bench.verified();
  assert.deepEqual({ is_intact, unsigned_rows }, { is_intact: true, unsigned_rows: 0 });
});

test("rows after the signature are signed only if they were written with the key, however well they are chained", async (t) => {
  const forgeries: readonly ((database: DatabaseSync) => void)[] = [
    (database) => {
      const edited = readRows(database).map((row) => (row.seq === 53 ? { ...row, actor: "human:ann" } : row));
      replaceRows(database, rehash(edited, 53));
    },
    (database) => database.exec("update run_events set seal = null where seq = 53"),
    (database) => database.exec("update run_events set state = 'over' where seq = 53"),
  ];
  for (const forge of forgeries) {
    const bench = crashed(t);
    bench.tamper(forge);
    const { before, tail, after } = await signed(bench);
    assert.deepEqual([tail.fault?.kind, tail.fault?.seq], ["forged", 53]);
    assert.deepEqual(after, before);
  }
});

test("nothing is written when everything is signed", async (t) => {
  const bench = new RecordBench(t);
  await bench.recorded(fifty);
  await bench.clock.advance(7_000);
  const { before, tail, after } = await signed(bench);
  assert.deepEqual(after, before);
  assert.deepEqual(tail, { head: { seq: 50, hash: before?.hash }, unsigned_rows: 0, fault: null });
});

test("a record without rows is signed as such", async (t) => {
  const bench = new RecordBench(t);
  const { before, tail, after } = await signed(bench);
  const head = { seq: 0, hash: genesisHash };
  assert.deepEqual([before, tail], [null, { head, unsigned_rows: 0, fault: null }]);
  assert.deepEqual(after, bench.key.sign(head, new Date(bench.clock.now()).toISOString()));
  assert.deepEqual((await signed(bench)).after, after);
});

function cutAfter(database: DatabaseSync, seq: number): void {
  for (const table of ["run_events", "payloads", "hook_runs"])
    database.exec(`delete from ${table} where seq > ${seq}`);
}

const attacks: Readonly<
  Record<
    string,
    { readonly fault: [Fault["kind"], number]; does(database: DatabaseSync, bench: RecordBench): void }
  >
> = {
  "an edited row in the tail": {
    fault: ["edited", 53],
    does: (database) => database.exec("update run_events set reason = 'was fine' where seq = 53"),
  },
  "an edited payload in the tail": {
    fault: ["payload", 53],
    does: (database) => database.exec("update payloads set before = '{}' where seq = 53"),
  },
  "a missing row in the tail": {
    fault: ["missing", 52],
    does: (database) => database.exec("delete from run_events where seq = 52"),
  },
  "a tail that does not follow from what was signed": {
    fault: ["rewritten", 51],
    does: (database) => {
      const rows = readRows(database).map((row) =>
        row.seq === 51 ? { ...row, prev_hash: "0".repeat(64) } : row,
      );
      replaceRows(database, rehash(rows, 51));
    },
  },
  "a suffix rewritten from before the signature": {
    fault: ["rewritten", 50],
    does: (database) => {
      const rows = readRows(database).map((row) => (row.seq === 20 ? { ...row, reason: "was fine" } : row));
      replaceRows(database, rehash(rows, 20));
    },
  },
  "a record cut back to before the signature": {
    fault: ["truncated", 31],
    does: (database) => cutAfter(database, 30),
  },
  "a record without rows that was signed with some": {
    fault: ["truncated", 1],
    does: (database) => cutAfter(database, 0),
  },
  "a signature of another key": {
    fault: ["unsigned", 55],
    does: (database, { folder }) => {
      const last = readRows(database).at(-1) as RunEvent;
      putSignedHead(
        database,
        new SigningKey(join(folder, "other.pem")).sign(last, "2026-01-01T00:00:00.000Z"),
      );
    },
  },
  "rows without any signature": {
    fault: ["unsigned", 55],
    does: (database) => database.exec("delete from signed_head"),
  },
};

for (const [what, { fault, does }] of Object.entries(attacks)) {
  test(`${what}: nothing is signed and the fault is told`, async (t) => {
    const bench = crashed(t);
    bench.tamper((database) => does(database, bench));
    const { before, tail, after } = await signed(bench);
    assert.deepEqual([tail.fault?.kind, tail.fault?.seq], fault);
    assert.deepEqual(after, before);
  });

  test(`${what}: a recorder records on, warns once, and signs nothing that would hide it`, async (t) => {
    const bench = crashed(t);
    bench.tamper((database) => does(database, bench));
    const before = await signedHead(bench);
    const store = bench.open();
    const recorder = bench.recorder(store);
    for (let turn = 0; turn < 60; turn++) {
      const { kind } = await recorder.record({
        ...one,
        id: `evt_more${turn}`,
        kind: turn % 2 === 0 ? "intent" : "emit",
      });
      assert.equal(kind, turn % 2 === 0 ? "intent" : "emit");
      await bench.clock.advance(100);
    }
    await recorder.close();
    await store.close();
    assert.deepEqual([recorder.fault?.kind, recorder.fault?.seq], fault);
    assert.equal(bench.warnings.length, 1);
    assert.deepEqual(await signedHead(bench), before);
    assert.equal((await bench.verified()).is_intact, false);
  });
}

test("a record that is rewritten while it is written is not signed from there on", async (t) => {
  const bench = new RecordBench(t);
  await bench.recorded(fifty);
  const store = bench.open();
  const recorder = bench.recorder(store);
  await recorder.record({ ...one, id: "evt_before" });
  await bench.clock.advance(100);
  bench.tamper((database) => {
    const rows = readRows(database).map((row) => (row.seq === 20 ? { ...row, reason: "was fine" } : row));
    replaceRows(database, rehash(rows, 20));
  });
  await recorder.record({ ...one, id: "evt_after" });
  await recorder.close();
  await store.close();
  assert.deepEqual([recorder.fault?.kind, recorder.fault?.seq], ["rewritten", 51]);
  assert.deepEqual(
    (await bench.verified()).faults.map(({ kind, seq }) => [kind, seq]),
    [["rewritten", 51]],
  );
});

test("rows that are written while the tail is looked at are left to whoever wrote them", async (t) => {
  const bench = crashed(t);
  const [store, other] = [bench.open(), bench.open()];
  const recorder = bench.recorder(other);
  const [tail] = await Promise.all([
    signTail(store, bench.key, bench.clock),
    ...Array.from({ length: 20 }, (_, at) => recorder.record({ ...one, id: `evt_late${at}` })),
  ]);
  assert.equal(tail.fault, null);
  await recorder.close();
  const { is_intact, rows, unsigned_rows } = await bench.verified();
  assert.deepEqual({ is_intact, rows, unsigned_rows }, { is_intact: true, rows: 75, unsigned_rows: 0 });
});

async function signedHead(bench: RecordBench): Promise<SignedHead | null> {
  const store = bench.open();
  const head = await store.signedHead();
  await store.close();
  return head;
}
