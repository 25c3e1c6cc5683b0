import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { replaceFile, replaceFileLater } from "./replace-file.ts";

function newFolder(t: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), "swarm-replace-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

test("a file is replaced as a whole, its folder made, its mode as asked for whatever the umask is", async (t) => {
  const folder = newFolder(t);
  const file = join(folder, "a", "b");
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));
  replaceFile(file, "one", { mode: 0o755 });
  assert.deepEqual([readFileSync(file, "utf8"), statSync(file).mode & 0o777], ["one", 0o755]);
  replaceFile(file, Buffer.from("two"), { isFlushed: true });
  assert.deepEqual([readFileSync(file, "utf8"), statSync(file).mode & 0o777], ["two", 0o600]);
  await replaceFileLater(file, pieces("th", "ree"));
  assert.equal(readFileSync(file, "utf8"), "three");
  assert.deepEqual(readdirSync(join(folder, "a")), ["b"]);
});

test("a reader that has the file open goes on with what was there: nothing is written over it", (t) => {
  const file = join(newFolder(t), "f");
  writeFileSync(file, "old");
  const { ino } = statSync(file);
  replaceFile(file, "new");
  assert.notEqual(statSync(file).ino, ino);
});

test("when it cannot be written, what was there stays, and nothing is left beside it", async (t) => {
  const folder = newFolder(t);
  const taken = join(folder, "taken");
  mkdirSync(join(taken, "full"), { recursive: true });
  assert.throws(() => replaceFile(taken, "x"));
  await assert.rejects(replaceFileLater(taken, "x"));
  async function* broken(): AsyncGenerator<string> {
    yield "half";
    throw new Error("no more");
  }
  const file = join(folder, "f");
  writeFileSync(file, "old");
  await assert.rejects(replaceFileLater(file, broken()), /no more/);
  assert.equal(readFileSync(file, "utf8"), "old");
  assert.deepEqual(readdirSync(folder).toSorted(), ["f", "taken"]);
});

test("what a killed process left under a name of its own is written over", async (t) => {
  const folder = newFolder(t);
  const file = join(folder, "f");
  writeFileSync(`${file}.new`, "left by whoever was killed");
  await replaceFileLater(file, "x", `${file}.new`);
  assert.deepEqual([readdirSync(folder), readFileSync(file, "utf8")], [["f"], "x"]);
});
