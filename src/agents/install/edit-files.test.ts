import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { SwarmError } from "../../base/errors.ts";
import { applyEdits, readText } from "./edit-files.ts";

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "swarm-edit-"));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

const coded = (code: string) => (error: SwarmError) => error.code === code;

test("files are changed, made and removed", (t) => {
  const here = folder(t);
  const [a, b, c] = [join(here, "a"), join(here, "b"), join(here, "new/c")];
  writeFileSync(a, "1");
  writeFileSync(b, "2");
  applyEdits([
    { file: a, before: "1", after: "one" },
    { file: b, before: "2", after: null },
    { file: c, before: null, after: "three", mode: 0o644 },
  ]);
  assert.deepEqual([readText(a), readText(b), readText(c)], ["one", null, "three"]);
  assert.equal(statSync(c).mode & 0o777, 0o644);
});

test("when one cannot be written those before it are put back, and nothing is left beside them", (t) => {
  const here = folder(t);
  const [a, b] = [join(here, "a"), join(here, "b")];
  writeFileSync(a, "1");
  const edits = [
    { file: a, before: "1", after: "one" },
    { file: b, before: null, after: "two" },
    // Such a file could be there, but not the longer name of one on its way to its place.
    { file: join(here, "c".repeat(250)), before: null, after: "three" },
  ];
  assert.throws(() => applyEdits(edits), coded("SWARM_SETTINGS_UNUSABLE"));
  assert.equal(readText(a), "1");
  assert.deepEqual(readdirSync(here), ["a"]);
});

test("a file that has changed since is left alone, and so are all others", (t) => {
  const here = folder(t);
  const [a, b] = [join(here, "a"), join(here, "b")];
  writeFileSync(a, "1");
  writeFileSync(b, "somebody else's");
  const edits = [
    { file: a, before: "1", after: "one" },
    { file: b, before: "2", after: "two" },
  ];
  assert.throws(() => applyEdits(edits), coded("SWARM_SETTINGS_CHANGED"));
  assert.deepEqual([readText(a), readText(b)], ["1", "somebody else's"]);
});

test("a link stays a link to what it pointed to, and the mode stays", (t) => {
  const here = folder(t);
  const [link, target] = [join(here, "link"), join(here, "target")];
  writeFileSync(target, "1");
  chmodSync(target, 0o640);
  symlinkSync("target", link);
  applyEdits([{ file: link, before: "1", after: "one" }]);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readFileSync(target, "utf8"), "one");
  assert.equal(statSync(target).mode & 0o777, 0o640);
});

test("what is not text is not read, for it could not be written again", (t) => {
  const file = join(folder(t), "a");
  writeFileSync(file, Buffer.from([0x7b, 0xc3, 0x28, 0x7d]));
  assert.throws(() => readText(file), coded("SWARM_SETTINGS_UNUSABLE"));
  writeFileSync(file, "\ufeff{}");
  assert.equal(readText(file), "\ufeff{}");
  assert.throws(() => readText(tmpdir()), coded("SWARM_SETTINGS_UNUSABLE"));
  assert.equal(existsSync(file), true);
});
