import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { after, type TestContext, test } from "node:test";
import { genesisHash, type RunEvent } from "../port/run-event.ts";
import type { SignedHead } from "../../store/port/store.ts";
import { fifty, putSignedHead, RecordBench, readRows, rehash, replaceRows } from "./harness.cases.ts";
import { SigningKey } from "./signing-key.ts";
import type { Fault, Verification } from "./verify.ts";

const middle = 25;

const original = new RecordBench({ after });
const written = await original.recorded(fifty);

function recorded(t: TestContext): RecordBench {
  return new RecordBench(t, original);
}

function kindsOf({ faults }: Verification): [Fault["kind"], number][] {
  return faults.map(({ kind, seq }) => [kind, seq]);
}

const update = (column: string, value: string) => (database: DatabaseSync) =>
  database.exec(`update run_events set ${column} = ${value} where seq = ${middle}`);

test("a record nobody touched is intact", async (t) => {
  const bench = recorded(t);
  assert.deepEqual(await bench.verified(), {
    is_intact: true,
    rows: 50,
    last_seq: 50,
    signed_seq: 50,
    unsigned_rows: 0,
    key_id: bench.key.publicKey.id,
    open_intents: ["evt_48"],
    payloads_checked: 41,
    acceptances: [],
    faults: [],
  });
});

test("a record without rows is intact", async (t) => {
  const { is_intact, rows } = await new RecordBench(t).verified();
  assert.deepEqual({ is_intact, rows }, { is_intact: true, rows: 0 });
});

test("an edit of any column of a row is found, and which row it was", async (t) => {
  const columns = Object.keys(written[0] ?? {});
  assert.equal(columns.length, 23);
  for (const column of columns) {
    const bench = recorded(t);
    const values: Readonly<Record<string, string>> = { seq: "1000", ms: "ms + 0.001", handlers: "'[]'" };
    bench.tamper(update(column, values[column] ?? `coalesce(${column}, '') || 'x'`));
    const verification = await bench.verified();
    const expected: [Fault["kind"], number][] =
      column === "seq"
        ? [
            ["missing", middle],
            ["missing", 51],
            ["edited", 1000],
          ]
        : column === "hash"
          ? [
              ["edited", middle],
              ["rewritten", middle + 1],
            ]
          : column === "prev_hash"
            ? [
                ["rewritten", middle],
                ["edited", middle],
              ]
            : [["edited", middle]];
    const payload: [Fault["kind"], number][] = /^(before|after)_hash$/.test(column)
      ? [["payload", middle]]
      : [];
    assert.deepEqual(kindsOf(verification), [...expected, ...payload], column);
    assert.equal(verification.is_intact, false);
  }
});

test("a value that was taken away, or put where none was, is found", async (t) => {
  for (const [column, value] of [
    ["reason", "'approved'"],
    ["cwd", "null"],
    ["ref", "''"],
    ["verdict", "'deny'"],
  ] as const) {
    const bench = recorded(t);
    bench.tamper((database) => {
      database.exec(`update run_events set ${column} = ${value} where seq = ${middle + 1}`);
    });
    assert.deepEqual(kindsOf(await bench.verified()), [["edited", middle + 1]], column);
  }
});

test("rows that were deleted are found, and which they were", async (t) => {
  const one = recorded(t);
  one.tamper((database) => database.exec(`delete from run_events where seq = ${middle}`));
  const { faults, rows } = await one.verified();
  assert.deepEqual(faults, [{ kind: "missing", seq: 25, problem: "row 25 is missing before row 26" }]);
  assert.equal(rows, 49);
  const some = recorded(t);
  some.tamper((database) => database.exec("delete from run_events where seq between 10 and 19"));
  assert.deepEqual((await some.verified()).faults, [
    { kind: "missing", seq: 10, problem: "rows 10 to 19 are missing before row 20" },
  ]);
  const first = recorded(t);
  first.tamper((database) => database.exec("delete from run_events where seq = 1"));
  assert.deepEqual(kindsOf(await first.verified()), [["missing", 1]]);
});

test("a row that was deleted and the rest moved up is found", async (t) => {
  const bench = recorded(t);
  bench.tamper((database) => {
    database.exec(`delete from run_events where seq = ${middle}`);
    database.exec(`update run_events set seq = seq - 1 where seq > ${middle}`);
  });
  const kinds = kindsOf(await bench.verified());
  assert.deepEqual(kinds[0], ["rewritten", middle]);
  assert.deepEqual(kinds.at(-1), ["truncated", 50]);
});

test("a row that was put in is found", async (t) => {
  const bench = recorded(t);
  bench.tamper((database) => {
    database.exec(`update run_events set seq = -seq where seq > ${middle}`);
    database.exec("update run_events set seq = 1 - seq where seq < 0");
    database.exec(`insert into run_events select ${middle + 1}, 'evt_forged', time, kind, event, ref, actor, session,
      agent, task, cwd, source, verdict, reason, hook, hook_digest, null, null, ms, outcome, handlers, hash, hash, null, null
      from run_events where seq = ${middle}`);
  });
  assert.ok(kindsOf(await bench.verified()).some(([kind, seq]) => kind === "edited" && seq === middle + 1));
});

