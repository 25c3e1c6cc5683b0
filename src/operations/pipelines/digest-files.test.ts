import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { digestPath, findFiles, newestFile, Unreadable } from "./digest-files.ts";

const { signal } = new AbortController();

function folder(t: TestContext, files: Readonly<Record<string, string>> = {}): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "swarm-digest-")));
  t.after(() => rmSync(made, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, name)), { recursive: true });
    writeFileSync(join(made, name), text);
  }
  return made;
}

test("a file of many chunks has the digest of its bytes", async (t) => {
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 7, "swarm");
  const path = join(folder(t), "large");
  writeFileSync(path, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  assert.deepEqual(await digestPath(path, signal), { sha256, bytes: bytes.length });
});

test("a folder has one digest, of the names and bytes of all its files", async (t) => {
  const of = async (files: Record<string, string>) => digestPath(folder(t, files), signal);
  const first = await of({ "a/b": "1", c: "22" });
  assert.equal(first?.bytes, 3);
  assert.deepEqual(await of({ c: "22", "a/b": "1" }), first);
  for (const other of [{ "a/b": "2", c: "22" }, { "a/c": "1", c: "22" }, { "a/b": "1" }])
    assert.notEqual((await of(other as Record<string, string>))?.sha256, first?.sha256);
  assert.equal(await digestPath("/nowhere/at/all", signal), null);
});

test("a link in a folder is where it leads, and one that leads in circles is no trap", async (t) => {
  const made = folder(t, { a: "1" });
  symlinkSync("/etc/passwd", join(made, "out"));
  symlinkSync(".", join(made, "loop"));
  const first = await digestPath(made, signal);
  assert.equal(first?.bytes, 1);
  rmSync(join(made, "out"));
  symlinkSync("/etc/group", join(made, "out"));
  assert.notEqual((await digestPath(made, signal))?.sha256, first?.sha256);
});

test("what is no file is not waited for", { skip: process.platform === "win32" }, async (t) => {
  const made = folder(t);
  execFileSync("mkfifo", [join(made, "pipe")]);
  await assert.rejects(digestPath(join(made, "pipe"), signal), Unreadable);
  await assert.rejects(digestPath("/dev/zero", signal), /is no file, expected one/);
});

test("reading stops when nobody wants it any more", async (t) => {
  const made = folder(t, { a: "1" });
  await assert.rejects(digestPath(join(made, "a"), AbortSignal.abort()), /was not read to its end/);
});

test("globs stand for files in order, folders for all in them, and a path that is not there is an error", (t) => {
  const made = folder(t, { "a/x.csv": "", "a/b/y.csv": "", "a/b/z.txt": "", "w.csv": "" });
  const found = (...globs: string[]) => findFiles(made, globs).map((path) => path.slice(made.length + 1));
  assert.deepEqual(found("*.csv"), ["w.csv"]);
  assert.deepEqual(found("**/*.csv", "a/b"), ["a/b/y.csv", "a/b/z.txt", "a/x.csv", "w.csv"]);
  assert.deepEqual(found("none/*.csv"), []);
  assert.throws(() => found("a/none.csv"), /^Unreadable: a\/none\.csv is missing|a\/none\.csv is missing/);
});

test("the newest match is the one that was changed last, and of several the last by name", (t) => {
  const made = folder(t, { "d/1.csv": "", "d/2.csv": "", "d/3.csv": "", "d/4.txt": "" });
  for (const [name, second] of Object.entries({ "1.csv": 20, "2.csv": 20, "3.csv": 10, "4.txt": 30 }))
    utimesSync(join(made, "d", name), second, second);
  assert.equal(newestFile(made, "d/*.csv"), join(made, "d/2.csv"));
  assert.equal(newestFile("/", `${made}/d/*`), join(made, "d/4.txt"), "from the root");
  assert.equal(newestFile(made, "e/*"), null);
});
