import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import { isPayloadKept } from "../../record/port/chain.ts";
import {
  allRows,
  append,
  assertChained,
  entry,
  handler,
  openOne,
  type PrepareStore,
} from "./store-harness.cases.ts";

const texts: Readonly<Record<string, string>> = {
  "an empty text": "",
  quotes: `'"\`''""--/*`,
  "an injection": "'; drop table run_events; --",
  "a parameter": ":session ?1 $1 @x",
  wildcards: "%_*?[a]",
  "backslashes and line ends": "\\n\\\\ \n\r\n\t\u2028\u2029",
  "control characters": "\u0001\u001b[31m\u007f\u0085",
  emoji: "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 \u{10ffff}",
  "right to left": "\u202eשלום\u202c \ufeff",
  "letters that compose": "e\u0301 é \u212b",
  "a NUL": "a\u0000b",
  "a high surrogate alone": "a\ud83d",
  "a low surrogate alone": "\ude00b",
  "what stands for a broken character": "\ufffd",
  "a megabyte": `${"x".repeat(1_000_000)}ü`,
  "a number": "0123",
  "a big number": "9007199254740993",
  null: "null",
};

/** Text comes from models, users and other programs. None of it may be changed, lost or obeyed. */
export function textCases(prepare: PrepareStore): void {
  for (const [what, text] of Object.entries(texts)) {
    test(`gives back ${what} as it was written, or refuses it`, async (t) => {
      const store = await openOne(t, prepare);
      const hookSwitch = { hook_id: text, is_enabled: true, time: text, actor: text };
      const hostile = entry({
        id: text,
        time: text,
        event: text,
        ref: text,
        actor: text,
        session: text,
        agent: text,
        task: text,
        cwd: text,
        source: text,
        reason: text,
        hook: text,
        hook_digest: text,
        handlers: [handler({ name: text, kind: text, reason: text, hook_id: text, digest: text })],
        before: text,
        after: text,
      });
      try {
        await append(store, [hostile], [{ kind: "hook_switch", row: hookSwitch }]);
      } catch (error) {
        assert.ok(error instanceof SwarmError && error.code === "SWARM_STORE_FAILED", String(error));
        assert.deepEqual([await allRows(store), await store.listHookSwitches()], [[], []]);
        await append(store, [entry()]);
        await assertChained(store, 1);
        return;
      }
      const { before: _before, after: _after, ...told } = hostile;
      const rows = await allRows(store);
      const {
        seq: _seq,
        before_hash: _b,
        after_hash: _a,
        prev_hash: _p,
        hash: _h,
        ...kept
      } = rows[0] ?? { seq: 0 };
      assert.deepEqual(kept, told);
      assert.deepEqual(await store.findRunEvent(text), rows[0]);
      // A payload that is too long is not handed to the store at all.
      if (text.length < 1_000)
        assert.deepEqual(await store.findPayload(1), { seq: 1, before: text, after: text });
      assert.deepEqual(
        await store.listRunEvents({ limit: 2, session: text, event: text, hookId: text }),
        rows,
      );
      assert.equal((await store.listSessions({ limit: 2 }))[0]?.session, text);
      assert.equal((await store.listHookRuns(text, { limit: 2 }))[0]?.reason, text);
      assert.equal((await store.hookTotals(text)).last_reason, text);
      assert.deepEqual(await store.listHookSwitches(), [hookSwitch]);
      await append(store, [entry({ id: "evt_next" })]);
      await assertChained(store, 2);
    });

    test(`gives back a payload with ${what} as it was written, or refuses it`, async (t) => {
      const store = await openOne(t, prepare);
      const payload = { before: text, after: `${text}${text}` };
      try {
        await append(store, [entry(payload)]);
      } catch (error) {
        assert.ok(error instanceof SwarmError && error.code === "SWARM_STORE_FAILED", String(error));
        assert.deepEqual(await allRows(store), []);
        return;
      }
      const kept = isPayloadKept(payload) ? [{ seq: 1, ...payload }] : [];
      assert.deepEqual(await store.findPayload(1), kept[0] ?? null);
      assert.deepEqual(await store.readPayloads(0, 1), kept);
    });
  }
}