test("two rows that changed places are found", async (t) => {
  const bench = recorded(t);
  bench.tamper((database) => {
    database.exec(`update run_events set seq = -1 where seq = ${middle}`);
    database.exec(`update run_events set seq = ${middle} where seq = ${middle + 1}`);
    database.exec(`update run_events set seq = ${middle + 1} where seq = -1`);
  });
  assert.deepEqual(kindsOf(await bench.verified()), [
    ["rewritten", middle],
    ["edited", middle],
    ["payload", middle],
    ["rewritten", middle + 1],
    ["edited", middle + 1],
    ["payload", middle + 1],
    ["rewritten", middle + 2],
  ]);
});

test("a tail that was cut off is found, up to the whole record", async (t) => {
  for (const [keep, problem] of [
    [49, "row 50 is missing at the end"],
    [30, "rows 31 to 50 are missing at the end"],
    [0, "rows 1 to 50 are missing at the end"],
  ] as const) {
    const bench = recorded(t);
    bench.tamper((database) => database.exec(`delete from run_events where seq > ${keep}`));
    const { faults, signed_seq, rows } = await bench.verified();
    assert.deepEqual(faults, [{ kind: "truncated", seq: keep + 1, problem }]);
    assert.deepEqual([rows, signed_seq], [keep, keep]);
  }
});

test("a suffix that was rewritten, every hash of it right, is found by the signature", async (t) => {
  for (const from of [1, middle, 50]) {
    const bench = recorded(t);
    bench.tamper((database) => {
      database.exec(`update run_events set verdict = 'allow', reason = 'was fine' where seq = ${from}`);
      replaceRows(database, rehash(readRows(database), from));
    });
    assert.deepEqual((await bench.verified()).faults, [
      { kind: "rewritten", seq: 50, problem: "row 50 is not the one that was signed" },
    ]);
  }
});

test("a rewritten suffix is found though rows were added to it", async (t) => {
  const bench = recorded(t);
  bench.tamper((database) => {
    replaceRows(database, rehash(readRows(database).map(edited(middle)), middle));
    database.exec(`insert into run_events select 51, 'evt_51', time, kind, event, ref, actor, session, agent, task, cwd,
      source, verdict, reason, hook, hook_digest, null, null, ms, outcome, handlers, hash, '', null, null from run_events where seq = 50`);
    replaceRows(database, rehash(readRows(database), 51));
  });
  assert.deepEqual(kindsOf(await bench.verified()), [["rewritten", 50]]);
});

test("a rewritten suffix that was signed with another key is found", async (t) => {
  const bench = recorded(t);
  const other = new SigningKey(join(bench.folder, "other.pem"));
  bench.tamper((database) => {
    const rows = rehash(readRows(database).map(edited(middle)), middle);
    replaceRows(database, rows);
    putSignedHead(database, other.sign(rows.at(-1) as RunEvent, "2026-01-01T00:00:00.000Z"));
  });
  assert.deepEqual(kindsOf(await bench.verified()), [["unsigned", 50]]);
  bench.tamper((database) => {
    database.prepare("update signed_head set key_id = ?").run(bench.key.publicKey.id);
  });
  assert.deepEqual(kindsOf(await bench.verified()), [["unsigned", 50]]);
});

test("an edit of any column of the signed head is found", async (t) => {
  const values = {
    seq: "49",
    hash: "'x'",
    time: "'2027'",
    key_id: "'0123456789abcdef'",
    signature: "'AAAA'",
  };
  for (const [column, value] of Object.entries(values)) {
    const bench = recorded(t);
    bench.tamper((database) => database.exec(`update signed_head set ${column} = ${value}`));
    assert.deepEqual(kindsOf(await bench.verified()), [["unsigned", column === "seq" ? 49 : 50]], column);
  }
});

test("a signed head that was removed is found", async (t) => {
  const bench = recorded(t);
  bench.tamper((database) => database.exec("delete from signed_head"));
  const { faults, unsigned_rows } = await bench.verified();
  assert.deepEqual(faults, [{ kind: "unsigned", seq: 50, problem: "the record has no signed head" }]);
  assert.equal(unsigned_rows, 50);
});

test("a payload that was edited, exchanged or put where none was is found", async (t) => {
  const edits = {
    before: `update payloads set before = '{}' where seq = ${middle}`,
    after: `update payloads set after = '{}' where seq = ${middle}`,
    exchanged: `update payloads set before = (select before from payloads where seq = 1) where seq = ${middle}`,
    "put in": `insert into payloads values (8, '{}', null)`,
  };
  for (const [what, edit] of Object.entries(edits)) {
    const bench = recorded(t);
    bench.tamper((database) => database.exec(edit));
    assert.deepEqual(kindsOf(await bench.verified()), [["payload", what === "put in" ? 8 : middle]], what);
  }
});

