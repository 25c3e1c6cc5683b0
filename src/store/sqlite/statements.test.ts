import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { numbered, type Texts } from "../sql/statement.ts";
import { openDatabase } from "./open-database.ts";
import { temporaryFile } from "./harness.cases.ts";

interface Group {
  readonly name: string;
  readonly texts: Texts;
}

/** Those of every feature, and those that are SQLite's own. */
async function groups(): Promise<Group[]> {
  const shared = globSync("*.ts", { cwd: join(import.meta.dirname, "../sql") });
  const files = shared
    .filter((file) => !/^statement\.|\.test\.ts$/.test(file))
    .map((file) => `../sql/${file}`);
  const modules = await Promise.all([...files, "./statements.ts"].map((file) => import(file)));
  const found = modules.flatMap((module) => Object.entries(module as Record<string, Texts>));
  return found.map(([name, texts]) => ({ name, texts }));
}

/** What of a text is left after its first statement. SQLite keeps of a prepared one the text up to its end. */
function restOf(database: DatabaseSync, text: string): string {
  const { sourceSQL } = database.prepare(text);
  return text.slice(text.indexOf(sourceSQL) + sourceSQL.length).trim();
}

function migrated(t: TestContext): DatabaseSync {
  const database = openDatabase(temporaryFile(t));
  t.after(() => database.close());
  return database;
}

test("every statement is one statement that fits the tables", async (t) => {
  const database = migrated(t);
  const all = await groups();
  assert.ok(all.length > 10);
  for (const { name: group, texts } of all)
    for (const [name, text] of Object.entries(texts))
      assert.equal(restOf(database, numbered(text, () => "?").text), "", `${group}.${name}`);
});

test("a second statement in a text would be seen", (t) => {
  const database = migrated(t);
  assert.equal(restOf(database, "-- one\nselect 1;\nselect 2"), "select 2");
});

test("nothing between quotes looks like a value", async () => {
  for (const { name: group, texts } of await groups())
    for (const [name, text] of Object.entries(texts))
      for (const [quoted] of text.matchAll(/'[^']*'/g))
        assert.deepEqual(numbered(quoted, () => "?").names, [], `${group}.${name}`);
});

test("no statement is left that nothing asks for", async () => {
  const files = globSync("*.ts", { cwd: import.meta.dirname }).filter(
    (file) => !/\.(test|cases)\.ts$/.test(file),
  );
  const sources = files
    .filter((file) => file !== "statements.ts")
    .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"));
  for (const { name: group, texts } of await groups()) {
    const users = sources.filter((source) => source.includes(`${group}`)).join("");
    const unused = Object.keys(texts).filter(
      (name) => !new RegExp(`sql\\.${name}\\b|{[^}]*\\b${name}\\b[^}]*} = this\\.#sql`).test(users),
    );
    assert.deepEqual(unused, [], group);
  }
});
