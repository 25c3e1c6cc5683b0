import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter(Boolean);

test("the lockfile names no download address", () => {
  assert.doesNotMatch(readFileSync(join(root, "package-lock.json"), "utf8"), /"resolved": "https?:/);
});

test("no tracked file names the folder it was written in", () => {
  const telling = tracked.filter((file) => readFileSync(join(root, file), "utf8").includes(root));
  assert.deepEqual(telling, []);
});

test("what a newcomer looks for first is there", () => {
  const expected = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "RELEASE_NOTES.md",
    "LICENSE",
    ".ci/run",
  ];
  assert.deepEqual(
    expected.filter((file) => !tracked.includes(file)),
    [],
  );
});

test("the README's example is the example that is run", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, block] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  assert.equal(block, readFileSync(join(root, "examples/embedded/main.ts"), "utf8"));
});
