import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../../store/port/store.ts";
import { caughtUpStore } from "./caught-up-store.ts";
import { RecordBench } from "./harness.cases.ts";

test("every method of the store waits for what was acknowledged, but those that it cannot change", async (t) => {
  const store = new RecordBench(t).open();
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(store)).filter(
    (name) => name !== "constructor",
  );
  const calls: string[] = [];
  const recording = Object.fromEntries(names.map((name) => [name, () => Promise.resolve(calls.push(name))]));
  const ahead = {
    catchUp: () => Promise.resolve().then(() => void calls.push("caught up")),
    trim: () => Promise.resolve().then(() => void calls.push("trimmed")),
  };
  const seen = caughtUpStore(recording as unknown as Store, ahead);
  const before: Record<string, string | undefined> = {};
  for (const name of names) {
    calls.length = 0;
    await (seen[name as keyof Store] as () => Promise<unknown>)();
    assert.equal(calls.at(-1), name);
    before[name] = calls.at(-2);
  }
  const others = Object.entries(before).filter(([, first]) => first !== "caught up");
  assert.deepEqual(Object.fromEntries(others), {
    saveSignedHead: undefined,
    replaceSignedHead: undefined,
    listHookSwitches: undefined,
    close: undefined,
    expirePayloads: "trimmed",
  });
  assert.ok(names.length > 20);
});

test("a part that is given takes the place of the store's own", (t) => {
  const store = new RecordBench(t).open();
  const flags = { list: () => Promise.resolve([]) };
  const seen = caughtUpStore(store, { catchUp: () => null, trim: () => Promise.resolve() }, { flags });
  assert.equal(seen.flags, flags);
  assert.equal(seen.tokens, store.tokens);
  assert.equal(seen.url, store.url);
});
