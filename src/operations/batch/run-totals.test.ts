import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ChunkEnd, ProcessorTally } from "./port/processor.ts";
import { LatencyHistogram } from "./latency-histogram.ts";
import { RunTotals } from "./run-totals.ts";
import { Throughput } from "./throughput.ts";

test("percentiles are within two percent of the exact ones, however the run was cut into legs", () => {
  const latencies = fc.array(fc.double({ min: 0.01, max: 60_000, noNaN: true }), {
    minLength: 1,
    maxLength: 300,
  });
  fc.assert(
    fc.property(latencies, fc.integer({ min: 0, max: 300 }), (all, cut) => {
      const first = new LatencyHistogram();
      first.add(Float64Array.from(all.slice(0, cut)));
      const second = LatencyHistogram.from(JSON.parse(JSON.stringify(first)));
      second.add(Float64Array.from(all.slice(cut)));
      const sorted = [...all].sort((a, b) => a - b);
      const summary = second.summary();
      for (const [name, share] of [
        ["p50", 0.5],
        ["p90", 0.9],
        ["p99", 0.99],
      ] as const) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        assert.ok(Math.abs(summary[name] / exact - 1) < 0.021, `${name} ${summary[name]}, exactly ${exact}`);
      }
      assert.equal(summary.count, all.length);
    }),
  );
});

test("latencies that are no time at all do no harm", () => {
  const histogram = new LatencyHistogram();
  histogram.add(Float64Array.of(Number.NaN, -1, Number.POSITIVE_INFINITY, 0, 0));
  assert.deepEqual(histogram.summary(), {
    count: 5,
    mean: 0,
    p50: 0,
    p90: 0,
    p95: 0,
    p99: 0,
    p999: 0,
    max: 0,
  });
});

test("throughput over a day is told in few numbers that add up", () => {
  const throughput = new Throughput();
  for (let second = 0; second < 86_400; second += 10) throughput.add(3, second * 1_000);
  const { interval_ms, records } = throughput.toJSON();
  assert.ok(records.length <= 240 && records.length > 120, String(records.length));
  assert.equal(interval_ms, 512_000);
  assert.equal(
    records.reduce((sum, count) => sum + count, 0),
    3 * 8_640,
  );
});

const end = (given: Partial<ChunkEnd>): ChunkEnd => ({
  results: Buffer.alloc(0),
  errors: Buffer.alloc(0),
  doneCount: 0,
  failedCount: 0,
  errorClasses: {},
  idHashes: new Uint32Array(0),
  latenciesMs: new Float64Array(0),
  ...given,
});

test("totals go on where a checkpoint left them, with what the processor counts", () => {
  const tallying: ProcessorTally = {
    merge: (sum, tally) => ({ seen: Number(sum?.seen ?? 0) + Number(tally.seen) }),
    summary: ({ seen }) => ({ seen_twice: Number(seen) * 2 }),
  };
  const first = new RunTotals(tallying, null);
  first.add(end({ doneCount: 2, failedCount: 1, errorClasses: { thrown: 1 }, tally: { seen: 3 } }), 500);
  const second = new RunTotals(tallying, JSON.parse(JSON.stringify(first.save())));
  second.add(end({ failedCount: 2, errorClasses: { thrown: 1, timeout: 1 }, tally: { seen: 2 } }), 1_500);
  const { counts, error_classes, records_per_s, throughput, metrics } = second.summary(2_000);
  assert.deepEqual(
    { counts, error_classes, records_per_s, throughput, metrics },
    {
      counts: { records: 5, done: 2, failed: 3 },
      error_classes: { thrown: 2, timeout: 1 },
      records_per_s: 2.5,
      throughput: { interval_ms: 1_000, records: [3, 2] },
      metrics: { seen_twice: 10 },
    },
  );
});
