import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, suite, test } from "node:test";
import { LeadsOutside, NotReadable, readBoundedFile, readContainedFile } from "./bounded-file.ts";

let root = "";
let inside = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "swarm-bounded-")));
  inside = join(root, "inside");
  mkdirSync(join(inside, "folder"), { recursive: true });
  mkdirSync(join(root, "outside"));
  writeFileSync(join(inside, "folder", "file"), "ours");
  writeFileSync(join(root, "outside", "file"), "secret");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const isInside = (path: string) => path.startsWith(`${inside}/`);
const read = (path: string, check = isInside) =>
  readContainedFile(join(inside, path), 100, check).bytes.toString();

suite("a file that has to lie in a folder", () => {
  test("is read where it does, and is plain unless a link leads to it or it has a second name", () => {
    const isPlain = (path: string) => readContainedFile(join(inside, path), 100, isInside).isPlain;
    assert.deepEqual([read("folder/file"), isPlain("folder/file")], ["ours", true]);
    symlinkSync("folder", join(inside, "link"));
    assert.deepEqual([read("link/file"), isPlain("link/file")], ["ours", false]);
    linkSync(join(inside, "folder", "file"), join(root, "second"));
    assert.equal(isPlain("folder/file"), false);
  });

  test("is refused where a link leads out, in the last place and before it", () => {
    symlinkSync("../outside/file", join(inside, "a"));
    symlinkSync("../outside", join(inside, "b"));
    for (const path of ["a", "b/file", "../outside/file"])
      assert.throws(() => read(path), LeadsOutside, path);
  });

  test("is refused when it becomes a link once its path was looked at", () => {
    const file = join(inside, "folder", "file");
    assert.throws(
      () =>
        read("folder/file", (path) => {
          rmSync(file);
          symlinkSync(join(root, "outside", "file"), file);
          return isInside(path);
        }),
      { code: "ELOOP" },
    );
  });

  test("is refused when a folder above it becomes a link once its path was looked at", () => {
    assert.throws(
      () =>
        read("folder/file", (path) => {
          renameSync(join(inside, "folder"), join(inside, "moved"));
          symlinkSync(join(root, "outside"), join(inside, "folder"));
          return isInside(path);
        }),
      NotReadable,
    );
  });

  const skip = existsSync("/proc/self/fd") ? false : "the kernel does not tell the path of an open file";
  test("is never another, however often a folder above it becomes a link and a folder again", {
    skip,
  }, async () => {
    symlinkSync(join(root, "outside"), join(inside, "link"));
    const swap = `const { renameSync } = require("node:fs"); process.chdir(${JSON.stringify(inside)}); process.stdout.write("x");
      for (;;) { renameSync("folder", "away"); renameSync("link", "folder"); renameSync("folder", "link"); renameSync("away", "folder"); }`;
    const swapping = spawn(process.execPath, ["-e", swap], { stdio: ["ignore", "pipe", "inherit"] });
    await once(swapping.stdout, "data");
    const seen = new Map<string, number>();
    for (let count = 0; count < 5_000; count++) {
      let found = "";
      try {
        found = read("folder/file");
      } catch {
        found = "refused"; // it was a link, or nothing, at that moment
      }
      seen.set(found, (seen.get(found) ?? 0) + 1);
    }
    swapping.kill("SIGKILL");
    await once(swapping, "exit");
    assert.equal(seen.get("secret"), undefined);
  });
});

test("a pipe is not waited for, and neither it nor a device, a folder or a large file is read", () => {
  execFileSync("mkfifo", [join(inside, "pipe")]);
  writeFileSync(join(inside, "large"), "x".repeat(101));
  for (const path of [join(inside, "pipe"), "/dev/zero", inside, join(inside, "large")])
    assert.throws(() => readBoundedFile(path, 100), NotReadable, path);
});
