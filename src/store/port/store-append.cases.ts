import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import { chainRow } from "../../record/port/chain.ts";
import { genesisHash, type RunEvent } from "../../record/port/run-event.ts";
import type { Head, SignedHead, Store } from "./store.ts";
import {
  allRows,
  append,
  assertChained,
  entry,
  handler,
  openerFor,
  openOne,
  type PrepareStore,
} from "./store-harness.cases.ts";

const hookSwitch = {
  hook_id: "hook_1",
  is_enabled: false,
  time: "2026-01-01T00:00:00.000Z",
  actor: "human:ada",
};

const full = entry({
  id: "evt_full",
  kind: "outcome",
  event: "merge.started",
  ref: "evt_other",
  session: "s1",
  agent: "builder",
  task: "t1",
  cwd: "/work",
  source: "claude-code",
  verdict: "deny",
  reason: "not now",
  hook: "freeze",
  hook_digest: "d0",
  ms: 12.345,
  outcome: "denied",
  handlers: [
    handler(),
    handler({ name: "freeze", hook_id: null, digest: null, status: "denied", reason: "not now" }),
  ],
  before: '{"a":1}',
  after: '{"a":2}',
});

function signed(seq: number, changes: Partial<SignedHead> = {}): SignedHead {
  const hash = String(seq).repeat(64).slice(0, 64);
  return { seq, hash, time: "2026-01-01T00:00:00.000Z", key_id: "k1", signature: `of ${seq}`, ...changes };
}