test("payloads that have expired leave the record intact", async (t) => {
  const bench = recorded(t);
  const store = bench.open();
  assert.equal(await store.expirePayloads(new Date(bench.clock.now() + 1).toISOString()), 41);
  await store.close();
  const { is_intact, rows, payloads_checked } = await bench.verified();
  assert.deepEqual({ is_intact, rows, payloads_checked }, { is_intact: true, rows: 50, payloads_checked: 0 });
});

test("rows a crash left unsigned are intact, and counted", async (t) => {
  const bench = recorded(t);
  const store = bench.open();
  const crashed = bench.recorder(store);
  await Promise.all(fifty.slice(0, 3).map((each, at) => crashed.record({ ...each, id: `evt_tail${at}` })));
  await store.close();
  const { is_intact, rows, signed_seq, unsigned_rows } = await bench.verified();
  assert.deepEqual(
    { is_intact, rows, signed_seq, unsigned_rows },
    { is_intact: true, rows: 53, signed_seq: 50, unsigned_rows: 3 },
  );
});

test("a crash before anything was ever signed leaves an intact record", async (t) => {
  const bench = new RecordBench(t);
  const store = bench.open();
  await bench.recorder(store).record(fifty[0] ?? assert.fail());
  await store.close();
  const { is_intact, signed_seq, unsigned_rows } = await bench.verified();
  assert.deepEqual(
    { is_intact, signed_seq, unsigned_rows },
    { is_intact: true, signed_seq: 0, unsigned_rows: 1 },
  );
});

test("a record put back to an older copy of itself is found by an anchor", async (t) => {
  const bench = recorded(t);
  const copy = join(bench.folder, "older.db");
  copyFileSync(bench.file, copy);
  const older = await headOf(bench);
  await bench.recorded(fifty.map((each, at) => ({ ...each, id: `evt_later${at}` })));
  const anchor = await headOf(bench);
  assert.equal((await bench.verified([older, anchor])).is_intact, true);
  copyFileSync(copy, bench.file);
  assert.equal((await bench.verified()).is_intact, true, "without the anchor nothing tells");
  assert.deepEqual((await bench.verified([older, anchor])).faults, [
    { kind: "truncated", seq: 100, problem: "row 100 was anchored, the record ends at row 50" },
  ]);
});

test("a record put back and written on from there is found by an anchor", async (t) => {
  const bench = recorded(t);
  const copy = join(bench.folder, "older.db");
  copyFileSync(bench.file, copy);
  await bench.recorded([{ ...(fifty[0] ?? assert.fail()), id: "evt_real" }]);
  const anchor = await headOf(bench);
  copyFileSync(copy, bench.file);
  await bench.recorded([{ ...(fifty[0] ?? assert.fail()), id: "evt_other" }]);
  assert.equal((await bench.verified()).is_intact, true, "without the anchor nothing tells");
  const rewritten = [{ kind: "rewritten", seq: 51, problem: "row 51 is not the one that was anchored" }];
  assert.deepEqual((await bench.verified([anchor])).faults, rewritten);
  const now = await headOf(bench);
  assert.deepEqual(
    (await bench.verified([anchor, now])).faults,
    rewritten,
    "two anchors of one row are both held to",
  );
  assert.deepEqual((await bench.verified([now, anchor])).faults, rewritten);
});

test("an anchor of the empty record fits every record", async (t) => {
  assert.equal((await recorded(t).verified([{ seq: 0, hash: genesisHash }])).is_intact, true);
});

test("no more than the first hundred faults are told, however many there are", async (t) => {
  const bench = recorded(t);
  bench.tamper((database) =>
    database.exec("update run_events set reason = 'x', prev_hash = 'y', hash = 'z'"),
  );
  await bench.verified();
  bench.tamper((database) => database.exec("update payloads set before = 'x', after = 'y'"));
  const { faults, rows } = await bench.verified();
  assert.deepEqual([faults.length, rows], [100, 50]);
});

test("a record is verified while others write it", async (t) => {
  const bench = recorded(t);
  const store = bench.open();
  const recorder = bench.recorder(store);
  let isDone = false;
  const writing = (async () => {
    for (let turn = 0; !isDone; turn++) {
      await recorder.record({ ...(fifty[0] ?? assert.fail()), id: `evt_w${turn}` });
      if (turn % 5 === 0) await bench.clock.advance(100);
    }
  })();
  for (let turn = 0; turn < 10; turn++) assert.deepEqual((await bench.verified()).faults, []);
  isDone = true;
  await writing;
  await recorder.close();
});

function edited(seq: number) {
  return (row: RunEvent): RunEvent => (row.seq === seq ? { ...row, reason: "was fine" } : row);
}

async function headOf(bench: RecordBench): Promise<SignedHead> {
  const store = bench.open();
  const head = await store.signedHead();
  await store.close();
  return head ?? assert.fail("nothing is signed");
}
