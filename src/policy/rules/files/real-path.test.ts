import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { realPath } from "./real-path.ts";

test("of two files in a folder that is not there, the way up to it is looked at once", (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-real-path-")));
  t.after(() => rmSync(folder, { recursive: true }));
  symlinkSync(folder, join(folder, "link"));
  const known = new Map<string, string>();
  assert.equal(realPath(join(folder, "link/a/b/x"), known), join(folder, "a/b/x"));
  const looked = known.size;
  assert.equal(realPath(join(folder, "link/a/b/y"), known), join(folder, "a/b/y"));
  assert.equal(known.size, looked + 1);
});
