import assert from "node:assert/strict";
import { test } from "node:test";
import type { CronJob } from "./port/cron-job.ts";
import { job as storedJob } from "./port/cron-store-harness.cases.ts";
import { claimOf } from "./due.ts";
import { dueMs, iso, timetableOf } from "./slots.ts";

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;
const at = (minutes: number): string => iso(start + minutes * minute);

/** A job of every ten minutes that stands at 00:10. */
const job = (changes: Partial<CronJob> = {}): CronJob =>
  storedJob({
    schedule: "*/10 * * * *",
    tz: "UTC",
    anchor_at: at(0),
    next_at: at(10),
    due_at: at(10),
    ...changes,
  });

async function claimed(changes: Partial<CronJob>, minutes: number) {
  const given = job(changes);
  const claim = claimOf(given, await timetableOf(given), start + minutes * minute);
  const runs = claim.runs.map(({ slot, trigger, status, slot_count }) => [
    slot,
    status === "queued" ? trigger : status,
    slot_count,
  ]);
  return { runs, next: claim.next_at, due: claim.due_at, ifBusy: claim.ifBusy?.status ?? null, claim };
}

test("a slot that is on time runs, and the next one is next", async () => {
  for (const misfire of ["skip", "once", "all"] as const) {
    const { runs, next, due } = await claimed({ misfire }, 10);
    assert.deepEqual(runs, [[at(10), "schedule", 1]]);
    assert.deepEqual([next, due], [at(20), at(20)]);
  }
});

test("within its grace a slot is not missed, a moment later it is", async () => {
  assert.deepEqual((await claimed({ misfire: "skip", grace_s: 120 }, 12)).runs, [[at(10), "schedule", 1]]);
  const { runs, next, claim } = await claimed({ misfire: "skip", grace_s: 119 }, 12);
  assert.deepEqual(runs, [[at(10), "missed", 1]]);
  assert.equal(next, at(20));
  assert.equal(claim.runs[0]?.reason, "nothing ran when 1 slot was due; misfire policy skip");
});

test("misfire once runs the last slot alone, however many there were, and tells of the others", async () => {
  assert.deepEqual((await claimed({ misfire: "once" }, 15)).runs, [[at(10), "catch-up", 1]]);
  const { runs, next } = await claimed({ misfire: "once" }, 55);
  assert.deepEqual(runs, [
    [at(10), "missed", 4],
    [at(50), "catch-up", 1],
  ]);
  assert.equal(next, at(60));
  const onTime = await claimed({ misfire: "once" }, 50);
  assert.deepEqual(onTime.runs, [
    [at(10), "missed", 4],
    [at(50), "schedule", 1],
  ]);
});

test("misfire skip runs none that is late, and the last if it is not", async () => {
  assert.deepEqual((await claimed({ misfire: "skip" }, 55)).runs, [[at(10), "missed", 5]]);
  assert.deepEqual((await claimed({ misfire: "skip" }, 51)).runs, [
    [at(10), "missed", 4],
    [at(50), "schedule", 1],
  ]);
});

test("misfire all runs the last ones up to its cap, and tells of the others", async () => {
  assert.deepEqual((await claimed({ misfire: "all" }, 35)).runs, [
    [at(10), "catch-up", 1],
    [at(20), "catch-up", 1],
    [at(30), "catch-up", 1],
  ]);
  assert.deepEqual((await claimed({ misfire: "all", misfire_cap: 2 }, 55)).runs, [
    [at(10), "missed", 3],
    [at(40), "catch-up", 1],
    [at(50), "catch-up", 1],
  ]);
  // The one that is on time is not one of those that are caught up.
  assert.deepEqual((await claimed({ misfire: "all", misfire_cap: 1 }, 50)).runs, [
    [at(10), "missed", 3],
    [at(40), "catch-up", 1],
    [at(50), "schedule", 1],
  ]);
});

test("a year of missed minutes is counted to a hundred and the last of them run, in no time", async () => {
  const { runs, next, claim } = await claimed(
    { schedule: "* * * * *", misfire: "all", misfire_cap: 3 },
    365 * 24 * 60,
  );
  assert.deepEqual(runs.at(-1), [at(365 * 24 * 60), "schedule", 1]);
  assert.deepEqual(
    runs.slice(1).map(([slot]) => slot),
    [3, 2, 1, 0].map((back) => at(365 * 24 * 60 - back)),
  );
  assert.deepEqual(runs[0]?.slice(0, 2), [at(10), "missed"]);
  assert.match(claim.runs[0]?.reason ?? "", /^nothing ran when at least 100 slots up to .* were due/);
  assert.equal(next, at(365 * 24 * 60 + 1));
});

test("only a slot that comes on time and alone is skipped when a run is under way", async () => {
  assert.equal((await claimed({ overlap: "skip" }, 10)).ifBusy, "skipped");
  assert.equal((await claimed({ overlap: "skip" }, 55)).ifBusy, null);
  assert.equal((await claimed({ overlap: "skip", misfire: "all" }, 50)).ifBusy, null);
  assert.equal((await claimed({ overlap: "queue" }, 10)).ifBusy, null);
  assert.equal((await claimed({ overlap: "allow" }, 10)).ifBusy, null);
});

test("after its only time a job stands nowhere", async () => {
  const once = { schedule: "2026-01-01T00:10Z" };
  const { runs, next, due } = await claimed(once, 10);
  assert.deepEqual([runs, next, due], [[[at(10), "schedule", 1]], null, null]);
  assert.deepEqual((await claimed({ ...once, misfire: "skip" }, 60)).runs, [[at(10), "missed", 1]]);
});

test("jitter is a slot's own, within its bound, and spread over it", async () => {
  const of = { job_id: "cj_1", jitter_s: 300 };
  const jitters = Array.from(
    { length: 200 },
    (_, day) => dueMs(of, start + day * 86_400_000) - (start + day * 86_400_000),
  );
  assert.ok(jitters.every((ms) => ms >= 0 && ms < 300_000));
  assert.ok(Math.min(...jitters) < 30_000 && Math.max(...jitters) > 270_000);
  assert.equal(dueMs(of, start), dueMs({ ...of }, start));
  assert.notEqual(dueMs(of, start), dueMs({ ...of, job_id: "cj_2" }, start));
  const { due, next } = await claimed({ jitter_s: 300 }, 15);
  assert.ok(due !== null && next === at(20) && due >= at(20) && due < at(25));
});
