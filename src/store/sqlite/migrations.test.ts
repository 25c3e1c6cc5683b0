import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { migrations } from "./migrations.ts";

test("the migrations are numbered 1, 2, 3 …, and every file in their folder is one", () => {
  const folder = join(import.meta.dirname, "../../../sql/sqlite/migrations");
  const files = globSync("**", { cwd: folder, withFileTypes: true })
    .filter((found) => found.isFile())
    .map(({ name }) => name);
  const all = migrations();
  assert.deepEqual(all.map(({ name }) => name).sort(), files.sort());
  assert.deepEqual(
    all.map(({ number }) => number),
    all.map((_, at) => at + 1),
  );
});
