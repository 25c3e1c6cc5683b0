import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredPayload } from "./store.ts";
import {
  allRows,
  append,
  entry,
  numbers,
  openerFor,
  openOne,
  type PrepareStore,
} from "./store-harness.cases.ts";

const day = (count: number) => new Date(Date.UTC(2026, 0, count)).toISOString();

export function payloadCases(prepare: PrepareStore): void {
  test("keeps the payloads of rows that have one, beside the rows", async (t) => {
    const store = await openOne(t, prepare);
    await append(store, [
      entry({ before: '{"a":1}' }),
      entry(),
      entry({ before: '{"a":1}', after: '{"a":2}' }),
      entry({ before: "", after: null }),
    ]);
    const kept = [
      { seq: 1, before: '{"a":1}', after: null },
      { seq: 3, before: '{"a":1}', after: '{"a":2}' },
      { seq: 4, before: "", after: null },
    ];
    assert.deepEqual(await store.readPayloads(0, 10), kept);
    assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map((seq) => store.findPayload(seq))), [
      kept[0],
      null,
      kept[1],
      kept[2],
      null,
    ]);
  });

  test("has its payloads read in the order of their rows, some at a time", async (t) => {
    const store = await openOne(t, prepare);
    await append(
      store,
      numbers(1, 25).map((count) => entry({ before: count % 2 === 1 ? `{"n":${count}}` : null })),
    );
    const seen: StoredPayload[] = [];
    for (let page = await store.readPayloads(0, 4); page.length > 0; ) {
      seen.push(...page);
      page = await store.readPayloads(page.at(-1)?.seq ?? 0, 4);
    }
    assert.deepEqual(
      seen.map(({ seq, before }) => [seq, before]),
      numbers(0, 12).map((half) => [2 * half + 1, `{"n":${2 * half + 1}}`]),
    );
  });

  test("forgets the payloads of rows older than a time, and no row", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    const rows = await append(store, [
      entry({ time: day(1), before: '{"n":1}' }),
      entry({ time: day(2) }),
      entry({ time: day(3), before: '{"n":3}', after: "{}" }),
      entry({ time: day(4), before: '{"n":4}' }),
      entry({ time: day(2), before: '{"n":5}' }), // a clock that was set back
    ]);
    assert.equal(await store.expirePayloads(day(1)), 0);
    assert.deepEqual([await store.countExpiring(day(1)), await store.countExpiring(day(4))], [0, 3]);
    assert.equal(await store.expirePayloads(day(4)), 3);
    assert.deepEqual(await store.readPayloads(0, 10), [{ seq: 4, before: '{"n":4}', after: null }]);
    assert.equal(await store.findPayload(3), null);
    assert.deepEqual(await allRows(store), rows);
    assert.equal(await store.expirePayloads(day(4)), 0);
    await store.close();
    assert.equal((await (await open()).readPayloads(0, 10)).length, 1);
  });

  test("forgets old payloads wherever they are in a long record", async (t) => {
    const store = await openOne(t, prepare);
    const old = new Set([1, 4_095, 4_096, 8_500]);
    await append(
      store,
      numbers(1, 9_000).map((count) => entry({ time: day(old.has(count) ? 1 : 3), before: "{}" })),
    );
    assert.equal(await store.countExpiring(day(2)), 4);
    assert.equal(await store.expirePayloads(day(2)), 4);
    const kept = (await store.readPayloads(0, 9_000)).map(({ seq }) => seq);
    assert.deepEqual(
      kept,
      numbers(1, 9_000).filter((seq) => !old.has(seq)),
    );
  });
}
