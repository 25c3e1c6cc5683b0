import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { breakFsync, whyNoInjection } from "../faults/broken-fsync.ts";
import { killDaemons } from "../faults/daemon.ts";
import { SmallDisk } from "../faults/full-disk.ts";
import { Place } from "./harness.ts";

test("kill -9 of the daemon under load loses no event that was answered, and records none twice", async () => {
  const seed = Math.floor(Math.random() * 1e6);
  const report = await killDaemons(3, seed);
  assert.equal(report.kills, 3, `seed ${seed}`);
  assert.ok(report.acknowledged > 0);
});

for (const durability of ["power_loss", "process"] as const) {
  test(`after an fsync that failed nothing is acknowledged, which is said, and none is tried again: ${durability}`, async (t) => {
    const problem = whyNoInjection();
    if (problem === null) t.diagnostic(await breakFsync(12, durability));
    else t.skip(problem);
  });
}

test("on a full disk a guarded action is denied, another refused, and both work again once there is room", async (t) => {
  const guard = `hooks:
  - { event: tool.before, type: command, name: guard, match: Bash, mode: guard, on_failure: deny, command: exit 0 }
`;
  const disk = new SmallDisk();
  const place = new Place(t, guard, disk.folder);
  t.after(() => disk.remove());
  if (disk.problem !== null) {
    t.skip(disk.problem);
    return;
  }
  await place.trust();
  const ballast = join(disk.folder, "ballast");
  writeFileSync(ballast, Buffer.alloc(512 * 1024));
  const { port, child, ended } = await place.up();
  const send = async (tool_name: string, text = "x") => {
    const data = { tool_name, tool_input: { text } };
    const sent = { event: "tool.before", data, cwd: place.project };
    const { status, type, body } = await place.call(port, "POST", "/api/v1/events", sent);
    return { ...(body as unknown as Answered), status, type };
  };
  const verdicts = async () => [(await send("Bash")).decision.verdict, (await send("Read")).decision.verdict];
  assert.deepEqual(await verdicts(), ["none", "none"]);

  // Large ones first, then down to the last page; and again, while a journal that was emptied has made room.
  for (let isFull = false; !isFull; ) {
    isFull = true;
    for (const size of [100_000, 10_000, 1_000, 1]) {
      while ((await send("Read", "x".repeat(size))).status === 200) isFull = false;
    }
  }
  const { status, type, code } = await send("Read");
  assert.deepEqual([status, type, code], [507, "application/problem+json", "SWARM_STORE_FULL"]);
  const reason =
    /^this action is guarded and cannot be recorded: .*swarm\.db cannot be written, is the disk full\?/;
  const denied = await send("Bash");
  assert.deepEqual([denied.status, denied.decision.verdict, denied.decision.hook], [200, "deny", "swarm"]);
  assert.match(denied.decision.reason, reason);
  assert.equal(denied.result.status, "skipped_by_hook");
  // An edit meanwhile takes effect all the same, and is told of once it can be: a guard nobody has approved denies all.
  place.write("swarm.yaml", guard.replace("exit 0", "'echo edited >&2; exit 2'"));
  const changed = /have changed since they were approved: guard/;
  // The row of that denial is a page shorter, and may still fit.
  assert.match((await send("Bash")).decision.reason, new RegExp(`${reason.source}|${changed.source}`));

  rmSync(ballast);
  assert.deepEqual(await verdicts(), ["deny", "deny"]);
  assert.match((await send("Bash")).decision.reason, changed);
  const { body } = await place.call(port, "GET", "/api/v1/events?event=config.changed");
  assert.equal((body.items as unknown[]).length, 1, "the edit is recorded once");
  assert.equal((await place.call(port, "GET", "/api/v1/audit/verify")).body.is_intact, true);
  child.kill("SIGTERM");
  assert.equal((await ended).status, 0);
});

interface Answered {
  readonly code: string;
  readonly decision: { readonly verdict: string; readonly reason: string; readonly hook: string };
  readonly result: { readonly status: string };
}
