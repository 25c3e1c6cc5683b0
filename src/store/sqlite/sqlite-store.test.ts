import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { storeCases } from "../port/store.cases.ts";
import { append, assertChained, entry } from "../port/store-harness.cases.ts";
import { found, rawDatabase, temporaryFile, together } from "./harness.cases.ts";
import { openSqliteStore } from "./sqlite-store.ts";

storeCases("SQLite", (t) => {
  const file = temporaryFile(t);
  return async () => openSqliteStore(file);
});

test("processes that append at once never follow the same head", async (t) => {
  const file = temporaryFile(t);
  const printed = await together(t, [
    [file, "100"],
    [file, "100"],
    [file, "100"],
  ]);
  assert.deepEqual(printed, ["done", "done", "done"]);
  const store = openSqliteStore(file);
  t.after(() => store.close());
  await assertChained(store, 300);
});

/** The locks this process has on a file, as the kernel sees them. */
function locksOn(file: string): string[] {
  const { ino } = statSync(file);
  const lines = readFileSync("/proc/locks", "latin1").split("\n");
  return lines.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `));
}

const linuxOnly = existsSync("/proc/locks") ? false : "needs /proc/locks";

test("opening a file twice in one process leaves its locks alone", { skip: linuxOnly }, async (t) => {
  // Closing any descriptor of the file drops them. The next process may then believe to be the last one, delete the
  // log when it closes, and what is written here later goes to a file without a name; newer SQLites see that coming.
  const file = temporaryFile(t);
  const store = openSqliteStore(file);
  t.after(() => store.close());
  await append(store, [entry()]);
  assert.equal(locksOn(file).length, 1);
  const second = openSqliteStore(file);
  assert.equal(locksOn(file).length, 1);
  await second.close();
  assert.equal(locksOn(file).length, 1);
  assert.deepEqual(await together(t, [[file, "1"]]), ["done"]);
  await append(store, [entry()]);
  await assertChained(store, 3);
});

test("a row can be neither changed nor deleted", async (t) => {
  const file = temporaryFile(t);
  const store = openSqliteStore(file);
  t.after(() => store.close());
  await append(store, [entry(), entry()]);
  const database = rawDatabase(t, file);
  assert.throws(() => database.exec("update run_events set reason = 'x' where seq = 1"), /never change/);
  assert.throws(() => database.exec("delete from run_events where seq = 2"), /never deleted/);
  assert.throws(() => database.exec("delete from run_events"), /never deleted/);
  await assertChained(store, 2);
});

test("a row that was changed is found however many rows come before it", async (t) => {
  const file = temporaryFile(t);
  const store = openSqliteStore(file);
  t.after(() => store.close());
  const rows = Array.from({ length: 2_500 }, () => entry());
  const [first] = await append(store, rows);
  const database = rawDatabase(t, file);
  database.exec("drop trigger run_events_fixed; update run_events set reason = 'x' where seq = 2200");
  assert.equal(await store.isChainedAfter(first ?? { seq: 0, hash: "" }), false);
});

test("a payload and a hook run belong to a row that is there", async (t) => {
  const file = temporaryFile(t);
  const store = openSqliteStore(file);
  t.after(() => store.close());
  await append(store, [entry()]);
  const database = rawDatabase(t, file);
  database.exec("pragma foreign_keys = on");
  assert.throws(() => database.exec("insert into payloads values (8, '{}', null)"), /FOREIGN KEY/);
  assert.throws(
    () => database.exec("insert into hook_runs values ('h', 8, 's', 'v', 1, null)"),
    /FOREIGN KEY/,
  );
});

test("a file that another holds for five seconds is refused as busy, and later works again", async (t) => {
  const file = temporaryFile(t);
  const store = openSqliteStore(file);
  t.after(() => store.close());
  const database = rawDatabase(t, file);
  database.exec("begin immediate");
  await assert.rejects(append(store, [entry()]), (error: Error & { code: string }) => {
    assert.match(error.message, /swarm\.db is held by another process: database is locked$/);
    return error.code === "SWARM_STORE_BUSY";
  });
  assert.equal(found(database, "select count(*) from run_events"), 0);
  assert.deepEqual(await store.readRunEvents(0, 1), []); // readers never wait
  database.exec("rollback");
  await append(store, [entry()]);
  await assertChained(store, 1);
});
