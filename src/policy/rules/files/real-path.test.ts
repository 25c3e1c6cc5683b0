import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { type KnownPaths, knownFrom, realPath } from "./real-path.ts";

test("of two files in a folder that is not there, the way up to it is looked at once", (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(folder, join(folder, "link"));
  const known: KnownPaths = new Map();
  assert.equal(realPath(join(folder, "link/a/b/x"), known), join(folder, "a/b/x"));
  const looked = known.size;
  assert.equal(realPath(join(folder, "link/a/b/y"), known), join(folder, "a/b/y"));
  assert.equal(known.size, looked + 1);
});

test("a link is followed through folders, other links and up again", (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "a/b"), { recursive: true });
  writeFileSync(join(folder, "a/file"), "");
  symlinkSync("a/b", join(folder, "one"));
  symlinkSync("../../one", join(folder, "a/b/two"));
  symlinkSync("two/../file", join(folder, "a/b/up"));
  for (const [path, real] of [
    ["one/two/two/up", "a/file"],
    ["one/../file", "a/file"],
    ["a/./b/two/up/..", "a"],
    ["a/b/two/none", "a/b/none"],
    ["a/file/below", "a/file/below"],
  ] as const)
    assert.equal(realPath(`${folder}/${path}`), join(folder, real), path);
});

test("a link to what is not there leads to where a write would make it", (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "inside"));
  symlinkSync("../settings/new.json", join(folder, "inside/out"));
  symlinkSync("out", join(folder, "inside/again"));
  for (const name of ["out", "again"])
    assert.equal(realPath(join(folder, "inside", name)), join(folder, "settings/new.json"));
});

test("links that lead in a circle, and names no file can have, end", (t) => {
  const folder = temporaryFolder(t);
  symlinkSync("b", join(folder, "a"));
  symlinkSync("a", join(folder, "b"));
  symlinkSync(".", join(folder, "c"));
  assert.equal(dirname(realPath(join(folder, "a"))), folder);
  assert.equal(realPath(join(folder, "c/".repeat(2_000))), realPath(join(folder, "c/".repeat(2_000))));
  for (const long of ["x/".repeat(500_000), "x".repeat(5_000), "x".repeat(300)])
    assert.equal(realPath(`/${long}`), `/${long}`.replace(/\/$/, long.length > 4_096 ? "/" : ""));
});

test("the folder that is known is not looked at again", () => {
  const known = knownFrom("/no such folder");
  assert.equal(realPath("/no such folder/file", known), "/no such folder/file");
  assert.equal(known.has("/"), false);
});

function temporaryFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-real-path-")));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}
