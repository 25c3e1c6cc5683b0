import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sample, sketched, weighted } from "./sample.cases.ts";
import { exactValues, QuantileSketch, quantile, shareAtOrBelow } from "./sketch.ts";

/** Orders that have the halving of runs keep always the same side, or meet values it has not seen. */
const orders: Readonly<Record<string, (values: Float64Array) => void>> = {
  shuffled: () => undefined,
  rising: (values) => values.sort(),
  falling: (values) => values.sort().reverse(),
  "small and large in turn": (values) => {
    const sorted = values.slice().sort();
    for (let at = 0; at < values.length; at++) {
      const from = at % 2 === 0 ? at / 2 : values.length - (at + 1) / 2;
      values[at] = sorted[from] ?? 0;
    }
  },
};

test("up to ten thousand values nothing is lost", () => {
  const values = sample([1, exactValues, 0, 1, 0]);
  const { errorBound, values: kept } = weighted(values);
  assert.equal(errorBound, 0);
  assert.deepEqual(
    Array.from(kept),
    values.toSorted((a, b) => a - b),
  );
});

test("no rank is off by more than the bound that is stated, whatever the values and their order", () => {
  const parameters = fc.record({
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    count: fc.integer({ min: 1, max: 150_000 }),
    step: fc.constantFrom(0, 0.01, 0.5),
    order: fc.constantFrom(...Object.keys(orders)),
  });
  fc.assert(
    fc.property(parameters, ({ seed, count, step, order }) => {
      const values = Float64Array.from(sample([seed, count, 0, 1, step]));
      orders[order]?.(values);
      const summary = weighted(values);
      assert.equal(summary.count, count);
      assert.equal(summary.cumulative.at(-1), count);
      const levels = Math.max(0, Math.ceil(Math.log2(count / exactValues)));
      assert.ok(summary.errorBound <= levels / exactValues + 1e-12, `${summary.errorBound} of ${count}`);
      const sorted = values.toSorted();
      for (let part = 0; part <= 50; part++) {
        const value = sorted[Math.min(count - 1, Math.floor((part / 50) * count))] ?? 0;
        const off = Math.abs(shareAtOrBelow(summary, value) - trueShare(sorted, value));
        assert.ok(off <= summary.errorBound + 1e-12, `${order}: ${off} over ${summary.errorBound}`);
      }
    }),
    { numRuns: 40 },
  );
});

test("a sketch that was kept and read again says the same", () => {
  const sketch = sketched(sample([3, 45_678, 0, 1, 0]));
  const again = QuantileSketch.from(JSON.parse(JSON.stringify(sketch.state())) as never);
  assert.deepEqual(again.weighted(), sketch.weighted());
  assert.deepEqual(QuantileSketch.from(new QuantileSketch().state()).weighted().values.length, 0);
});

test("a quantile is the least value that as many are at or below", () => {
  const summary = weighted([3, 1, 2, 2]);
  assert.deepEqual(
    [0, 0.25, 0.26, 0.75, 0.76, 1].map((share) => quantile(summary, share)),
    [1, 1, 2, 2, 3, 3],
  );
});

function trueShare(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low / sorted.length;
}
