import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { codeCommit } from "./code-commit.ts";

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "swarm-commit-"));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

function repository(t: TestContext) {
  const cwd = folder(t);
  const who = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  const git = (...args: string[]) => execFileSync("git", [...who, ...args], { cwd, encoding: "utf8" }).trim();
  git("init", "-q");
  const write = (text: string) => writeFileSync(join(cwd, "a.txt"), text);
  write("1\n");
  git("add", "a.txt");
  git("commit", "-qm", "first");
  return { cwd, git, write };
}

let hasGit = true;
try {
  execFileSync("git", ["--version"]);
} catch {
  hasGit = false;
}
const skip = hasGit ? false : "needs git";

test("a folder is at a commit, and differs from it or not", { skip }, async (t) => {
  const { cwd, git, write } = repository(t);
  const commit = git("rev-parse", "HEAD");
  assert.deepEqual(await codeCommit(cwd, process.env), { commit, is_dirty: false });
  write("2\n");
  assert.deepEqual(await codeCommit(cwd, process.env), { commit, is_dirty: true });
});

test("no commit is told of a folder that has none", { skip }, async (t) => {
  const cwd = folder(t);
  assert.equal(await codeCommit(cwd, { ...process.env, HOME: cwd }), null);
});

test("programs that a repository's own configuration names are not run", { skip }, async (t) => {
  const { cwd, git, write } = repository(t);
  const commit = git("rev-parse", "HEAD");
  const ran = join(cwd, "ran");
  git("config", "core.fsmonitor", `touch ${ran}; false`);
  write("2\n");
  assert.deepEqual(await codeCommit(cwd, process.env), { commit, is_dirty: true });
  writeFileSync(join(cwd, ".git/info/attributes"), "* filter=evil\n");
  git("config", "filter.evil.clean", `touch ${ran}; cat`);
  write("3\n");
  assert.deepEqual(await codeCommit(cwd, process.env), { commit, is_dirty: null });
  assert.ok(!existsSync(ran));
});
