import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { newTask } from "../new-task.ts";
import type { StoredTask, Task } from "./task.ts";
import type { Store } from "../../../store/port/store.ts";
import {
  append,
  entry,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";

const minute = (minutes: number): string => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();

function task(task_id: string, changes: Partial<Task> = {}): Task {
  const made = newTask({ goal: "do it" }, { task_id, actor: "human:ann", now: minute(0), cwd: "/p" });
  return { ...made, ...changes };
}

const row = () => entry({ kind: "change", event: "task.changed" });
const add = (store: Store, ...tasks: Task[]) => append(store, [row()], [{ kind: "tasks_added", tasks }]);
const save = (store: Store, saved: Task, isRewired = false) =>
  append(store, [row()], [{ kind: "task_saved", task: saved, isRewired }]);

async function change(store: Store, id: string, changes: Partial<Task>, isRewired = false): Promise<void> {
  const found = await store.tasks.find(id);
  assert.ok(found !== null);
  await save(store, { ...found, ...changes, revision: found.revision + 1 }, isRewired);
}

let reservations = 0;
function reserve(store: Store, now = minute(1), role: string | null = null, taskId: string | null = null) {
  const reservation = `r${++reservations}`;
  return store.tasks.reserve({ reservation, now, until: minute(100), role, taskId });
}
const ids = (tasks: readonly StoredTask[]): string[] => tasks.map(({ task_id }) => task_id);

/** What every driver does with tasks. */
export function taskStoreCases(driver: string, prepare: PrepareStore): void {
  suite(`tasks on ${driver}`, () => {
    rowCases(prepare);
    dependencyCases(prepare);
    reservationCases(prepare);
    leaseCases(prepare);
  });
}

function rowCases(prepare: PrepareStore): void {
  test("keeps a task with all that is said of it, over a restart", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    const said = { role: "backend", scope: ["src/a"], budget: { usd: 2 }, evidence: [{ what: "x" }] };
    const process = { owner_process: { place: "here", pid: 7, born: "12" }, owner: "agent:a", epoch: 3 };
    const whole = task("a", {
      ...said,
      ...process,
      state: "working",
      setbacks: [minute(1)],
      no_change: true,
    });
    await add(store, whole, task("b"));
    await store.close();
    const found = await (await open()).tasks.find("a");
    assert.deepEqual(found, { ...whole, seq: 1, unmet: 0 });
  });

  test("adds all of several tasks or none, with their row", async (t) => {
    const store = await openOne(t, prepare);
    await add(store, task("a"));
    await assert.rejects(add(store, task("b"), task("a")), {
      code: "SWARM_TASK_EXISTS",
      params: { task: "a" },
    });
    assert.deepEqual([ids(await store.tasks.list({ limit: 9 })), (await store.head()).seq], [["a"], 1]);
    await add(store, task("child", { parent: "top" }), task("top"));
    assert.deepEqual(ids(await store.tasks.descendants("top", 9)), ["child"]);
  });

  test("writes over the revision before it and over no other", async (t) => {
    const store = await openOne(t, prepare);
    await add(store, task("a"));
    const found = await store.tasks.find("a");
    assert.ok(found !== null);
    await save(store, { ...found, progress: "one", revision: 2 });
    const late = save(store, { ...found, progress: "two", revision: 2 });
    await assert.rejects(late, { code: "SWARM_TASK_CHANGED", params: { task: "a" } });
    assert.deepEqual((await store.tasks.find("a"))?.progress, "one");
    assert.equal((await store.head()).seq, 2, "a write that is refused has no row");
  });

  test("lists newest first, by what is asked for, some at a time", async (t) => {
    const store = await openOne(t, prepare);
    await add(store, task("a", { role: "x" }), task("b", { state: "failed" }), task("c", { parent: "a" }));
    const listed = async (query: object) => ids(await store.tasks.list({ limit: 9, ...query }));
    assert.deepEqual(await listed({}), ["c", "b", "a"]);
    assert.deepEqual(await listed({ limit: 1, beforeSeq: 3 }), ["b"]);
    assert.deepEqual(await listed({ state: "failed" }), ["b"]);
    assert.deepEqual(await listed({ role: "x" }), ["a"]);
    assert.deepEqual(await listed({ parent: "a" }), ["c"]);
    assert.deepEqual(await store.tasks.counts(), { failed: 1, open: 2 });
  });

  test("finds everything below a task, and nothing beside it", async (t) => {
    const store = await openOne(t, prepare);
    await add(store, task("a"), task("b", { parent: "a" }), task("c", { parent: "b" }), task("d"));
    assert.deepEqual(ids(await store.tasks.descendants("a", 9)), ["b", "c"]);
    assert.deepEqual(ids(await store.tasks.descendants("a", 1)), ["b"]);
    assert.deepEqual(ids(await store.tasks.descendants("d", 9)), []);
  });
}

