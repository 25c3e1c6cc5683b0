import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { storedRecord } from "../../record/audit/stored-record.ts";
import { verifyRecord } from "../../record/audit/verify.ts";
import { manualClock } from "../../engine/testing/manual-clock.ts";
import { openRuntime } from "../../daemon/runtime/runtime.ts";

const day = 86_400_000;

test("payloads are forgotten after the days the user wants them kept, and the record stays intact", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "swarm-retention-"));
  writeFileSync(join(home, "config.yaml"), "audit: { payload_retention_days: 7 }\n");
  const clock = manualClock();
  const runtime = await openRuntime({ home, cwd: home, env: {}, log: { warn: assert.fail }, clock });
  t.after(async () => {
    await runtime.close();
    rmSync(home, { recursive: true });
  });
  const call = { tool_name: "Bash", tool_input: { command: "ls" } };
  const { id: old } = await runtime.events.emit({ event: "tool.before", data: call, origin: { cwd: home } });
  await clock.advance(6 * day);
  const { id: young } = await runtime.events.emit({
    event: "tool.before",
    data: call,
    origin: { cwd: home },
  });
  assert.equal(await runtime.expirePayloads(), 0);
  await clock.advance(2 * day);
  assert.equal(await runtime.expirePayloads(), 1);
  const payloadOf = async (id: string) => {
    const row = (await runtime.store.findRunEvent(id)) ?? assert.fail("the row is gone");
    return (await runtime.store.findPayload(row.seq))?.before ?? null;
  };
  assert.equal(await payloadOf(old), null);
  assert.equal(await payloadOf(young), JSON.stringify(call));
  const [change] = await runtime.store.listRunEvents({ limit: 1 });
  assert.deepEqual([change?.kind, change?.event, change?.actor], ["change", "payloads.expired", "swarm"]);
  await clock.advance(100);
  const { is_intact, rows } = await verifyRecord(await storedRecord(runtime.store, runtime.key.publicKey));
  assert.deepEqual([is_intact, rows], [true, 3]);
});
