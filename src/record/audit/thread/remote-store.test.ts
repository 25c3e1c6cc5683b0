import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../../store/open-store.ts";
import { storeCases } from "../../../store/port/store.cases.ts";
import type { Store } from "../../../store/port/store.ts";
import { temporaryFile } from "../../../store/sqlite/harness.cases.ts";
import { receivedError, sentError } from "./messages.ts";
import { callStore, methodsOf, remoteStore } from "./remote-store.ts";

/** What a thread does with a store, in this one: whatever goes there or comes back is copied as it is between threads. */
function remote(store: Store): Store {
  const methods = structuredClone(methodsOf(store));
  return remoteStore(store.url, methods, async (work) => {
    try {
      return structuredClone(await callStore(store, methods, structuredClone(work)));
    } catch (error) {
      throw receivedError(structuredClone(sentError(error)));
    }
  });
}

const skipSeals = "rows are sealed in the thread that writes them; record-thread.test.ts looks at those";

storeCases(
  "SQLite in another thread",
  (t) => {
    const file = temporaryFile(t);
    return async () => remote(await openStore(file));
  },
  skipSeals,
);

test("a method that the store has not named is not called", async (t) => {
  const store = await openStore(temporaryFile(t));
  t.after(() => store.close());
  const methods = methodsOf(store);
  for (const [part, method] of [
    [null, "constructor"],
    ["tokens", "hasOwnProperty"],
    ["url", "at"],
  ] as const)
    assert.throws(() => callStore(store, methods, { kind: "store", part, method, args: [] }), /no method/);
});
