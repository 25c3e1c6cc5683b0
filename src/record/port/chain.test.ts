import assert from "node:assert/strict";
import { test } from "node:test";
import { genesisHash, type RunEvent } from "./run-event.ts";
import { entry, handler } from "../../store/port/store-harness.cases.ts";
import { chainRow, rowFieldCount, rowHash, sha256 } from "./chain.ts";

const told = entry({
  id: "evt_1",
  kind: "emit",
  event: "tool.before",
  ref: "evt_0",
  actor: "agent:builder",
  session: "s1",
  agent: "builder",
  task: "t1",
  cwd: "/work",
  source: "codex",
  verdict: "deny",
  reason: "no “force” push 🚫",
  hook: "no-force-push",
  hook_digest: "d0",
  ms: 12.345,
  outcome: "denied",
  handlers: [handler()],
  before: '{"a":1}',
  after: '{"a":2}',
});
const start = { seq: 0, hash: genesisHash };
const { row } = chainRow(start, told);

test("a row's hash has a known answer: records that were written stay verifiable", () => {
  assert.deepEqual(row, {
    seq: 1,
    id: "evt_1",
    time: "2026-01-02T03:04:05.678Z",
    kind: "emit",
    event: "tool.before",
    ref: "evt_0",
    actor: "agent:builder",
    session: "s1",
    agent: "builder",
    task: "t1",
    cwd: "/work",
    source: "codex",
    verdict: "deny",
    reason: "no “force” push 🚫",
    hook: "no-force-push",
    hook_digest: "d0",
    ms: 12.345,
    outcome: "denied",
    handlers: [
      {
        name: "no-force-push",
        kind: "command",
        mode: "guard",
        status: "completed",
        verdict: "allow",
        reason: null,
        ms: 1.25,
        hook_id: "hook_1",
        digest: "d1",
      },
    ],
    before_hash: "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862",
    after_hash: "7e8059f495589fcd981232cc11d00b00da3802c01d688fa1cf1f6bed6e5bb33c",
    prev_hash: genesisHash,
    hash: "290695ed79d1de2d855a7c362517352fe0c6e1bc67654d9a4d6ea9641c871472",
  });
});

test("every field of a row is in its hash", () => {
  const { hash, ...hashed } = row;
  assert.equal(rowHash(row), hash);
  for (const [field, value] of Object.entries(hashed)) {
    const others: unknown[] = [null, "x", "", 7, [], `${String(value)} `];
    for (const other of others.filter((each) => each !== value)) {
      const changed = { ...row, [field]: other } as RunEvent;
      assert.notEqual(rowHash(changed), hash, `${field} changed to ${JSON.stringify(other)}`);
    }
  }
  assert.equal(Object.keys(row).length, rowFieldCount);
});

test("every field of a handler is in the hash of its row", () => {
  for (const [field, value] of Object.entries(handler())) {
    for (const other of [null, "x", 7].filter((each) => each !== value)) {
      const changed = { ...row, handlers: [{ ...handler(), [field]: other }] } as RunEvent;
      assert.notEqual(rowHash(changed), row.hash, `${field} changed to ${other}`);
    }
  }
  assert.notEqual(rowHash({ ...row, handlers: [] }), row.hash);
  assert.notEqual(rowHash({ ...row, handlers: [handler(), handler()] }), row.hash);
});

test("a value that moves to the field beside it changes the hash", () => {
  const moved = {
    ...row,
    session: null,
    agent: row.session,
    task: row.agent,
    cwd: row.task,
    source: row.cwd,
  };
  assert.notEqual(rowHash(moved), row.hash);
  const joined = { ...row, agent: `${row.agent}","${row.task}`, task: null };
  assert.notEqual(rowHash(joined), row.hash);
});

test("the order in which a row's fields were put together does not matter", () => {
  assert.equal(rowHash(Object.fromEntries(Object.entries(row).reverse()) as unknown as RunEvent), row.hash);
});

test("a row that was written and read as JSON has the same hash", () => {
  assert.equal(rowHash(JSON.parse(JSON.stringify(row)) as RunEvent), row.hash);
});

test("rows are linked by the hash of the one before", () => {
  const { row: second } = chainRow(row, entry());
  assert.deepEqual([second.seq, second.prev_hash], [2, row.hash]);
});

test("a payload is hashed into its row and kept beside it, unless it is long", () => {
  assert.deepEqual(chainRow(start, told).payload, { before: '{"a":1}', after: '{"a":2}' });
  assert.equal(chainRow(start, entry()).payload, null);
  const fits = "x".repeat(256 * 1024);
  assert.deepEqual(chainRow(start, entry({ before: fits })).payload, { before: fits, after: null });
  const long = chainRow(start, entry({ before: fits, after: "x" }));
  assert.deepEqual(
    [long.payload, long.row.before_hash, long.row.after_hash],
    [null, sha256(fits), sha256("x")],
  );
});
