import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { migrations } from "./migrations.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "sql/sqlite");

/** What of a text is left after its first statement. SQLite keeps of a prepared one the text up to its end. */
function restOf(database: DatabaseSync, text: string): string {
  const { sourceSQL } = database.prepare(text);
  return text.slice(text.indexOf(sourceSQL) + sourceSQL.length).trim();
}

function migrated(t: TestContext): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  t.after(() => database.close());
  for (const { text } of migrations()) database.exec(text());
  return database;
}

test("the migrations are numbered 1, 2, 3 …, and every file in their folder is one", () => {
  const files = globSync("**", { cwd: join(folder, "migrations"), withFileTypes: true })
    .filter((found) => found.isFile())
    .map(({ name }) => name);
  const all = migrations();
  assert.deepEqual(all.map(({ name }) => name).sort(), files.sort());
  assert.deepEqual(
    all.map(({ number }) => number),
    all.map((_, at) => at + 1),
  );
  for (const { name } of all) assert.match(name, /^\d{4}-[a-z-]+\.sql$/);
});

test("no statement numbers its values: Node 22.13 would take the numbers for names, and bind nothing to them", () => {
  const numbered = globSync("**/*.sql", { cwd: folder }).filter((file) =>
    /\?\d/.test(readFileSync(join(folder, file), "utf8").replaceAll(/--.*/g, "")),
  );
  assert.deepEqual(numbered, []);
});

test("every migration is one statement", (t) => {
  const database = new DatabaseSync(":memory:");
  t.after(() => database.close());
  for (const { name, text } of migrations()) {
    assert.equal(restOf(database, text()), "", name);
    database.exec(text());
  }
});

test("every statement is one statement that fits the tables", (t) => {
  const database = migrated(t);
  const files = globSync("statements/**", { cwd: folder, withFileTypes: true }).filter((found) =>
    found.isFile(),
  );
  assert.ok(files.length > 0);
  for (const { parentPath, name } of files) {
    assert.match(name, /^[a-z-]+\.sql$/);
    assert.equal(restOf(database, readFileSync(join(parentPath, name), "utf8")), "", name);
  }
});

test("a second statement in a file would be seen", (t) => {
  const database = migrated(t);
  assert.equal(restOf(database, "-- one\nselect 1;\nselect 2"), "select 2");
});

test("no statement is left that nothing asks for", () => {
  const sources = globSync("*.ts", { cwd: import.meta.dirname }).filter(
    (file) => !/\.(test|cases)\.ts$/.test(file),
  );
  const source = sources.map((file) => readFileSync(join(import.meta.dirname, file), "utf8")).join("");
  const names = globSync("statements/*.sql", { cwd: folder }).map((file) => basename(file, ".sql"));
  assert.deepEqual(
    names.filter((name) => !source.includes(`"${name}"`)),
    [],
  );
});
