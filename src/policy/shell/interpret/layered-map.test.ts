import assert from "node:assert/strict";
import { test } from "node:test";
import { LayeredMap } from "./layered-map.ts";

test("a layer has what is below it, and keeps what it changes to itself", () => {
  const below = new LayeredMap<string>();
  below.set("a", "1");
  below.set("b", "2");
  const layer = new LayeredMap(below);
  layer.set("a", "3");
  layer.delete("b");
  layer.set("c", "");
  assert.deepEqual(
    ["a", "b", "c", "d"].map((name) => [layer.get(name), layer.has(name), below.get(name)]),
    [
      ["3", true, "1"],
      [undefined, false, "2"],
      ["", true, undefined],
      [undefined, false, undefined],
    ],
  );
});

test("a layer is untouched as long as those below it are too", () => {
  const below = new LayeredMap<string>();
  const layer = new LayeredMap(below);
  assert.ok(layer.isUntouched);
  below.set("a", "1");
  assert.ok(!layer.isUntouched);
});