function dependencyCases(prepare: PrepareStore): void {
  test("makes a task ready when the last of those it waits for has landed", async (t) => {
    const store = await openOne(t, prepare);
    await add(store, task("c", { depends_on: ["a", "b"] }), task("a"), task("b"));
    assert.deepEqual(ids(await store.tasks.ready(minute(1), null, 9)), ["a", "b"]);
    await change(store, "a", { state: "landed" });
    assert.deepEqual(ids(await store.tasks.unmetOf("c")), ["b"]);
    await change(store, "b", { state: "cancelled" });
    assert.equal(await reserve(store), null, "what was cancelled has not landed");
    await change(store, "b", { state: "landed" });
    assert.deepEqual(ids(await store.tasks.ready(minute(1), null, 9)), ["c"]);
    assert.equal((await reserve(store))?.task_id, "c");
  });

  test("follows what a task depends on, and takes other dependencies with its next write", async (t) => {
    const store = await openOne(t, prepare);
    await add(
      store,
      task("c", { depends_on: ["b"] }),
      task("b", { depends_on: ["a"] }),
      task("a"),
      task("d"),
    );
    const pairs = async (id: string) =>
      (await store.tasks.dependenciesOf(id)).map((one) => `${one.task_id}:${one.depends_on}`).sort();
    assert.deepEqual(await pairs("c"), ["b:a", "c:b"]);
    assert.deepEqual(ids(await store.tasks.dependentsOf("b")), ["c"]);
    await change(store, "c", { depends_on: ["d"] }, true);
    assert.deepEqual([await pairs("c"), (await store.tasks.find("c"))?.unmet], [["c:d"], 1]);
    await change(store, "c", { depends_on: [] }, true);
    assert.deepEqual([await pairs("c"), (await store.tasks.find("c"))?.unmet], [[], 0]);
  });
}

function reservationCases(prepare: PrepareStore): void {
  test("sets tasks aside by priority, then by age, each for one", async (t) => {
    const store = await openOne(t, prepare);
    await add(
      store,
      task("late", { ready_at: minute(1) }),
      task("old"),
      task("urgent", { priority: 0, ready_at: minute(1) }),
      task("future", { priority: 0, ready_at: minute(5) }),
    );
    const taken = [await reserve(store), await reserve(store), await reserve(store), await reserve(store)];
    assert.deepEqual(
      taken.map((one) => one?.task_id ?? null),
      ["urgent", "old", "late", null],
    );
    assert.equal((await reserve(store, minute(5)))?.task_id, "future");
    assert.equal((await reserve(store, minute(100)))?.task_id, "urgent", "a reservation ends");
    assert.equal((await store.tasks.find("old"))?.state, "open");
  });

  test("gives a role its own tasks and those of any role, in one order", async (t) => {
    const store = await openOne(t, prepare);
    const [first, second] = [{ role: "a", priority: 3 }, { priority: 2 }];
    await add(store, task("own", first), task("any", second), task("other", { role: "b", priority: 1 }));
    assert.deepEqual(ids(await store.tasks.ready(minute(1), "a", 9)), ["any", "own"]);
    assert.equal((await reserve(store, minute(1), "a"))?.task_id, "any");
    assert.equal((await reserve(store, minute(1), "a"))?.task_id, "own");
    assert.equal(await reserve(store, minute(1), "a"), null);
    assert.equal((await reserve(store, minute(1)))?.task_id, "other");
  });

  test("gives back what was set aside as if it had never been", async (t) => {
    const store = await openOne(t, prepare);
    await add(store, task("a"));
    const before = await store.tasks.find("a");
    const values = { now: minute(1), until: minute(9), role: null, taskId: "a" };
    assert.equal((await store.tasks.reserve({ ...values, reservation: "mine" }))?.task_id, "a");
    await store.tasks.unreserve("a", "another's");
    assert.equal(await reserve(store, minute(1), null, "a"), null);
    await store.tasks.unreserve("a", "mine");
    assert.deepEqual(await store.tasks.find("a"), before);
    assert.equal((await reserve(store))?.task_id, "a");
  });

  test("sets aside nothing that is not open", async (t) => {
    const store = await openOne(t, prepare);
    await add(
      store,
      task("a", { state: "blocked" }),
      task("b", { state: "working" }),
      task("c", { state: "failed" }),
    );
    assert.equal(await reserve(store), null);
    assert.equal(await reserve(store, minute(1), null, "a"), null);
  });
}

function leaseCases(prepare: PrepareStore): void {
  test("renews the lease of one epoch and of no other", async (t) => {
    const store = await openOne(t, prepare);
    const held = { state: "working", owner: "agent:a", epoch: 2, lease_until: minute(10) } as const;
    await add(store, task("a", held), task("b", { epoch: 2 }));
    assert.equal(await store.tasks.renew("a", 1, minute(20)), false);
    assert.equal(await store.tasks.renew("a", 3, minute(20)), false);
    assert.equal(await store.tasks.renew("b", 2, minute(20)), false);
    assert.equal(await store.tasks.renew("a", 2, minute(20)), true);
    assert.equal(await store.tasks.renew("a", 2, minute(15)), true);
    const found = await store.tasks.find("a");
    assert.deepEqual([found?.lease_until, found?.revision], [minute(20), 1]);
  });

  test("finds leases that are over and failed tasks that are to be retried", async (t) => {
    const store = await openOne(t, prepare);
    await add(
      store,
      task("over", { state: "claimed", lease_until: minute(5) }),
      task("held", { state: "working", lease_until: minute(9) }),
      task("again", { state: "failed", retry_at: minute(5) }),
      task("later", { state: "failed", retry_at: minute(6) }),
      task("never", { state: "failed" }),
      task("open"),
    );
    assert.deepEqual(ids(await store.tasks.due(minute(5), 9)), ["over", "again"]);
    assert.deepEqual(ids(await store.tasks.held(9)), ["over", "held"]);
  });
}