export function appendCases(prepare: PrepareStore, skip: string | false = false): void {
  test("is empty at first", async (t) => {
    const store = await openOne(t, prepare);
    assert.deepEqual(await store.head(), { seq: 0, hash: genesisHash });
    assert.equal(await store.signedHead(), null);
    assert.deepEqual(await allRows(store), []);
    assert.deepEqual(await store.listRunEvents({ limit: 10 }), []);
    assert.deepEqual(await store.listHookSwitches(), []);
  });

  test("gives back the rows as they were written, every field of them", async (t) => {
    const store = await openOne(t, prepare);
    const rows = await append(store, [full, entry()]);
    assert.deepEqual(await allRows(store), rows);
    assert.deepEqual(await store.head(), { seq: 2, hash: rows[1]?.hash });
  });

  test("tells whether the rows after one follow from it, however many they are", async (t) => {
    const store = await openOne(t, prepare);
    const rows = await append(
      store,
      Array.from({ length: 2_500 }, () => entry()),
    );
    const [first, , third] = rows;
    const start = { seq: 0, hash: genesisHash };
    for (const row of [start, first ?? start, rows.at(-1) ?? start])
      assert.equal(await store.isChainedAfter(row), true, String(row.seq));
    assert.equal(await store.isChainedAfter({ seq: 1, hash: third?.hash ?? "" }), false);
    assert.equal(await store.isChainedAfter({ seq: 0, hash: "1".repeat(64) }), false);
  });

  test("has the rows of the next call follow the head of the last", async (t) => {
    const store = await openOne(t, prepare);
    const calls = [];
    for (let call = 0; call < 3; call++) calls.push(await append(store, [entry(), entry()]));
    const rows = await allRows(store);
    assert.deepEqual(calls.flat(), rows);
    assert.deepEqual(
      calls.map(([first]) => ({ seq: first?.seq, hash: first?.prev_hash })),
      [
        { seq: 1, hash: genesisHash },
        { seq: 3, hash: rows[1]?.hash },
        { seq: 5, hash: rows[3]?.hash },
      ],
    );
    await assertChained(store, 6);
  });

  test("chains as the record does, to the byte, and seals what it has chained", { skip }, async (t) => {
    const store = await openOne(t, prepare);
    const sealOf = ({ seq, hash }: RunEvent) => ({ mac: `mac of ${seq} ${hash}`, state: `state ${seq}` });
    const entries = [full, entry({ before: "x".repeat(300_000) }), entry({ after: "{}" })];
    const made = await store.append(entries.map((each) => ({ entry: each, seal: sealOf })));
    let head: Head = { seq: 0, hash: genesisHash };
    for (const [at, each] of entries.entries()) {
      const { row, payload } = chainRow(head, each);
      assert.deepEqual(made[at], row);
      assert.deepEqual(await store.findSealedRow(each.id), { row, seal: sealOf(row) });
      assert.deepEqual(await store.findPayload(row.seq), payload && { seq: row.seq, ...payload });
      head = row;
    }
  });

  test("writes nothing when there is nothing to write", async (t) => {
    const store = await openOne(t, prepare);
    assert.deepEqual(await store.append([]), []);
    assert.deepEqual(await store.head(), { seq: 0, hash: genesisHash });
  });

  test("writes nothing when a row cannot be sealed, and passes on why", { skip }, async (t) => {
    const store = await openOne(t, prepare);
    const mistake = new Error("no rows today");
    const seal = () => {
      throw mistake;
    };
    const failing = store.append(
      [{ entry: entry() }, { entry: entry(), seal }],
      [{ kind: "hook_switch", row: hookSwitch }],
    );
    await assert.rejects(failing, (error) => error === mistake);
    assert.deepEqual([await allRows(store), await store.listHookSwitches()], [[], []]);
    await append(store, [entry()]);
    await assertChained(store, 1);
  });

  test("writes nothing of a group with an id that is taken", async (t) => {
    const store = await openOne(t, prepare);
    const [first] = await append(store, [entry({ id: "evt_first" })]);
    const group = [entry({ before: "{}", handlers: [handler()] }), entry()];
    const failing = append(
      store,
      [group[0] ?? entry(), entry({ id: "evt_first" })],
      [{ kind: "hook_switch", row: hookSwitch }],
    );
    await assert.rejects(failing, { code: "SWARM_STORE_FAILED" });
    assert.deepEqual(await allRows(store), [first]);
    assert.deepEqual(await store.readPayloads(0, 10), []);
    assert.deepEqual(await store.listHookRuns("hook_1", { limit: 10 }), []);
    assert.deepEqual(await store.listHookSwitches(), []);
    await append(store, group);
    await assertChained(store, 3);
  });

  test("never lets two that have it open follow the same head", async (t) => {
    const open = await openerFor(t, prepare);
    const stores = [await open(), await open(), await open()];
    const calls = Array.from({ length: 60 }, (_, call) => call);
    await Promise.all(
      calls.map((call) => append(stores[call % stores.length] as Store, [entry(), entry()].slice(call % 2))),
    );
    for (const store of stores) await assertChained(store, 90);
  });

  test("shows a row to everybody once it is acknowledged", async (t) => {
    const open = await openerFor(t, prepare);
    const [one, other] = [await open(), await open()];
    for (let turn = 0; turn < 5; turn++) {
      const [row] = await append(one, [entry()]);
      assert.deepEqual(await other.findRunEvent(row?.id ?? ""), row);
      assert.deepEqual(await other.head(), { seq: row?.seq, hash: row?.hash });
    }
  });

  test("keeps everything when it is closed and opened again", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    const rows = await append(
      store,
      [full, entry({ kind: "intent", outcome: "open" })],
      [{ kind: "hook_switch", row: hookSwitch }],
    );
    await store.saveSignedHead(signed(2));
    const look = async (from: Store) => ({
      rows: await allRows(from),
      head: await from.head(),
      signed: await from.signedHead(),
      payload: await from.findPayload(1),
      switches: await from.listHookSwitches(),
      runs: await from.listHookRuns("hook_1", { limit: 10 }),
      intents: await from.openIntents(10),
      sessions: await from.listSessions({ limit: 10 }),
    });
    const before = await look(store);
    await store.close();
    const again = await open();
    assert.deepEqual(await look(again), before);
    assert.deepEqual(before.rows, rows);
    await append(again, [entry()]);
    await assertChained(again, 3);
  });

  test("syncs whether or not there is anything to sync, from many callers at once", async (t) => {
    const store = await openOne(t, prepare);
    await store.sync();
    await append(store, [entry()]);
    await Promise.all([store.sync(), store.sync(), append(store, [entry()]), store.sync()]);
    await assertChained(store, 2);
  });

  test("keeps the newer of two signed heads, whichever is saved last", async (t) => {
    const open = await openerFor(t, prepare);
    const [store, other] = [await open(), await open()];
    await store.saveSignedHead(signed(0));
    assert.deepEqual(await other.signedHead(), signed(0));
    await store.saveSignedHead(signed(5));
    await other.saveSignedHead(signed(4));
    assert.deepEqual(await store.signedHead(), signed(5));
    await other.saveSignedHead(signed(6));
    assert.deepEqual(await store.signedHead(), signed(6));
  });

  test("can be closed twice, and while it syncs", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    await append(store, [entry()]);
    const synced = store.sync();
    await Promise.all([store.close(), store.close()]);
    await synced;
    await store.close();
    await assertChained(await open(), 1);
  });

  test("refuses everything after it was closed, with an error of ours", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    await append(store, [entry()]); // whatever is prepared for an append is there by now
    await store.close();
    const calls: readonly (() => Promise<unknown>)[] = [
      () => append(store, [entry()]),
      () => store.sync(),
      () => store.head(),
      () => store.signedHead(),
      () => store.saveSignedHead(signed(1)),
      () => store.listRunEvents({ limit: 1 }),
      () => store.readRunEvents(0, 1),
      () => store.findRunEvent("evt_1"),
      () => store.openIntents(1),
      () => store.findPayload(1),
      () => store.readPayloads(0, 1),
      () => store.expirePayloads("2026-01-01T00:00:00.000Z"),
      () => store.listSessions({ limit: 1 }),
      () => store.listHookRuns("hook_1", { limit: 1 }),
      () => store.hookTotals("hook_1"),
      () => store.listHookSwitches(),
    ];
    for (const call of calls) {
      await assert.rejects(
        call,
        (error) => error instanceof SwarmError && error.code === "SWARM_STORE_FAILED",
      );
    }
    await assertChained(await open(), 1);
  });
}
