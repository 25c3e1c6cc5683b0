// Claims tasks in a process of its own until none is ready, and prints each that it was given.
import { writeSync } from "node:fs";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { Outcome } from "../../engine/events/outcome.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { plainAudit } from "../harness.cases.ts";
import { Swarm } from "../service.ts";

const [, , file = "", name = "", aheadMs = "0"] = process.argv;
const store = openSqliteStore(file);
const now = (): number => Date.now() + Number(aheadMs);
const clock = { now, monotonicMs: now, setTimer: () => ({ close: () => undefined }) };
const swarm = new Swarm({
  store,
  clock,
  audit: plainAudit(store, clock),
  emit: async ({ event, data }) => new Outcome(event as never, data as never),
  log: { warn: () => undefined },
  newId,
  newToken: () => newId("token"),
  hasEnded: () => false,
});
for (;;) {
  try {
    const { task, lease } = await swarm.leases.claim({ actor: `agent:${name}`, role: null });
    writeSync(1, `${task.task_id} ${lease.epoch}\n`);
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    if (error.code === "SWARM_TASK_NONE_READY") break;
    // Another has taken what was set aside for this one: what it stood still for was too long.
    if (error.code !== "SWARM_STORE_BUSY" && error.code !== "SWARM_TASK_STATE") throw error;
  }
}
await store.close();
