import assert from "node:assert/strict";
import { test } from "node:test";
import type { EffectEnd } from "../../../record/port/audit.ts";
import { type BatchRun, canResume, noProgress } from "../port/batch-run.ts";
import type { StoreChange } from "../../../store/port/store.ts";
import { manualClock } from "../../../engine/testing/manual-clock.ts";
import type { RunEnd } from "../run-batch.ts";
import type { Checkpoint, RunSpec } from "../run-spec.ts";
import type { Emit } from "../../../daemon/runtime/port/emit.ts";
import { BatchEvents } from "./events.ts";
import { Leg } from "./leg.ts";

function followed() {
  const clock = manualClock();
  const told: string[] = [];
  const payloads: Record<string, unknown>[] = [];
  const changes: StoreChange[] = [];
  const ends: EffectEnd[] = [];
  const emit: Emit = async ({ event, data, changes: made = [] }) => {
    told.push(`${event} ${(data as { done_count: number }).done_count}`);
    payloads.push(data as Record<string, unknown>);
    changes.push(...made);
    return {} as never;
  };
  const log = { warn: () => undefined };
  const report = async (end: EffectEnd, ...made: readonly StoreChange[]) => {
    ends.push(end);
    changes.push(...made);
    return {} as never;
  };
  const spec = { run_id: "r1", output: "/nowhere", cwd: "/", processor: "echo" } as RunSpec;
  const owner = { place: "here", pid: 1, born: null };
  const run = { run_id: "r1", leg: 1, owner, ...noProgress } as BatchRun;
  const leg = new Leg(run, spec, report, { clock, log, events: new BatchEvents(emit, log) });
  const end = Promise.withResolvers<RunEnd>();
  const stops: string[] = [];
  const done = leg.follow({
    pid: 1,
    ended: end.promise,
    stop: () => void stops.push("stop"),
    kill: () => void stops.push("kill"),
  });
  return { clock, told, payloads, changes, ends, leg, end: end.resolve, done, stops };
}

function checkpoint(done_count: number, duration_ms: number): Checkpoint {
  const bytes = { input_bytes: done_count, input_lines: done_count, results_bytes: done_count };
  const at = "2026-01-01T00:00:00.000Z";
  return {
    run_id: "r1",
    leg: 1,
    ...bytes,
    errors_bytes: 0,
    failed_count: 0,
    done_count,
    duration_ms,
    at,
    is_completed: false,
  };
}

test("hooks hear of a checkpoint once a second, and more rarely the longer the run takes", async () => {
  const { clock, told, leg, end, done } = followed();
  const hear = (count: number, duration: number) =>
    leg.hear({ type: "checkpoint", checkpoint: checkpoint(count, duration), input_size: 9_999_999 });
  let heard = 0;
  for (let tenths = 1; tenths <= 100; tenths++) {
    await clock.advance(100);
    hear(tenths, tenths * 100);
    heard++;
  }
  assert.equal(told.length, 10);
  for (let seconds = 0; seconds < 600; seconds++) {
    await clock.advance(1_000);
    hear(1_000 + seconds, 3_600_000);
    heard++;
  }
  assert.equal(told.length, 20, "every minute of an hour");
  assert.equal(leg.checkpoints, heard);
  assert.equal(leg.progress.done_count, 1_599);
  end({ type: "completed", checkpoint: checkpoint(2_000, 1), stats: {} });
  await done;
  assert.equal(told.at(-1), "batch.completed 2000");
});

const lost = {
  type: "failed",
  checkpoint: null,
  code: "SWARM_BATCH_RUNNER_LOST",
  message: "killed",
} as const;
const stopped = { type: "stopped", checkpoint: null, reason: "cancelled" } as const;

for (const [what, ends, state, reason] of [
  ["fails", { ...lost, code: "SWARM_BATCH_DISK_FULL", message: "full" }, "failed", "full"],
  ["is killed", lost, "interrupted", "killed"],
  ["is told to stop by somebody else", stopped, "cancelled", "its process was asked to stop"],
] as const) {
  test(`a run whose process ${what} is ${state}`, async () => {
    const { told, changes, end, done } = followed();
    end(ends);
    await done;
    const [change] = changes;
    assert.ok(change?.kind === "batch_run_ended");
    assert.deepEqual([change.state, change.reason], [state, reason]);
    assert.deepEqual(told, ["batch.failed 0"]);
  });
}

test("a run that is stopped is what it was stopped for, the first time", async () => {
  const { changes, leg, end, done, stops } = followed();
  leg.stop("cancelled", "by ann");
  leg.stop("interrupted", "the daemon stopped");
  leg.abort();
  end(lost);
  await done;
  const [change] = changes;
  assert.ok(change?.kind === "batch_run_ended");
  assert.deepEqual([change.state, change.reason, stops], ["cancelled", "by ann", ["stop", "stop", "kill"]]);
});

test("a run with failed records is completed with errors, and says where they are", async () => {
  const { payloads, changes, ends, end, done } = followed();
  end({ type: "completed", checkpoint: { ...checkpoint(2, 1), failed_count: 3 }, stats: {} });
  await done;
  const [change] = changes;
  assert.ok(change?.kind === "batch_run_ended");
  const reason = "3 of 5 records failed, see errors.jsonl";
  assert.deepEqual([change.state, change.reason, ends[0]?.reason], ["completed_with_errors", reason, reason]);
  const { state, failed_count, errors } = payloads[0] ?? {};
  assert.deepEqual([state, failed_count, errors], ["completed_with_errors", 3, "/nowhere/errors.jsonl"]);
});

test("a run can be resumed that was ended early, but not where it would only fail again", () => {
  const run = { state: "failed", failed_count: 4, spec: { max_errors: 4 } } as unknown as BatchRun;
  assert.equal(canResume(run), true);
  assert.equal(canResume({ ...run, failed_count: 5 }), false);
  assert.equal(canResume({ ...run, failed_count: 5, spec: { max_errors: null } }), true);
  assert.equal(canResume({ ...run, state: "completed_with_errors" }), false);
});

test("a run that completes although it was to stop is completed", async () => {
  const { ends, leg, end, done } = followed();
  leg.stop("cancelled", "by ann");
  end({ type: "completed", checkpoint: checkpoint(3, 1), stats: {} });
  await done;
  assert.equal(ends[0]?.outcome, "completed");
});
