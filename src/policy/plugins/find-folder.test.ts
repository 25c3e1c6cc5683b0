import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findPluginFolder } from "./find-folder.ts";
import { folder, write } from "./harness.cases.ts";

test("a plugin is a folder by its path, or a package here or above", (t) => {
  const root = folder(t);
  const cwd = join(root, "app/src");
  for (const made of [
    "app/src/here",
    "app/node_modules/@acme/swarm-plugin",
    "node_modules/plain",
    "node_modules/here",
  ])
    mkdirSync(join(root, made), { recursive: true });
  write(root, { "node_modules/file": "x" });
  const found = (written: string) => findPluginFolder(written, cwd);
  assert.equal(found("./here"), join(cwd, "here"));
  assert.equal(found("here"), join(cwd, "here"));
  assert.equal(found(join(root, "app")), join(root, "app"));
  assert.equal(found("@acme/swarm-plugin"), join(root, "app/node_modules/@acme/swarm-plugin"));
  assert.equal(found("plain"), join(root, "node_modules/plain"));
  for (const none of ["gone", "./plain", "@acme", "@acme/../../plain", "file", "Plain", ".bin", "a\0b"])
    assert.throws(() => found(none), { code: "SWARM_PLUGIN_NOT_FOUND" }, none);
});
