import assert from "node:assert/strict";
import { test } from "node:test";
import { launcherProblem, linkedProblem } from "./launchers.ts";

const text = (word: string) => ({ plugin: null, text: word });
const own = { plugin: "acme", text: "hooks/x.py" };

test("a program that runs others is one under any version and flavour of its name", () => {
  const names = [
    ...["env", "ENV", "xargs", "tar", "gawk", "gcc-12", "vim.basic", "sed", "ssh", "busybox"],
    ...["sqlite3", "linux32", "poetry", "cross-env", "pip3", "docker"],
    ...["ld.so", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-2.31.so"],
  ];
  for (const name of names) assert.match(launcherProblem(name, [own]) ?? "", /can run other programs/, name);
  for (const name of ["cat", "jq", "grep", "sha256sum", "base64", "tee", "printf", "test", "ls"])
    assert.equal(launcherProblem(name, [text("-n")]), null, name);
});

test("an interpreter runs a file of the plugin as its first argument, and nothing else", () => {
  for (const name of [
    "sh",
    "bash",
    "python3",
    "python3.12",
    "perl5.36.0",
    "node22",
    "lua5.4",
    "Rscript",
    "fish",
    "xonsh",
    "tsx",
  ]) {
    assert.equal(launcherProblem(name, [own, text("-x")]), null, name);
    for (const args of [[], [text("-c"), text("x")], [text("x.py")], [text("-i"), own]])
      assert.match(launcherProblem(name, args) ?? "", /runs code, expected a file of the plugin/, name);
  }
});

test("git only looks", () => {
  for (const command of ["status", "diff", "log", "version"])
    assert.equal(launcherProblem("git", [text(command), text("--stat")]), null);
  for (const command of ["-c", "-C", "--exec-path=x", "clone", "grep", "config", "--version", ""])
    assert.match(launcherProblem("git", [text(command)]) ?? "", /git may only look/);
  assert.match(launcherProblem("git", []) ?? "", /git may only look/);
});

test("what a name leads to counts, unless it is one file for many programs", () => {
  assert.match(linkedProblem("mawk", []) ?? "", /mawk can run other programs/);
  assert.match(linkedProblem("bash", []) ?? "", /bash runs code/);
  assert.equal(linkedProblem("busybox", []), null);
  assert.equal(linkedProblem("coreutils", []), null);
});
