import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "./errors.ts";
import { tellOrLog } from "./tell-or-log.ts";

test("what others cannot be told is in the log, and a mistake of ours is thrown", async () => {
  const warnings: unknown[] = [];
  const log = { warn: (...said: unknown[]) => void warnings.push(said) };
  await tellOrLog(log, async () => "told");
  assert.deepEqual(warnings, []);
  const refused = new SwarmError("SWARM_NOT_SERVING", { state: "stopping" });
  await tellOrLog(log, () => Promise.reject(refused));
  assert.deepEqual(warnings, [[refused.message, { code: "SWARM_NOT_SERVING" }]]);
  await assert.rejects(
    tellOrLog(log, async () => {
      throw new TypeError("ours");
    }),
    TypeError,
  );
});
