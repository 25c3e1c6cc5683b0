import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import { manualClock } from "../../engine/testing/index.ts";
import { SwarmBench } from "../harness.cases.ts";
import { ClaimWhenReady } from "./claim-when-ready.ts";
import type { Claimed } from "./leases.ts";

const wish = (actor: string) => ({ actor, role: null });

test("whoever waits is given a task when it is added, before any time has passed", async (t) => {
  const bench = new SwarmBench(t);
  const { claimWhenReady } = bench.swarm;
  const waiting = ["agent:a", "agent:b"].map((actor) => claimWhenReady.claim(wish(actor), 60_000));
  await bench.add({ task_id: "one" }, { task_id: "two" });
  const claimed = await Promise.all(waiting);
  assert.deepEqual(claimed.map(({ task }) => task.task_id).toSorted(), ["one", "two"]);
});

test("a task that waited for another is given out when that one has landed", async (t) => {
  const bench = new SwarmBench(t);
  const { claimWhenReady, leases } = bench.swarm;
  await bench.claimed("first", "agent:a", { no_change: true });
  await bench.add({ task_id: "second", depends_on: ["first"] });
  const waiting = claimWhenReady.claim(wish("agent:b"), 60_000);
  await leases.report("first", { actor: "agent:a", epoch: 1 }, { summary: "x", evidence: [{ what: "y" }] });
  assert.equal((await waiting).task.task_id, "second");
});

test("a wait ends with its time or with its caller, and claims nothing then", async (t) => {
  const bench = new SwarmBench(t);
  const { claimWhenReady } = bench.swarm;
  const none = { code: "SWARM_TASK_NONE_READY" };
  await assert.rejects(claimWhenReady.claim(wish("agent:a"), 0), none);
  const over = assert.rejects(claimWhenReady.claim(wish("agent:a"), 3_000), none);
  const gone = new AbortController();
  const left = assert.rejects(claimWhenReady.claim(wish("agent:b"), 60_000, gone.signal), none);
  await new Promise((resolve) => setImmediate(resolve));
  gone.abort();
  await left;
  for (let waited = 0; waited < 3; waited++) {
    await bench.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await over;
  await bench.add({ task_id: "later" });
  assert.equal(await bench.state("later"), "open");
});

/** Claims that find nothing until `given` is there; `during` happens while the first is under way. */
function scripted(during: (waiting: ClaimWhenReady) => void, given: Claimed | null) {
  let claims = 0;
  const waiting: ClaimWhenReady = new ClaimWhenReady(
    {
      async claim() {
        if (++claims === 1) during(waiting);
        else if (given !== null) return given;
        throw new SwarmError("SWARM_TASK_NONE_READY", { role: null });
      },
    },
    manualClock(0),
  );
  return { waiting, claims: () => claims };
}

test("a task that is added while it was looked for one wakes whoever has not begun to wait", async () => {
  const given = {} as Claimed;
  const { waiting } = scripted((its) => its.noteTask({ state: "open" }), given);
  assert.equal(await waiting.claim(wish("agent:a"), 60_000), given);
});

test("for a caller who left while it waited nothing is claimed, though a task is there by then", async () => {
  const gone = new AbortController();
  const { waiting, claims } = scripted(() => setImmediate(() => gone.abort()), {} as Claimed);
  const left = waiting.claim(wish("agent:a"), 60_000, gone.signal);
  await assert.rejects(left, { code: "SWARM_TASK_NONE_READY" });
  assert.equal(claims(), 1);
});
