import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chiSquareTest, upperGamma } from "./chi-square.ts";
import { kolmogorovTail } from "./kolmogorov.ts";
import { ksTest } from "./ks.ts";
import { numericPsi } from "./psi.ts";
import { type SampleSpec, sample, weighted } from "./sample.cases.ts";
import { exactValues } from "./sketch.ts";

interface Recorded {
  readonly versions: Readonly<Record<string, string>>;
  readonly numeric: readonly {
    readonly baseline: SampleSpec;
    readonly window: SampleSpec;
    readonly ks: number;
    readonly p: number;
    readonly psi: number;
  }[];
  readonly tails: readonly (readonly [n: number, gap: number, p: number])[];
  readonly categorical: readonly {
    readonly table: readonly [readonly number[], readonly number[]];
    readonly chi2: number;
    readonly p: number;
    readonly degrees: number;
  }[];
  readonly gammas: readonly (readonly [a: number, x: number, q: number])[];
}

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures", "scipy.json"), "utf8"),
) as Recorded;
const { scipy, numpy, python } = recorded.versions;
const by = `SciPy ${scipy} with NumPy ${numpy} and Python ${python}`;

function near(actual: number, expected: number, tolerance: number, of: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${of}: ${actual}, expected ${expected}`);
}

test(`KS statistic, exact p-value and PSI are those of ${by}`, () => {
  const small = recorded.numeric.filter(({ baseline, window }) => largest(baseline, window) <= exactValues);
  assert.ok(small.length >= 9);
  for (const { baseline, window, ks, p, psi } of small) {
    const [b, w] = [weighted(sample(baseline)), weighted(sample(window))];
    const of = `${baseline} / ${window}`;
    near(ksTest(b, w).statistic, ks, 1e-12, of);
    near(ksTest(b, w).pValue, p, 1e-9 * p + 1e-15, of);
    near(numericPsi(b, w), psi, 1e-12, of);
  }
});

test(`of more values, in sketches, they are within the stated bounds of ${by}`, () => {
  const large = recorded.numeric.filter(({ baseline, window }) => largest(baseline, window) > exactValues);
  assert.ok(large.length >= 3);
  for (const { baseline, window, ks, p, psi } of large) {
    const [b, w] = [weighted(sample(baseline)), weighted(sample(window))];
    const of = `${baseline} / ${window}`;
    const bound = b.errorBound + w.errorBound;
    near(ksTest(b, w).statistic, ks, bound, of);
    near(numericPsi(b, w), psi, 0.01, of);
    const n = Math.round((b.count * w.count) / (b.count + w.count));
    near(kolmogorovTail(n, ks), p, 1e-5, of);
  }
});

test(`the distribution of the widest gap is that of ${by}`, () => {
  for (const [n, gap, p] of recorded.tails) near(kolmogorovTail(n, gap), p, 1e-5, `${n}, ${gap}`);
});

test(`χ² and its p-value are those of ${by}`, () => {
  for (const { table, chi2, p, degrees } of recorded.categorical) {
    const found = chiSquareTest(...table);
    assert.equal(found.degreesOfFreedom, degrees);
    near(found.statistic, chi2, 1e-12 * chi2 + 1e-12, JSON.stringify(table));
    near(found.pValue, p, 1e-10 * p, JSON.stringify(table));
  }
  for (const [a, x, q] of recorded.gammas) near(upperGamma(a, x), q, 1e-11 * q + 1e-14, `Q(${a}, ${x})`);
});

test("what is the same has a gap of 0 and is as likely as can be", () => {
  const values = weighted([1, 2, 2, 3]);
  assert.deepEqual([ksTest(values, values).statistic, ksTest(values, values).pValue], [0, 1]);
  assert.equal(numericPsi(values, values), 0);
  assert.deepEqual(chiSquareTest([5, 5], [0, 0]), { statistic: 0, degreesOfFreedom: 1, pValue: 1 });
  assert.deepEqual(chiSquareTest([5], [7]), { statistic: 0, degreesOfFreedom: 0, pValue: 1 });
});

function largest([, a]: SampleSpec, [, b]: SampleSpec): number {
  return Math.max(a, b);
}
