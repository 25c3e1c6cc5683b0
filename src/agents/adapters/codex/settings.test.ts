import assert from "node:assert/strict";
import { test } from "node:test";
import { codexSettings } from "./settings.ts";

test("a file with a key of its own at the root is not read, and that is told", () => {
  assert.equal(codexSettings.whyInert('{"description": "mine", "hooks": {}}'), null);
  assert.equal(codexSettings.whyInert(""), null);
  assert.match(String(codexSettings.whyInert('{"$schema": "x", "hooks": {}}')), /the key \$schema/);
});

test("lines are for the shell of the user", () => {
  assert.deepEqual(codexSettings.shell({ SHELL: "/usr/bin/zsh" }), ["zsh", "-lc"]);
  assert.deepEqual(codexSettings.shell({}), ["bash", "-lc"]);
});
