import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { folder, write } from "./harness.cases.ts";
import { readFolder } from "./read-folder.ts";

function plugin(t: TestContext): { root: string; outside: string } {
  const base = folder(t);
  const outside = join(base, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "s3cret");
  return { root: write(join(base, "root"), { "a.txt": "a", "hooks/x.sh": "#!/bin/sh\n" }), outside };
}

const paths = (root: string) => [...readFolder(root).files.keys()];

test("reads every file, with what may be executed, in the order of the paths", (t) => {
  const { root } = plugin(t);
  write(root, { "B.txt": "b", "hooks.txt": "c" });
  const { files } = readFolder(root);
  assert.deepEqual(
    [...files].map(([path, { bytes, isExecutable }]) => [path, bytes.toString(), isExecutable]),
    [
      ["B.txt", "b", false],
      ["a.txt", "a", false],
      ["hooks.txt", "c", false],
      ["hooks/x.sh", "#!/bin/sh\n", true],
    ],
  );
});

test("leaves .git out, whatever it is and however it is spelt", (t) => {
  const { root } = plugin(t);
  write(root, { ".git/config": "[core]\nfsmonitor = evil\n", "sub/.GIT": "gitdir: x", ".gitignore": "x" });
  assert.deepEqual(paths(root), [".gitignore", "a.txt", "hooks/x.sh"]);
});

suite("the digest is another when", () => {
  const changes: Readonly<Record<string, (root: string) => void>> = {
    "a byte changes": (root) => writeFileSync(join(root, "a.txt"), "b"),
    "a file comes": (root) => writeFileSync(join(root, "b.txt"), ""),
    "a file goes": (root) => rmSync(join(root, "a.txt")),
    "a file can be executed": (root) => chmodSync(join(root, "a.txt"), 0o755),
    "a file is called otherwise": (root) => {
      rmSync(join(root, "a.txt"));
      writeFileSync(join(root, "A.txt"), "a");
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    test(what, (t) => {
      const { root } = plugin(t);
      const before = readFolder(root).digest;
      assert.equal(readFolder(root).digest, before);
      change(root);
      assert.notEqual(readFolder(root).digest, before);
    });
  }
});

test("a link to a file of the folder is the file; a linked root is the folder it leads to", (t) => {
  const { root } = plugin(t);
  symlinkSync("a.txt", join(root, "link"));
  symlinkSync(join(root, "hooks", "x.sh"), join(root, "absolute"));
  const { files } = readFolder(root);
  assert.equal(files.get("link")?.bytes.toString(), "a");
  assert.equal(files.get("absolute")?.isExecutable, true);
  symlinkSync(root, `${root}-link`);
  assert.equal(readFolder(`${root}-link`).digest, readFolder(root).digest);
});

suite("refuses", () => {
  const refused: Readonly<Record<string, [(root: string, outside: string) => void, RegExp]>> = {
    "a link to a file outside": [
      (root, outside) => symlinkSync(join(outside, "secret"), join(root, "link")),
      /"link" is a link out of the folder$/,
    ],
    "a link to a folder outside": [
      (root, outside) => symlinkSync(outside, join(root, "link")),
      /"link" is a link out of the folder$/,
    ],
    "a link outside that looks like one inside": [
      (root) => {
        writeFileSync(`${root}-more`, "s3cret");
        symlinkSync(`${root}-more`, join(root, "link"));
      },
      /"link" is a link out of the folder$/,
    ],
    "a link to a folder inside": [
      (root) => symlinkSync("hooks", join(root, "link")),
      /"link" leads to what is not a file$/,
    ],
    "a link to itself": [(root) => symlinkSync("link", join(root, "link")), /"link" cannot be read: ELOOP$/],
    "a link to nowhere": [
      (root) => symlinkSync("gone", join(root, "link")),
      /"link" cannot be read: ENOENT$/,
    ],
    "a pipe, without waiting for it": [
      (root) => void execFileSync("mkfifo", [join(root, "pipe")]),
      /"pipe" is neither a file nor a folder$/,
    ],
    "a name that begins a line of its own": [
      (root) => writeFileSync(join(root, "a\nb"), ""),
      /has a name that cannot be shown$/,
    ],
    "a name that turns the reading order around": [
      (root) => writeFileSync(join(root, "a\u202egpj.sh"), ""),
      /has a name that cannot be shown$/,
    ],
    "a file that is too large": [
      (root) => truncateSync(join(root, "a.txt"), 4 * 1024 * 1024 + 1),
      /"a.txt" has over 4194304 bytes$/,
    ],
    "too much in all": [
      (root) => {
        for (let n = 0; n < 5; n++) {
          writeFileSync(join(root, `f${n}`), "");
          truncateSync(join(root, `f${n}`), 4 * 1024 * 1024);
        }
      },
      /the folder has over 16777216 bytes$/,
    ],
    "too many files": [
      (root) => {
        for (let n = 0; n < 2_000; n++) writeFileSync(join(root, `f${n}`), "");
      },
      /the folder has over 2000 files$/,
    ],
    "too many folders in each other": [
      (root) => mkdirSync(join(root, "d/".repeat(25)), { recursive: true }),
      /is nested over 20 folders deep$/,
    ],
  };
  for (const [what, [prepare, problem]] of Object.entries(refused)) {
    test(what, (t) => {
      const { root, outside } = plugin(t);
      prepare(root, outside);
      assert.throws(() => readFolder(root), { code: "SWARM_PLUGIN_INVALID", message: problem });
    });
  }

  test("a folder that is none", (t) => {
    const { root } = plugin(t);
    const problem = { code: "SWARM_PLUGIN_INVALID", message: /the folder cannot be read: ENO(ENT|TDIR)$/ };
    for (const path of ["gone", "a.txt"]) assert.throws(() => readFolder(join(root, path)), problem);
  });
});
