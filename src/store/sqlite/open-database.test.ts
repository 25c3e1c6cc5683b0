import assert from "node:assert/strict";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import { append, assertChained, entry } from "../port/store-harness.cases.ts";
import { Child, found, rawDatabase, temporaryFile, together } from "./harness.cases.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { migrations } from "./migrations.ts";

const newest = migrations.length;

function open(t: TestContext, file: string, all = migrations) {
  const database = openDatabase(file, all);
  t.after(() => database.isOpen && database.close());
  return database;
}

/** Every table, index and trigger, as it was made. */
function shapeOf(database: ReturnType<typeof openDatabase>): unknown[] {
  return database.prepare("select type, name, sql from sqlite_schema order by name").all();
}

test("a new file and its side files are for nobody else, whatever the umask", async (t) => {
  const before = process.umask(0o000);
  t.after(() => process.umask(before));
  const file = join(dirname(temporaryFile(t)), "home", "swarm.db");
  const store = openSqliteStore(file);
  t.after(() => store.close());
  await append(store, [entry()]);
  const modes = readdirSync(dirname(file)).map((name) => [
    name,
    (statSync(join(dirname(file), name)).mode & 0o777).toString(8),
  ]);
  assert.deepEqual(modes.sort(), [
    ["swarm.db", "600"],
    ["swarm.db-shm", "600"],
    ["swarm.db-wal", "600"],
  ]);
  assert.equal((statSync(dirname(file)).mode & 0o777).toString(8), "700");
});

test("the file is opened with a log, foreign keys, a busy timeout and no trust in its schema", (t) => {
  const database = open(t, temporaryFile(t));
  const settings = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout", "trusted_schema"];
  assert.deepEqual(
    settings.map((name) => found(database, `pragma ${name}`)),
    ["wal", 1, 1, 5_000, 0],
  );
});

test("a new file gets every table, and opening it again changes nothing", (t) => {
  const file = temporaryFile(t);
  const first = open(t, file);
  assert.equal(found(first, "pragma user_version"), newest);
  const shape = shapeOf(first);
  assert.ok(shape.length > 50);
  first.close();
  const second = open(t, file);
  assert.deepEqual([found(second, "pragma user_version"), shapeOf(second)], [newest, shape]);
});

test("a file of an older version gets the migrations it lacks and keeps its rows", async (t) => {
  const later = [
    ...migrations,
    "create table later (one text) strict",
    "alter table later add column two text",
  ];
  const whole = shapeOf(open(t, temporaryFile(t), later));
  for (const version of [0, 1, newest, newest + 1]) {
    const file = temporaryFile(t);
    openDatabase(file, later.slice(0, version)).close();
    const rows = version < newest ? 0 : 1;
    if (rows === 1) {
      const old = rawDatabase(t, file);
      old.exec("insert into flags values ('dark', 1, '2026-01-01', 'human:ada')");
      old.close();
    }
    const database = open(t, file, later);
    assert.deepEqual(shapeOf(database), whole, `from version ${version}`);
    assert.equal(found(database, "pragma user_version"), later.length);
    assert.equal(found(database, "select count(*) from flags"), rows);
  }
});

test("what a record of version 1 has is found by the searches that came later", async (t) => {
  const [from, file] = [temporaryFile(t), temporaryFile(t)];
  const whole = openSqliteStore(from);
  t.after(() => whole.close());
  await append(whole, [
    entry({ session: "s1", agent: "ada", time: "2026-01-02T00:00:00.000Z" }),
    entry({ session: "s2", verdict: "deny" }),
    entry({ id: "a", kind: "intent" }),
    entry({ id: "b", kind: "intent" }),
    entry({ kind: "outcome", ref: "a", session: "s1" }),
  ]);
  openDatabase(file, migrations.slice(0, 1)).close();
  const old = rawDatabase(t, file);
  old.exec(`attach '${from}' as whole; insert into run_events select * from whole.run_events`);
  old.close();
  const store = openSqliteStore(file);
  t.after(() => store.close());
  const page = { limit: 10 };
  const seen = async (each: typeof store) => [
    await each.listSessions(page),
    await each.openIntents(10),
    await each.listRunEvents({ ...page, kind: "intent" }),
    await each.listRunEvents({ ...page, session: "s1" }),
    await each.listRunEvents({ ...page, since: "2026-01-02T00:00:00.001Z" }),
  ];
  assert.deepEqual(await seen(store), await seen(whole));
  await append(store, [entry({ session: "s1" }), entry({ kind: "outcome", ref: "b" })]);
  assert.deepEqual(
    (await store.listSessions(page)).map(({ session, events }) => [session, events]),
    [
      ["s1", 3],
      ["s2", 1],
    ],
  );
  assert.deepEqual(await store.openIntents(10), []);
});

