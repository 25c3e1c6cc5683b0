import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generatedFiles, generatedFolders } from "../scripts/generated-files.ts";

const root = join(import.meta.dirname, "..");
const files = generatedFiles();

for (const [path, content] of files) {
  test(`${path} is what the tables say (else: npm run generate)`, () => {
    assert.equal(readFileSync(join(root, path), "utf8"), content);
  });
}

test("no generated file is left over from a table that is gone", () => {
  const leftOver = generatedFolders.flatMap((folder) =>
    readdirSync(join(root, folder)).filter((name) => !files.has(`${folder}/${name}`)),
  );
  assert.deepEqual(leftOver, []);
});
