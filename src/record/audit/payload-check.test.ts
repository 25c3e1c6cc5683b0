import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "../port/run-event.ts";
import { entry } from "../../store/port/store-harness.cases.ts";
import { chainRow } from "../port/chain.ts";
import { forgottenReason, PayloadCheck } from "./payload-check.ts";

const day = (count: number) => new Date(Date.UTC(2026, 0, count)).toISOString();
const before = { before: "{}", after: null };

function row(seq: number, changes: Parameters<typeof entry>[0]): RunEvent {
  return chainRow({ seq: seq - 1, hash: "" }, entry({ before: "{}", ...changes })).row;
}

const expired = (seq: number, olderThan: string) =>
  row(seq, {
    kind: "change",
    event: "payloads.expired",
    before: null,
    time: day(300),
    reason: forgottenReason("3 payloads", olderThan, 90),
  });

test("a payload is missed unless a row after it says that it was forgotten", () => {
  const check = new PayloadCheck();
  check.add({ row: row(1, { time: day(1) }), payload: null }, () => true);
  check.add({ row: row(2, { time: day(2) }), payload: before }, () => true);
  check.add({ row: row(3, { time: day(3) }), payload: { before: null, after: null } }, () => true);
  check.add({ row: row(4, { time: day(4) }), payload: null }, () => false);
  check.add({ row: row(5, { time: day(5), before: null }), payload: null }, () => true);
  check.add({ row: row(6, { time: day(6), after: "{}" }), payload: before }, () => true);
  assert.deepEqual(check.missing(), [1, 3, 6]);
  check.add({ row: expired(7, day(3)), payload: null }, () => true);
  assert.deepEqual(check.missing(), [3, 6]);
  check.add({ row: expired(8, day(2)), payload: null }, () => true);
  assert.deepEqual(check.missing(), [3, 6], "an earlier one does not bring them back");
  check.add({ row: expired(9, day(7)), payload: null }, () => true);
  assert.deepEqual(check.missing(), []);
});

test("only a row of the retention counts as one, and many are known by the newest", () => {
  const check = new PayloadCheck();
  for (let seq = 1; seq <= 5_000; seq++)
    check.add({ row: row(seq, { time: day(seq === 17 ? 400 : 1) }), payload: null }, () => true);
  const said = {
    kind: "change",
    event: "flag.set",
    reason: forgottenReason("1 payloads", day(500), 0),
    before: null,
  } as const;
  check.add({ row: row(5_001, said), payload: null }, () => true);
  assert.equal(check.missing().length, 100);
  check.add({ row: expired(5_002, day(2)), payload: null }, () => true);
  assert.deepEqual(check.missing(), [17]);
});
