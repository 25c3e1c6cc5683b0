import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { folder, write } from "./harness.cases.ts";
import { readFolder } from "./read-folder.ts";
import { readSnapshot, removeSnapshots, snapshotRoot, writeSnapshot } from "./snapshot.ts";

function copied(t: TestContext) {
  const base = folder(t);
  const source = write(join(base, "source"), { "a.txt": "a", "hooks/x.sh": "#!/bin/sh\n" });
  const home = join(base, "home");
  mkdirSync(home, { mode: 0o700 });
  const files = readFolder(source);
  const root = snapshotRoot(home, "acme", files.digest);
  writeSnapshot(root, files);
  return { source, home, files, root };
}

test("the copy is private, whole, and has nothing beside it", (t) => {
  const { root, files, home } = copied(t);
  assert.equal(readFolder(root).digest, files.digest);
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  assert.deepEqual([dirname(dirname(root)), dirname(root), root, join(root, "hooks")].map(mode), [
    "700",
    "700",
    "700",
    "700",
  ]);
  assert.deepEqual([mode(join(root, "a.txt")), mode(join(root, "hooks/x.sh"))], ["400", "500"]);
  assert.deepEqual(readdirSync(join(home, "plugins/acme")), [files.digest]);
});

test("what becomes of the source afterwards does nothing to it", (t) => {
  const { source, root, files } = copied(t);
  write(source, { "a.txt": "changed" });
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "a");
  assert.equal(readSnapshot("acme", root, files.digest).digest, files.digest);
});

test("writing it again mends what was damaged", (t) => {
  const { root, files } = copied(t);
  chmodSync(join(root, "a.txt"), 0o600);
  writeFileSync(join(root, "a.txt"), "damaged");
  writeSnapshot(root, files);
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "a");
});

suite("a copy is not taken for what was approved when", () => {
  const damages: Readonly<Record<string, [(root: string) => void, RegExp]>> = {
    "a byte was changed": [
      (root) => {
        chmodSync(join(root, "a.txt"), 0o600);
        writeFileSync(join(root, "a.txt"), "b");
      },
      /are not the ones that were approved, add it again$/,
    ],
    "a file was put into it": [
      (root) => write(root, { "node_modules/x/index.js": "" }) && undefined,
      /are not the ones that were approved/,
    ],
    "a file was taken out": [(root) => rmSync(join(root, "a.txt")), /are not the ones that were approved/],
    "it is a link, even to the same files": [
      (root) => {
        renameSync(root, `${root}-moved`);
        symlinkSync(`${root}-moved`, root);
      },
      /its copy .* is a link, add it again$/,
    ],
    "its plugin's folder is a link": [
      (root) => {
        renameSync(dirname(root), `${dirname(root)}-moved`);
        symlinkSync(`${dirname(root)}-moved`, dirname(root));
      },
      /its copy .* is a link, add it again$/,
    ],
    "it is gone": [(root) => rmSync(root, { recursive: true }), /its copy .* is gone, add it again$/],
  };
  for (const [what, [damage, problem]] of Object.entries(damages)) {
    test(what, (t) => {
      const { root, files } = copied(t);
      damage(root);
      const error = { code: "SWARM_PLUGIN_INVALID", message: problem };
      assert.throws(() => readSnapshot("acme", root, files.digest), error);
    });
  }
});

test("old copies go, those to keep stay, and without any the plugin's folder goes", (t) => {
  const { home, root, files } = copied(t);
  const old = snapshotRoot(home, "acme", "0".repeat(64));
  mkdirSync(old);
  removeSnapshots(home, "acme", [files.digest]);
  assert.deepEqual([existsSync(root), existsSync(old)], [true, false]);
  removeSnapshots(home, "acme", []);
  assert.equal(existsSync(dirname(root)), false);
  removeSnapshots(home, "acme", []); // harmless
});
