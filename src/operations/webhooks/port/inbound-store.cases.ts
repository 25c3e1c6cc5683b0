import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../../../store/port/store.ts";
import {
  allRows,
  append,
  entry,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";

const receive = (store: Store, source: string, id: string, receivedAtMs = 1_000) =>
  append(store, [entry()], [{ kind: "inbound_message", source, id, receivedAtMs }]);

export function inboundCases(prepare: PrepareStore): void {
  test("a message is taken once from its source, after the store was closed too", async (t) => {
    const open = await openerFor(t, prepare);
    const first = await open();
    await receive(first, "relay", "msg_1");
    await first.close();
    const store = await open();
    await assert.rejects(receive(store, "relay", "msg_1"), { code: "SWARM_INBOUND_REPLAYED" });
    await receive(store, "other", "msg_1");
    await receive(store, "relay", "msg_2");
    assert.equal((await allRows(store)).length, 3);
    const known = await Promise.all(
      ["msg_1", "msg_2", "msg_3"].map((id) => store.inbound.isKnown("relay", id)),
    );
    assert.deepEqual(known, [true, true, false]);
  });

  test("of stores that take a message at once one does", async (t) => {
    const open = await openerFor(t, prepare);
    const stores = await Promise.all([open(), open(), open()]);
    const ends = await Promise.allSettled(stores.map((store) => receive(store, "relay", "msg_1")));
    assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected", "rejected"]);
  });

  test("ids from before a time are forgotten", async (t) => {
    const store = await openOne(t, prepare);
    await receive(store, "relay", "old", 999);
    await receive(store, "relay", "young", 1_000);
    assert.equal(await store.inbound.expire(1_000), 1);
    assert.deepEqual(
      [await store.inbound.isKnown("relay", "old"), await store.inbound.isKnown("relay", "young")],
      [false, true],
    );
  });
}
