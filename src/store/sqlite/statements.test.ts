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

/** Tables that have a row for each thing that happened. */
const growing =
  /\b(run_events|payloads|hook_runs|sessions|approvals|deliveries|inbound_messages|cron_runs|pipeline_runs|pipeline_steps|model_versions|batch_runs|drift_marks|plugin_shell_executions|[erdhvni])\b/;

/** What reads a table from end to end all the same, and why that is no matter. */
const wholeReads: Readonly<Record<string, string>> = {
  "recordStatements.head": "one row: the last",
  "searchStatements.ofGroups": "one row: the first",
  "searchStatements.countOfGroups": "one row: the first",
  "cronStatements.newestRun": "one row: the last",
  "retentionStatements.namedChecks": "runs are forgotten, and what was found of them; once an hour",
  "sqliteRetention.dueBatchRuns": "runs are forgotten; once an hour",
  "sqliteRetention.duePipelineRuns": "runs are forgotten; once an hour",
};

test("no statement reads a whole table of what happened", async (t) => {
  const database = migrated(t);
  const indexes = database.prepare("select name, sql from sqlite_schema where type = 'index'").all();
  const partial = indexes.filter(({ sql }) => /\bwhere\b/.test(String(sql))).map(({ name }) => String(name));
  const found = new Set<string>();
  for (const { name: group, texts } of await groups())
    for (const [name, text] of Object.entries(texts)) {
      const plan = database.prepare(`explain query plan ${numbered(text, () => "?").text}`);
      const steps = plan.all(...numbered(text, () => "?").names.map(() => null));
      // An index of a few rows only, such as of those that are open, is as short as they are few.
      const isWhole = ({ detail }: Record<string, unknown>): boolean =>
        /^SCAN/.test(String(detail)) &&
        growing.test(String(detail)) &&
        !partial.some((each) => String(detail).endsWith(each));
      if (steps.some(isWhole)) found.add(`${group}.${name}`);
    }
  assert.deepEqual([...found].sort(), Object.keys(wholeReads).sort());
});

/** Filters that no index answers, and what bounds the rows they are asked of. */
const filters: Readonly<Record<string, string>> = {
  "searchStatements.ofHook": "steps of 4,000 rows, others have their turn between two of them",
  "pipelineStatements.listRuns": "what is asked for by file is the pipelines of one project",
  "pipelineStatements.listRunsOf": "a pipeline of this name is in few files",
  "pipelineStatements.listStages": "a row for each stage of a model",
  "agentStatements.list": "agents are as many as were started, not as many as calls",
  "taskStatements.listTasks": "tasks are as many as people and agents plan, not as many as calls",
};

test("what a list is filtered by leads to its rows by an index", async (t) => {
  const database = migrated(t);
  const found = new Set<string>();
  for (const { name: group, texts } of await groups())
    for (const [name, text] of Object.entries(texts)) {
      if (/^\s*(insert|update|delete)/.test(text)) continue;
      if (!/limit :limit/.test(text) && !/is null or/.test(text)) continue;
      const { text: marked, names } = numbered(text, () => "?");
      const plan = database.prepare(`explain query plan ${marked}`).all(...names.map(() => null));
      const steps = plan.map(({ detail }) => String(detail)).join("\n");
      // Of the words of a group one row tells, and times are looked up before.
      const filtered = [...text.matchAll(/(?:(?<table>\w+)\.)?(?<column>\w+) = :\w+/g)]
        .map(({ groups }) => groups as { table?: string; column: string })
        .filter(({ table }) => table !== "g" && table !== "s");
      if (!filtered.every(({ column }) => steps.includes(`${column}=?`))) found.add(`${group}.${name}`);
    }
  assert.deepEqual([...found].sort(), Object.keys(filters).sort());
});
