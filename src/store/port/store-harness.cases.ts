import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { newId } from "../../base/ids.ts";
import type { RecordedHandler, RunEntry, RunEvent } from "../../record/port/run-event.ts";
import type { Store, StoreChange } from "./store.ts";

/** Opens the same data again each time it is called. */
export type OpenStore = () => Promise<Store>;

/** Makes data for one test; the driver removes it when the test is over. */
export type PrepareStore = (t: TestContext) => OpenStore | Promise<OpenStore>;

/** The data of one test. Every store that was opened on it is closed when the test ends. */
export async function openerFor(t: TestContext, prepare: PrepareStore): Promise<OpenStore> {
  const opened: Store[] = [];
  t.after(() => Promise.all(opened.map((store) => store.close())));
  const open = await prepare(t);
  return async () => {
    const store = await open();
    opened.push(store);
    return store;
  };
}

export async function openOne(t: TestContext, prepare: PrepareStore): Promise<Store> {
  return (await openerFor(t, prepare))();
}

export function entry(changes: Partial<RunEntry> = {}): RunEntry {
  return {
    id: newId("evt"),
    time: "2026-01-02T03:04:05.678Z",
    kind: "emit",
    event: "tool.before",
    ref: null,
    actor: "agent:builder",
    session: null,
    agent: null,
    task: null,
    cwd: null,
    source: null,
    verdict: "none",
    reason: null,
    hook: null,
    hook_digest: null,
    ms: 0,
    outcome: "completed",
    handlers: [],
    before: null,
    after: null,
    ...changes,
  };
}

export function handler(changes: Partial<RecordedHandler> = {}): RecordedHandler {
  return {
    name: "no-force-push",
    kind: "command",
    mode: "guard",
    status: "completed",
    verdict: "allow",
    reason: null,
    ms: 1.25,
    hook_id: "hook_1",
    digest: "d1",
    ...changes,
  };
}

/** Appends the entries in one transaction and tells which rows they became. */
export function append(
  store: Store,
  entries: readonly RunEntry[],
  changes: readonly StoreChange[] = [],
): Promise<RunEvent[]> {
  return store.append(
    entries.map((each) => ({ entry: each })),
    changes,
  );
}

export function allRows(store: Store): Promise<RunEvent[]> {
  return store.readRunEvents(0, 1_000_000);
}

export function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The rows are 1, 2, 3 … and each holds the hash of the one before it. */
export async function assertChained(store: Store, count: number): Promise<void> {
  const rows = await allRows(store);
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    numbers(1, count),
  );
  assert.deepEqual(
    rows.slice(1).map(({ prev_hash }) => prev_hash),
    rows.slice(0, -1).map(({ hash }) => hash),
  );
}
