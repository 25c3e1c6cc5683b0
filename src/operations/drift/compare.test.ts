import assert from "node:assert/strict";
import { test } from "node:test";
import { compareDatasets } from "./compare.ts";
import { defaultThresholds, driftSettings } from "./settings.ts";
import { sample } from "./statistics/sample.cases.ts";
import { Dataset, type DatasetOptions } from "./summary/dataset.ts";

const plain: DatasetOptions = {
  features: [],
  ignore: [],
  categorical: [],
  timestampField: null,
  period: null,
};

function datasetOf(records: readonly object[], options: Partial<DatasetOptions> = {}): Dataset {
  const dataset = new Dataset({ ...plain, ...options });
  for (const record of records) dataset.add(record);
  return dataset;
}

function compared(before: readonly object[], now: readonly object[], config: object = {}) {
  const settings = driftSettings({ baseline: "b", window: "w", ...config } as never);
  const options = { ...plain, categorical: settings.categorical };
  return compareDatasets(datasetOf(before, options), datasetOf(now, options), settings);
}

const messages = (results: ReturnType<typeof compared>) =>
  results.flatMap(({ findings }) => findings.map(({ message }) => message));

const amounts = (shift: number) =>
  sample([1, 1_000, 0, 1, 0]).map((amount) => ({ amount: amount + shift, steady: amount }));
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

test("a number that has moved is over its thresholds, one that has not is within them, and findings come first", () => {
  const [amount, steady] = compared(amounts(0), amounts(0.3));
  assert.deepEqual(
    [amount?.feature, steady?.feature, steady?.findings, steady?.ks?.statistic],
    ["amount", "steady", [], 0],
  );
  assert.equal(amount?.kind, "numeric");
  assert.ok((amount?.ks?.p_value ?? 1) < 1e-10);
  assert.match(
    messages([amount].flatMap((one) => one ?? [])).join("; "),
    /^amount KS 0\.2\d+ over 0\.15; amount PSI 0\.\d+ over 0\.2$/,
  );
});

test("thresholds are the check's, and a feature's own where it has some", () => {
  assert.deepEqual(
    messages(compared(amounts(0), amounts(0.3), { alert_threshold: 0.9, psi_threshold: 9 })),
    [],
  );
  const own = { thresholds: { amount: { ks: 0.9, psi: 9 }, steady: { ks: 0 } } };
  const results = compared(amounts(0), amounts(0.3), own);
  assert.deepEqual(messages(results), []);
  const amount = results.find(({ feature }) => feature === "amount");
  assert.deepEqual(amount?.thresholds, { ...defaultThresholds, ks: 0.9, psi: 9 });
  const strict = { thresholds: { amount: { ks: 0.001, psi: 9 } } };
  assert.match(
    messages(compared(amounts(0), amounts(0.01), strict)).join(),
    /^amount KS 0\.0\d+ over 0\.001$/,
  );
});

test("categories: χ², PSI, those that are new, and a p-value where one is asked for", () => {
  const words = (a: number, b: number, c: number) =>
    [...times(a, "a"), ...times(b, "b"), ...times(c, "c")].map((word) => ({ word }));
  const [same] = compared(words(50, 50, 0), words(52, 48, 0));
  assert.deepEqual([same?.kind, same?.findings, same?.chi2?.degrees_of_freedom], ["categorical", [], 1]);
  const [changed] = compared(words(50, 50, 0), words(45, 45, 10));
  assert.deepEqual(changed?.new_categories, { share: 0.1, names: ["c"] });
  assert.match(
    messages(compared(words(50, 50, 0), words(45, 45, 10))).join("; "),
    /^word PSI 0\.\d+ over 0\.2; word new categories 0\.1 over 0\.05$/,
  );
  const byP = { psi_threshold: 9, thresholds: { word: { chi2_p: 0.01 } } };
  assert.match(
    messages(compared(words(500, 500, 0), words(600, 400, 0), byP)).join(),
    /^word χ² p-value \S+ under 0\.01$/,
  );
});

test("a share without a value that has changed either way is told", () => {
  const some = (present: number) => [...times(present, { v: 1 }), ...times(100 - present, {})];
  assert.deepEqual(messages(compared(some(100), some(70))), ["v missing rate changed by 0.3 over 0.1"]);
  assert.deepEqual(messages(compared(some(70), some(100))), ["v missing rate changed by 0.3 over 0.1"]);
  assert.deepEqual(messages(compared(some(95), some(90))), []);
});

test("a field that is gone or has another type is told; a new one is shown and no alert", () => {
  const before = times(20, { a: 1, b: "x", c: 1 });
  const now = times(20, { a: "1", c: 1, d: 1 });
  assert.deepEqual(messages(compared(before, now)), [
    "a number became string",
    "b gone: no record has a value",
  ]);
  assert.deepEqual(messages(compared(before, now, { schema_alerts: false })), []);
  const added = compared(before, now).find(({ feature }) => feature === "d");
  assert.deepEqual([added?.schema_change, added?.findings], ["new: number", []]);
  const mixed = [...times(12, { a: 1, b: "x", c: 1 }), ...times(8, { a: "?", b: "x", c: 1 })];
  assert.deepEqual(messages(compared(before, mixed)), ["a number in 60 % of its values, before in 100 %"]);
});

test("ids and texts are not compared by their values, and lists not at all", () => {
  const ids = (prefix: string) => Array.from({ length: 200 }, (_, n) => ({ id: `${prefix}${n}`, list: [n] }));
  const results = compared(ids("a"), ids("b"));
  assert.deepEqual(messages(results), []);
  for (const { not_compared } of results) assert.notEqual(not_compared, null);
  const many = (prefix: string) => Array.from({ length: 5_000 }, (_, n) => ({ id: `${prefix}${n}` }));
  assert.match(compared(many("a"), many("b"))[0]?.not_compared ?? "", /more than 1000 categories/);
});

test("numbers that are names are compared as categories", () => {
  const zips = (zip: number) => times(60, { zip });
  const [result] = compared(zips(10115), zips(20095), { categorical: ["zip"] });
  assert.deepEqual([result?.kind, result?.new_categories], ["categorical", { share: 1, names: ["20095"] }]);
});

test("values that are all the same, or as large as numbers get, are drawn and compared without a fault", () => {
  for (const [before, now] of [
    [times(20, { v: 5 }), times(20, { v: 5 })],
    [times(20, { v: 0 }), times(20, { v: -1 })],
    [
      [{ v: -1.7e308 }, { v: 1.7e308 }],
      [{ v: 1.7e308 }, { v: 0 }],
    ],
  ] as const) {
    const [result] = compared(before, now);
    const plot = result?.plot;
    assert.ok(plot?.kind === "numeric");
    for (const edge of plot.edges) assert.ok(Number.isFinite(edge), String(plot.edges));
    for (const shares of [plot.baseline, plot.window])
      assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
  }
});