test("a migration that fails leaves the file at the version it had", (t) => {
  const file = temporaryFile(t);
  open(t, file).close();
  const shape = shapeOf(open(t, file));
  const later = [
    ...migrations,
    "create table later (one text) strict; create table hook_runs (one text) strict",
  ];
  assert.throws(() => openDatabase(file, later), { code: "SWARM_STORE_FAILED" });
  const after = open(t, file);
  assert.deepEqual([found(after, "pragma user_version"), shapeOf(after)], [newest, shape]);
});

test("a file with tables of others is left as it is", (t) => {
  const file = temporaryFile(t);
  const other = rawDatabase(t, file);
  other.exec("create table hook_runs (hook_id text)"); // in the way of a table in the middle
  other.close();
  assert.throws(() => openDatabase(file), { code: "SWARM_STORE_FAILED" });
  const after = rawDatabase(t, file);
  assert.equal(found(after, "pragma user_version"), 0);
  assert.equal(found(after, "select group_concat(name) from sqlite_schema"), "hook_runs");
});

test("processes that open a file which is not there yet all get it", async (t) => {
  for (let round = 0; round < 3; round++) {
    const file = temporaryFile(t);
    const printed = await together(
      t,
      Array.from({ length: 6 }, () => [file, "3"]),
    );
    assert.deepEqual(new Set(printed), new Set(["done"]));
    const store = openSqliteStore(file);
    await assertChained(store, 18);
    await store.close();
  }
});

test("a process that opens a file while another makes it ready waits for it", async (t) => {
  const file = temporaryFile(t);
  const other = rawDatabase(t, file);
  other.exec("begin immediate"); // SQLite refuses to change the journal at once, it does not wait as it does elsewhere
  const child = await Child.ready(t, file, "1");
  child.go();
  const held = new Promise<string>((resolve) => setTimeout(resolve, 300, "waiting"));
  assert.equal(await Promise.race([child.ended(), held]), "waiting");
  other.exec("rollback");
  assert.equal(await child.ended(), "done");
});

test("a file of a newer version is refused by its number and left as it is", (t) => {
  const file = temporaryFile(t);
  const database = open(t, file);
  database.exec(`pragma user_version = ${newest + 7}`);
  const shape = shapeOf(database);
  assert.throws(() => openDatabase(file), {
    code: "SWARM_STORE_NEWER",
    params: { location: file, version: newest + 7, newest },
  });
  assert.deepEqual([found(database, "pragma user_version"), shapeOf(database)], [newest + 7, shape]);
});

test("a file that is no database is refused by its name and left as it is", (t) => {
  const file = temporaryFile(t);
  writeFileSync(file, "these are not the rows you are looking for\n".repeat(100));
  assert.throws(
    () => openSqliteStore(file),
    (error: Error & { code: string }) => {
      assert.ok(error.message.startsWith(`${file} cannot be used: `), error.message);
      return error.code === "SWARM_STORE_FAILED";
    },
  );
  assert.equal(statSync(file).size, 4_300);
  assert.deepEqual(readdirSync(dirname(file)), ["swarm.db"]);
});

test("what cannot be a file at all is refused by its name", (t) => {
  const folder = temporaryFile(t);
  mkdirSync(folder);
  writeFileSync(join(folder, "plain"), "");
  for (const file of [folder, join(folder, "plain", "swarm.db")]) {
    assert.throws(
      () => openSqliteStore(file),
      (error) =>
        error instanceof SwarmError && error.code === "SWARM_STORE_FAILED" && error.message.startsWith(file),
    );
  }
});
