import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeText } from "./sizes.ts";

test("a size is told in the largest unit there is one of", () => {
  const told = [0, 1, 1_023, 1_024, 1_536, 1_048_576, 5 * 1_024 ** 5].map(sizeText);
  assert.deepEqual(told, ["0 B", "1 B", "1023 B", "1 KiB", "1.5 KiB", "1 MiB", "5120 TiB"]);
});
