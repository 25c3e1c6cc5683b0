import assert from "node:assert/strict";
import { test } from "node:test";
import { CheckpointPace } from "./checkpoint-pace.ts";
import type { ChunkEnd } from "./port/processor.ts";

const spec = { checkpoint_records: 10, checkpoint_ms: 100 };

/** Some records that took so long each. */
function ended(count: number, ms: number): ChunkEnd {
  return { doneCount: count, failedCount: 0, latenciesMs: new Float64Array(count).fill(ms) } as ChunkEnd;
}

test("quick records are saved 100 ms after the checkpoint before, however many they are", () => {
  const pace = new CheckpointPace(spec, 1_000);
  assert.equal(pace.dueAtMs, null);
  pace.add(ended(5_000, 0.1), 1_010);
  assert.equal(pace.dueAtMs, 1_100);
  pace.begin();
  assert.equal(pace.dueAtMs, null);
  pace.saved(1_105);
  pace.add(ended(1, 0.1), 1_106);
  assert.equal(pace.dueAtMs, 1_205);
});

test("slow records are saved well within 100 ms, and at once when they are ten", () => {
  const pace = new CheckpointPace(spec, 0);
  pace.add(ended(1, 11), 500);
  assert.equal(pace.dueAtMs, 525, "25 ms after the first of them, whenever the last checkpoint was");
  pace.add(ended(8, 11), 510);
  assert.equal(pace.dueAtMs, 525);
  pace.add(ended(1, 11), 511);
  assert.equal(pace.dueAtMs, 500, "it is overdue");
  pace.begin();
  assert.equal(pace.dueAtMs, null);
});

test("one quick record that was held up does not make the others slow", () => {
  const pace = new CheckpointPace(spec, 0);
  pace.add(ended(1_000, 0.4), 10);
  pace.add(ended(1, 40), 60);
  assert.equal(pace.dueAtMs, 100);
  for (let count = 0; count < 20; count++) pace.add(ended(1, 40), 70);
  assert.equal(pace.dueAtMs, 10, "twenty of them do");
});
